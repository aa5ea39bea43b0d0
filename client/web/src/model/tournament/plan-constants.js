// Written by `python -m tests.tools.protocol_types` from shared/fortythieves/protocol and from the rules of the server.
// Change those and repeat the command.

export const TITLE_LENGTH = 60
export const ABOUT_LENGTH = 2_000
export const REASON_LENGTH = 200
export const ANNOUNCEMENT_LENGTH = 280
export const MOST_ROUNDS = 30
export const MOST_GROUPS = 32
export const MOST_ADVANCING = 8
export const MOST_LISTED = 1_000
export const MOST_APART = 49
export const LARGEST_TEAM = 10
export const RESERVES = 4
export const LATEST_START = 31_622_400_000
export const POINTS = /** @type {const} */ ([25, 18, 15, 12, 10, 8, 6, 4, 2, 1])
export const TIEBREAKS = /** @type {const} */ ({
  points: ['wins', 'solved', 'home', 'par', 'best', 'last'],
  knockout: ['beaten'],
  double: ['beaten'],
  swiss: ['buchholz', 'buchholz_cut1', 'sonneborn', 'direct', 'wins', 'home', 'par'],
  roundrobin: ['direct', 'sonneborn', 'wins', 'home'],
  arena: ['wins', 'solved', 'home'],
})
export const DEFAULT_TIEBREAKS = /** @type {const} */ ({
  points: ['wins', 'solved', 'home'],
  knockout: ['beaten'],
  double: ['beaten'],
  swiss: ['wins', 'buchholz', 'direct', 'sonneborn', 'home'],
  roundrobin: ['direct', 'sonneborn', 'wins', 'home'],
  arena: ['wins', 'solved', 'home'],
})
export const PRESETS = /** @type {const} */ ({
  'points-evening': { format: 'points', rounds: 5 },
  'knockout-cup': { format: 'knockout', pause: 120 },
  'double-cup': { format: 'double', pause: 120 },
  'swiss-club': { format: 'swiss', rounds: 5, pause: 120 },
  'teams-school': { format: 'points', rounds: 4, team_size: 5, by_timer: false },
  'teams-league': { format: 'swiss', rounds: 5, team_size: 4, pause: 120 },
  'groups-cup': { format: 'roundrobin', groups: 4, advance: 2, pause: 120 },
  ladder: {
    format: 'points',
    rounds: 5,
    ladder: [{ game: 'little-forty' }, { game: 'number-ten' }, { game: 'lucas' }, { game: 'streets' }, { game: 'forty-thieves' }],
  },
  'classroom-blind': {
    format: 'points',
    rounds: 3,
    points: [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    by_timer: false,
    deadly: true,
    blind: true,
  },
  'arena-hour': { format: 'arena', minutes: 60, points: [2, 0] },
})
export const MOST_HALF_BYES = 2
export const MOST_EVENTS = 52
