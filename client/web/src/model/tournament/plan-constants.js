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
export const MOST_HALF_BYES = 2
export const MOST_EVENTS = 52
