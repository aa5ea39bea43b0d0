// Written by `python -m tests.tools.protocol_types` from shared/fortythieves/protocol and from the view of the server.
// Change those and repeat the command.

/** The public view of a room. */
export interface View {
  code: string
  host?: number | null
  creator?: number | null
  locked: boolean
  settings: Settings
  people: Record<string, Person>
  faces: Record<string, number>
  race: Race
  past: Record<string, PastRace>
  match?: Match
  tournament?: Tournament | null
  chat: Record<string, ChatLine>
  muted: Record<string, string>
  removed: Record<string, string>
  arena?: string
  challenge?: Challenge
  circle?: Circle
}

/** The settings that hold for every racer. */
export interface Settings {
  game: string
  time_limit: number
  undo: 'free' | 'none' | 'turned'
  late: 'join' | 'refuse' | 'watch'
  deal: string
  seats: number
  public: boolean
  countdown: number
  auto_start: boolean
  watching: 'everyone' | 'link' | 'nobody'
  watch: 'delayed' | 'frontier' | 'open' | 'progress'
  after_win: number
  hints: boolean
  seeking: boolean
  delay: number
  best_of: 1 | 3 | 5 | 7
}

/** A person or a bot at a seat of the room. */
export interface Person {
  name: string
  bot: boolean
  here: boolean
  ready: boolean
  since: number
  away_at?: number | null
}

/** The current race. */
export interface Race {
  number: number
  game: string
  commitment?: string | null
  promise?: DealPromise | null
  starts_at?: number | null
  ends_at?: number | null
  commitments: Record<string, string>
  nonces: Record<string, string>
  over_at?: number | null
  secret?: string | null
  stars?: number | null
  leaf?: number | null
  path?: string[] | null
  source?: [string, number] | null
  ended_by?: number
  day?: number
  agreed: number[]
  aside: Record<string, number>
  racers: Record<string, Racer>
  predicted?: Record<string, number>
}

/** The server's signature of the commitment for this race. */
export interface DealPromise {
  at: number
  key: string
  signature: string
}

/** A seat in the race. */
export interface Racer {
  name: string
  state: 'done' | 'racing' | 'did_not_start' | 'disqualified' | 'gave_up' | 'solved' | 'stuck' | 'timed_out'
  gave_up_at?: number | null
  finished_at?: number | null
  home?: number | null
  moves?: number | null
  reached_at?: number | null
  place?: number | null
}

/** An earlier race. */
export interface PastRace {
  game: string
  places: PastPlace[]
}

/** How an earlier race went for one racer; `ms`: since the start. */
export type PastPlace = [seat: number, name: string, place: number | null, state: 'done' | 'racing' | 'did_not_start' | 'disqualified' | 'gave_up' | 'solved' | 'stuck' | 'timed_out', home: number, moves: number, ms: number]

/** A match; `first_to`: how many races win it; `wins`: by seat; `winner`: a seat, once one has won it. */
export interface Match {
  first_to: number
  wins: Record<string, [string, number]>
  winner?: number | null
}

/** A tournament; `round`: the one that is drawn, runs or was last, 0 before the first. */
export interface Tournament {
  plan: Plan
  phase: 'drawn' | 'entry' | 'over' | 'pause' | 'racing'
  paused: boolean
  round: number
  rounds_planned: number
  next_at?: number | null
  again: boolean
  may_enter: boolean
  closed?: 'closed' | 'full' | null
  closes_at?: number | null
  check_in?: CheckIn | null
  entrants: Record<string, Entrant>
  co_hosts: number[]
  rounds: Record<string, Round>
  standings: Standing[]
  tiebreaks: string[]
  desk: AuditEntry[]
  undo?: number | null
  announcement?: Announced | null
  unfinished: [number, number][]
  half_byes: Record<string, number[]>
  teams?: TeamStanding[]
  arena?: Arena
  brackets?: Brackets
  next_stage?: Stage
  groups?: number[][]
  coming?: Record<string, number>
}

/** The settings of a whole tournament. */
export interface Plan {
  name: string
  about: string
  format: 'arena' | 'double' | 'knockout' | 'points' | 'roundrobin' | 'swiss'
  rounds: number
  points: number[]
  tiebreaks?: ('beaten' | 'best' | 'buchholz' | 'buchholz_cut1' | 'direct' | 'home' | 'last' | 'par' | 'solved' | 'sonneborn' | 'wins')[] | null
  ladder: Partial<Settings>[]
  third_place: boolean
  second_final: boolean
  groups: number
  advance?: number | null
  starts_at?: number | null
  by_timer: boolean
  pause: number
  entry: 'list' | 'open' | 'password'
  spectators: 'open' | 'password'
  listed: string[] | number
  listed_teams: string[] | number
  links_only: boolean
  most?: number | null
  entry_closes?: number | null
  check_in: number
  late?: number | null
  team_size: number
  team_most?: number | null
  apart: string[][] | number
  half_byes: number
  half_byes_until?: number | null
  no_show: number
  deadly: boolean
  blind: boolean
  quiet: boolean
  minutes: number
  race_size: number
  streak: number
}

/** Check-in before the first round; `opens`, `ends`: null while unknown; `here`: present entrants by seat. */
export interface CheckIn {
  opens?: number | null
  ends?: number | null
  over: boolean
  here: Record<string, boolean>
}

/** An entrant of a tournament. */
export interface Entrant {
  name: string
  since: number
  state: 'disqualified' | 'in' | 'withdrawn'
  reason: string
  team: string
  board: number
}

/** A round of a tournament; `races`: the numbers of those that count; `results`: by seat, once it is over. */
export interface Round {
  game: string
  races: number[]
  pairs: [number, number][]
  byes: number[]
  state: 'confirmed' | 'drawn' | 'played' | 'racing' | 'skipped'
  results: Record<string, RoundResult>
  corrections?: Correction[]
  half_byes?: number[]
  lost?: number[]
  stage?: Stage
  walkovers?: [number, number][]
}

/** How a round went for one entrant. */
export type RoundResult = [place: number | null, state: 'done' | 'racing' | 'did_not_start' | 'disqualified' | 'gave_up' | 'solved' | 'stuck' | 'timed_out', home: number, moves: number, ms: number, points: number | null]

/** The points of an entrant in a round, set by a host; in a pair 1 for a win, 0.5 for a tie. */
export type Correction = [seat: number, value: number, reason: string]

/** The name of a round of a bracket; `number`: of entrants left in a knock-out, otherwise of the round. */
export type Stage = [name: 'final' | 'last' | 'low' | 'lower' | 'quarter' | 'second' | 'semi' | 'up' | 'upper', number: number]

/** One row of the standings, best first. */
export type Standing = [place: number | null, seat: number, score: number, tiebreaks: number[]]

/** An audit entry: a public action of a host. */
export type AuditEntry = [at: number, by: number | null, what: string, about: number | null, reason: string, undone?: boolean]

/** An announcement of a host. */
export type Announced = [at: number, text: string]

/** One row of the standings of the teams, best first. */
export type TeamStanding = [place: number | null, team: string, score: number, tiebreaks: number[]]

/** An arena. */
export interface Arena {
  opened_at?: number | null
  closes_at?: number | null
  under_way: Record<string, Heat>
  ended: Record<string, HeatResult>
  sheets: Record<string, Sheet>
  racing: Record<string, number>
}

/** A race of an arena that is under way, in a separate room; `at`: when its racers were matched. */
export type Heat = [code: string, at: number, seats: number[], game: string]

/** A race of an arena that is over; of each racer the seat, the place, how it ended, and the cards home. */
export type HeatResult = [code: string, game: string, racers: [number, number | null, 'done' | 'racing' | 'did_not_start' | 'disqualified' | 'gave_up' | 'solved' | 'stuck' | 'timed_out', number][], skipped: boolean, corrections: Correction[]]

/** The results of an entrant of an arena; `row`: wins in a row; `last`: the points of the last race. */
export type Sheet = [points: number, races: number, wins: number, row: number, solved: number, home: number, last: number]

/** The levels of each bracket, from the first on; `third`: the match for third place. */
export interface Brackets {
  winners: Record<string, Level>
  losers: Record<string, Level>
  third?: BracketMatch | null
}

/** The matches of a bracket at the same distance from its final. */
export interface Level {
  stage: Stage
  matches: BracketMatch[]
}

/** A match of a bracket; `round`: 0 before it is drawn. */
export type BracketMatch = [round: number, one: number | null, other: number | null, winner: number | null]

/** A line of chat. */
export interface ChatLine {
  seat: number
  name: string
  at: number
  text: string
  face: number
}

/** A challenge, by the guest `name`; or the deal of a `day` (its number and its stars), without a challenger. */
export interface Challenge {
  name: string
  result?: TryRow | null
  ghost: [number, number][]
  opens_at: number
  closes_at: number
  closed: boolean
  locked: boolean
  tries: number
  day?: [number, number] | null
  race?: [string, number] | null
  finished?: number
  median?: TryRow | null
  best?: Record<string, TryRow>
}

/** A result of a challenge. */
export type TryRow = [name: string, code: string, state: 'did_not_start' | 'disqualified' | 'gave_up' | 'solved' | 'stuck' | 'timed_out', when: number, home: number, moves: number, reached_at: number]

/** A circle, how many members it has, and whether nobody can join. */
export interface Circle {
  name: string
  count: number
  closed: boolean
  counted?: number
  leader?: number | null
  members?: Record<string, Member>
  deals?: Record<string, number>
  races?: Record<string, [number, number]>
  scores?: Score[]
}

/** A member of a circle. */
export type Member = [name: string, leads: boolean, gone: boolean]

/** The first places of members, by number, in a `day`, a `challenge` (its room) or a `race` (CODE/RACE). */
export type Score = [kind: 'challenge' | 'day' | 'race', key: string, at: number, rows: [number, number][]]

export type ToClient =
  /** The answer to hello: protocol version, a fresh guest token, the server's clock (ms), its software version. */
  | [tag: 'welcome', v: number, token: string, now: number, software: string, several?: boolean]
  /** The answer to ping: the client's number, and the clock of the room, or else of the server (ms). */
  | [tag: 'pong', t: number, now: number]
  /** Command `c` was carried out, and is on disk. */
  | [tag: 'ok', c: number]
  /** Command `c` was understood but is not allowed. */
  | [tag: 'refused', c: number, code: string, message: string, parameters?: Record<string, number | string>]
  /** The whole room: its epoch, the length of its log, the receiver's seat, the public view, and its clock (ms). */
  | [tag: 'room', epoch: string, n: number, seat: number, view: View, now: number]
  /** A change of the view, as a JSON merge patch (RFC 7396). */
  | [tag: 'patch', n: number, patch: Record<string, unknown>, now: number]
  /** The player's own board: the columns as dealt, and every move with the cards that it revealed. */
  | [tag: 'board', race: number, start: string[], moves: [string, string][]]
  /** An entry of the player's own log is on disk. */
  | [tag: 'moved', race: number, n: number, text: string, turned: string]
  /** The move sent as number `n` was refused. */
  | [tag: 'unmoved', race: number, n: number, at: number, code: string, message: string, parameters?: Record<string, number | string>]
  /** Progress of the racers with new progress: seat, moves, cards home, cards in the stock. */
  | [tag: 'progress', race: number, rows: [number, number, number, number][]]
  /** All that a spectator may see now: the columns as dealt (null: not yet), and entries of each seat's log. */
  | [tag: 'gallery', race: number, policy: string, start: string[] | null, logs: [number, [string, string][]][]]
  /** More of the boards: the seat, how many entries were already shown, and the next ones. */
  | [tag: 'shown', race: number, logs: [number, number, [string, string][]][]]
  /** Why no more is shown: how many stock cards all active racers have drawn. */
  | [tag: 'hidden', race: number, stock: number]
  /** How the race went so far: by seat, the ms since the start and the cards home since then. */
  | [tag: 'history', race: number, rows: [number, [number, number][]][]]
  /** The entry list of a tournament, for a host that asked for it. */
  | [tag: 'entry_list', rows: [string, number | null, string, string][]]
  /** The number of spectators. */
  | [tag: 'watchers', count: number]
  /** How many of each of the signs (`to_server.SIGNS`) came just now, and those of racers: the seat, and which sign. */
  | [tag: 'reactions', counts: number[], racers?: [number, number][]]
  /** For the host only: groups of seats that shared an address, and seats that drew through the stock before they moved more than a few cards. */
  | [tag: 'reviewed', race: number, shared: number[][], only_drew: number[]]
  /** A challenge or a circle was opened: its room. */
  | [tag: 'challenged', code: string]
  /** The receiver's try of a challenge: its number and its room; once it has a result, its place, if it has one. */
  | [tag: 'own_try', number: number, code: string, place: number | null]
  /** Something to tell the player. */
  | [tag: 'notice', code: string, message: string]

export type Command =
  /** Open a room and take a seat in it. */
  | [tag: 'create', c: number, name: string, settings: Partial<Settings>, bot?: boolean, plan?: Partial<Plan> | null, password?: string, face?: number | null, circle?: string]
  /** Take a seat in a room, or return to it. */
  | [tag: 'join', c: number, code: string, name: string, resume?: [epoch: string, race: number, moves: number, n?: number] | null, bot?: boolean, password?: string, ticket?: string, face?: number | null]
  /** Enter a room as a spectator. */
  | [tag: 'watch', c: number, code: string, name: string, password?: string, face?: number | null, projector?: boolean]
  /** Open a challenge on the deal of a finished race in which this guest raced: friends race on it at any time. */
  | [tag: 'challenge', c: number, code: string, race: number, days: number, circle?: string]
  /** Open a circle: a group with a table of its own. */
  | [tag: 'found', c: number, title: string, name: string, face?: number | null]
  /** A spectator of a circle joins it, or leaves it. */
  | [tag: 'membership', c: number, do_: 'appoint' | 'dismiss' | 'drop' | 'join' | 'leave' | 'remove', number?: number, name?: string, face?: number | null, deal?: string]
  /** A member that leads changes the circle: its name, how many of the best scores of a member count (0: all), and whether nobody can join. */
  | [tag: 'change_circle', c: number, title: string, counted: number, closed?: boolean]
  /** A spectator of a challenge begins the one try, or asks which room it has. */
  | [tag: 'try', c: number, name: string, face?: number | null, password?: string]
  /** The owner of a challenge changes how long it is open, or the password for a try. */
  | [tag: 'change_challenge', c: number, days: number, password?: string | null]
  /** The owner of a challenge removes the result of a try. */
  | [tag: 'remove_try', c: number, number: number]
  /** Host: change some settings. */
  | [tag: 'settings', c: number, settings: Partial<Settings>]
  /** Become ready. */
  | [tag: 'ready', c: number, commitment: string]
  /** Sent when the countdown has begun: the nonce (16 bytes in hexadecimal) to which one committed, for the deal. */
  | [tag: 'reveal', c: number, nonce: string]
  /** Become unready. */
  | [tag: 'unready', c: number]
  /** Host: start the countdown for all present or ready players. */
  | [tag: 'start', c: number]
  /** Host: stop or allow new players. */
  | [tag: 'lock', c: number, locked: boolean]
  /** Host: remove a player for good. */
  | [tag: 'kick', c: number, seat: number, hold?: boolean]
  /** Host: make another player the host. */
  | [tag: 'host', c: number, seat: number]
  /** Host: add a house bot. */
  | [tag: 'bot', c: number, level: number]
  /** Send a chat message to the room. */
  | [tag: 'chat', c: number, key: string, text: string]
  /** Hosts: mute the author of this chat message (`on`), or end that. */
  | [tag: 'mute', c: number, line: number, on: boolean]
  /** Host: let a removed person in again. */
  | [tag: 'admit', c: number, number: number]
  /** Hosts: remove the spectator who wrote this chat message for good. */
  | [tag: 'remove', c: number, line: number, hold?: boolean]
  /** Change the player's name, and the face (nil: as it is). */
  | [tag: 'rename', c: number, name: string, face?: number | null]
  /** Give up the race. */
  | [tag: 'give_up', c: number]
  /** Take giving up back, and go on. */
  | [tag: 'take_back', c: number]
  /** Not in a tournament: a racer would rather end the race, or (`on` false) not. */
  | [tag: 'agree_to_end', c: number, on: boolean]
  /** Not in a tournament: a racer gives up if only they hold back the boards, or (`on` false) does not. */
  | [tag: 'stand_aside', c: number, on: boolean]
  /** Host, not in a tournament: end the race for all active racers, or call off its countdown. */
  | [tag: 'end_race', c: number]
  /** After a race: set up the next one with the same people, and become ready for it as with `Ready`. */
  | [tag: 'rematch', c: number, commitment: string]
  /** From a seat that does not race (any more): show me the boards, or stop. */
  | [tag: 'look', c: number, on: boolean]
  /** Show a sign to all others that do not race. */
  | [tag: 'react', c: number, sign: 'clap' | 'fire' | 'heart' | 'laugh' | 'sad' | 'wow']
  /** Once, and not as a racer: this seat will win the race. */
  | [tag: 'predict', c: number, seat: number]
  /** Host: ask for suspicious facts of a finished race. */
  | [tag: 'review', c: number, race: number]
  /** Leave the room for good. */
  | [tag: 'leave', c: number]
  /** Tournament: enter it or return to it. */
  | [tag: 'enter', c: number, on: boolean]
  /** Tournament: check in before the first round. */
  | [tag: 'check_in', c: number, seat: number]
  /** Tournament, hosts: close registration, or (`open`) open it. */
  | [tag: 'registration', c: number, open: boolean]
  /** Tournament: ask to sit out a round that is not drawn yet, for half a point, or (`on` false) take that back. */
  | [tag: 'half_bye', c: number, seat: number, round: number, on: boolean]
  /** Tournament: choose a team that exists or a new one, before the first draw of that entrant. */
  | [tag: 'team', c: number, seat: number, team: string, board?: number]
  /** Tournament, hosts: change some of the plan. */
  | [tag: 'plan', c: number, plan: Partial<Plan>, password?: string]
  /** Tournament, hosts: act on the next, drawn, running or last round. */
  | [tag: 'round', c: number, do_: 'confirm' | 'end' | 'pause' | 'replay' | 'replay_unfinished' | 'resume' | 'skip' | 'start', reason?: string, round?: number | null]
  /** Tournament, hosts: when the next round starts (ms by the server's clock). */
  | [tag: 'timer', c: number, at: number | null]
  /** Tournament, hosts: disqualify an entrant (`out`), or take that back, with a reason. */
  | [tag: 'judge', c: number, seat: number, out: boolean, reason: string, hold?: boolean]
  /** Tournament, hosts: withdraw an entrant, who may return. */
  | [tag: 'withdraw', c: number, seat: number]
  /** Tournament, hosts: give an entrant another name. */
  | [tag: 'rename_entrant', c: number, seat: number, name: string]
  /** Tournament, hosts: correct the points of an entrant, or of both of a pair, in a finished round, with a reason. */
  | [tag: 'correct', c: number, round: number, given: [number, number | null][], reason: string]
  /** Tournament, hosts: let the pair of this seat race the last round once more, with a reason. */
  | [tag: 'replay_match', c: number, seat: number, reason: string]
  /** Tournament, hosts: in the round that is drawn, let two entrants take each other's position. */
  | [tag: 'swap', c: number, one: number, other: number, against: number]
  /** Tournament, hosts: show an announcement instead of the last one. */
  | [tag: 'announce', c: number, text: string]
  /** Tournament, hosts: take back the last action of hosts since the draw. */
  | [tag: 'undo_deed', c: number, at: number]
  /** Tournament, hosts: ask for the entry list with its seats and personal links. */
  | [tag: 'show_list', c: number]
  /** Tournament, hosts: take a name of the entry list from its seat, and give it a new link. */
  | [tag: 'release', c: number, name: string]
  /** Tournament, host: give a player the host's rights, or take them back. */
  | [tag: 'co_host', c: number, seat: number, on: boolean]

export type ToServer =
  /** The first message: the protocol version, and the guest token if the client has one. */
  | [tag: 'hello', v: number, token?: string | null]
  /** Ask for the server's clock. */
  | [tag: 'ping', t: number]
  /** One entry for the racer's log: a move, or "undo". */
  | [tag: 'move', race: number, n: number, text: string]
  | Command

export type Answer = Extract<ToClient, ['ok' | 'refused', ...any]>
/** The fields of a command after its number. */
export type FieldsOf<T extends Command[0]> = Extract<Command, [T, ...any]> extends [any, any, ...infer F] ? F : never
