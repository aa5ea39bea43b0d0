/** The draft of a tournament in the host's form, and the plan that the form sends to the server. Pure. */

import { NAME_LENGTH } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { clubsOf, entrantsOf } from './entry-csv.js'
import { KINDS } from './kinds.js'
import { LATEST_START, MOST_APART, MOST_GROUPS, MOST_LISTED, MOST_ROUNDS, PRESETS as PLANS, POINTS } from './plan-constants.js'

/** @import { Plan, Settings } from '../../protocol/protocol.d.ts' */

/**
 *
 * @typedef {object} Draft
 * @property {string} name
 * @property {string} about a description, prizes, rules.
 * @property {Plan['format']} format
 * @property {number} minutes of an arena.
 * @property {number} race_size of an arena.
 * @property {number} streak of an arena.
 * @property {number} rounds NaN: the text is no number.
 * @property {string} points as typed: by place, with commas.
 * @property {Plan['tiebreaks']} tiebreaks in their order; null: the defaults of the format.
 * @property {string[]} games one, or a ladder of them.
 * @property {boolean} third_place
 * @property {boolean} second_final
 * @property {number} groups NaN: the text is no number.
 * @property {number | null} advance how many of each group advance; null: the default.
 * @property {string} starts_at the value of a `datetime-local` field; empty: the host starts it.
 * @property {boolean} by_timer
 * @property {number} pause
 * @property {Plan['entry']} entry
 * @property {string} password
 * @property {'password' | 'open'} spectators whether they need the password, if there is one.
 * @property {string} listed a name a line, or a table of comma-separated values.
 * @property {boolean} links_only
 * @property {number | null} most entrants; NaN: the text is no number.
 * @property {number | null} entry_closes seconds before the first round; null: not by itself.
 * @property {number} check_in ends this many seconds before the first round; 0: there is none.
 * @property {number | null} late
 * @property {number} team_size how many of a team count; 0: there are no teams.
 * @property {number | null} team_most members of a team; NaN: the text is no number.
 * @property {boolean} is_apart whether some entrants are not paired with each other.
 * @property {string} apart a group a line, its names with commas.
 * @property {number} half_byes how many half-point byes an entrant may have.
 * @property {number | null} half_byes_until the last round for one; null: the last but one.
 * @property {number} no_show
 * @property {boolean} deadly
 * @property {boolean} blind
 * @property {boolean} quiet
 * @property {number} time_limit
 * @property {Settings['undo']} undo
 * @property {Settings['deal']} deal of all rounds; an arena has secret ones.
 * @property {boolean} public
 * @property {boolean} plays whether the host is an entrant, too.
 */

/** @type {Draft} */
export const BLANK = {
  name: '',
  about: '',
  format: 'points',
  minutes: 60,
  race_size: 2,
  streak: 2,
  rounds: 5,
  points: POINTS.join(', '),
  tiebreaks: null,
  games: ['lucas'],
  third_place: true,
  second_final: true,
  groups: 1,
  advance: null,
  starts_at: '',
  by_timer: true,
  pause: 60,
  entry: 'open',
  password: '',
  spectators: 'password',
  listed: '',
  links_only: false,
  most: null,
  entry_closes: null,
  check_in: 0,
  late: null,
  team_size: 0,
  team_most: null,
  is_apart: false,
  apart: '',
  half_byes: 1,
  half_byes_until: null,
  no_show: 60,
  deadly: false,
  blind: false,
  quiet: false,
  time_limit: 1200,
  undo: 'turned',
  deal: 'secret',
  public: false,
  plays: false,
}

/**
 * @typedef {keyof typeof PLANS} PresetKey
 * @typedef {Partial<Omit<Draft, 'points'>> & {points?: readonly number[], ladder?: readonly {game: string}[]}} Changes of a plan
 */

/** The presets of the server, as changes of a draft. @type {{key: PresetKey, changes: Partial<Draft>}[]} */
export const PRESETS = Object.entries(/** @type {Record<string, Changes>} */ (PLANS)).map(
  ([key, { ladder, points, ...changes }]) => ({
    key: /** @type {PresetKey} */ (key),
    changes: {
      ...changes,
      ...(points && { points: points.join(', ') }),
      ...(ladder && { games: ladder.map(({ game }) => game) }),
      ...(changes.format === 'arena' && { time_limit: 300 }),
    },
  }),
)

/**
 * A draft from a preset. The name, the entry rule and similar fields stay; the others get their defaults.
 *
 * @param {Draft} draft
 * @param {Partial<Draft>} changes
 * @param {string} game replaces an earlier ladder of games
 * @returns {Draft}
 */
export const withPreset = (draft, changes, game) => ({
  ...BLANK,
  name: draft.name,
  about: draft.about,
  games: draft.games.length > 1 ? [game] : draft.games,
  entry: draft.entry,
  password: draft.password,
  spectators: draft.spectators,
  listed: draft.listed,
  links_only: draft.links_only,
  starts_at: draft.starts_at,
  deal: draft.deal,
  public: draft.public,
  plays: draft.plays,
  ...changes,
})

/** @param {string} text @returns {number[] | null} null: this is no table of points */
export function pointsOf(text) {
  const parts = text.split(/[,;\s]+/).filter(Boolean)
  const points = parts.map(Number)
  const good = points.every((value, i) => value >= 0 && value <= 1000 && value <= (points[i - 1] ?? value))
  return good && points.length > 0 && points.length <= 100 ? points : null
}

/** The names of a list, by seed. @param {string} text */
const namesOf = (text) => listOf(text).entrants.map(({ name }) => name)

/** The teams of a list, line by line; none if no line has one. @param {string} text */
function teamsOf(text) {
  const teams = listOf(text).entrants.map(({ team }) => team)
  return teams.some(Boolean) ? teams : []
}

/** The entrants of a list. Its column heads may also be in the language of the page. @param {string} text */
export const listOf = (text) =>
  entrantsOf(text, {
    name: t('tournament.csv.name'),
    team: t('tournament.csv.team'),
    club: t('tournament.csv.club'),
    seed: t('tournament.csv.seed'),
    rating: t('tournament.csv.rating'),
  })

/** The groups of names that are not paired with each other. @param {string} text a group a line, its names with commas */
export const groupsOf = (text) =>
  text
    .split('\n')
    .map((line) => [...new Set(line.split(/[,;]/).map((name) => name.trim()))].filter(Boolean))
    .filter((names) => names.length)

/** The groups that the list keeps apart: entrants of a club, or its teams. @param {Draft} draft */
const clubsIn = ({ entry, listed, ...draft }) =>
  entry === 'list' ? clubsOf(listOf(listed).entrants, hasTeams(draft) ? 'team' : 'name') : []

/** Whether the format allows teams, and the draft has some. @param {{format: Plan['format'], team_size: number}} draft */
const hasTeams = ({ format, team_size: size }) => KINDS[format].hasTeams && size > 0

/** The most groups that are kept apart. */
const MOST_GROUPS_APART = 100

/** The fault of a start time, if any. @param {string} when the value of a `datetime-local` field @param {number} now @returns {'past' | 'far' | null} */
export function startFault(when, now) {
  const at = Date.parse(when)
  if (!(at > now)) return 'past'
  return at > now + LATEST_START ? 'far' : null
}

/** @typedef {'points' | 'rounds' | 'groups' | 'most' | 'teamMost' | 'password' | 'listed' | 'lines' | 'apart' | 'apartMany' | 'past' | 'far'} Fault */

/** The faults of a draft, by field. The server finds the others. @param {Draft} draft @param {number} now @returns {Partial<Record<keyof Draft, Fault>>} */
export function faultsOf(draft, now) {
  /** @type {Partial<Record<keyof Draft, Fault>>} */
  const faults = {}
  if (!pointsOf(draft.points)) faults.points = 'points'
  const isCount = Number.isInteger(draft.rounds) && draft.rounds >= 1 && draft.rounds <= MOST_ROUNDS
  const { hasRounds, hasSchedule } = KINDS[draft.format]
  if (hasRounds && !hasSchedule && !isCount) faults.rounds = 'rounds'
  if (draft.format === 'roundrobin' && !isGroupCount(draft.groups)) faults.groups = 'groups'
  const { most } = draft
  if (most !== null && !(Number.isInteger(most) && most >= 2 && most <= MOST_LISTED)) faults.most = 'most'
  const { team_most: members } = draft
  const isLarge = Number.isInteger(members) && (members ?? 0) >= draft.team_size && (members ?? 0) <= MOST_LISTED
  if (hasTeams(draft) && members !== null && !isLarge) faults.team_most = 'teamMost'
  if (draft.entry === 'password' && !draft.password) faults.password = 'password'
  if (draft.entry === 'list') {
    if (!draft.listed.trim()) faults.listed = 'listed'
    else if (listOf(draft.listed).faults.length) faults.listed = 'lines'
  }
  const fault = draft.starts_at ? startFault(draft.starts_at, now) : null
  if (fault) faults.starts_at = fault
  if (draft.is_apart) {
    if (groupsOf(draft.apart).some((names) => names.length < 2)) faults.apart = 'apart'
    else if (isTooMuch([...groupsOf(draft.apart), ...clubsIn(draft)])) faults.apart = 'apartMany'
  }
  return faults
}

/** Whether these groups are too many or too long for the server. @param {string[][]} groups of names */
const isTooMuch = (groups) =>
  groups.length > MOST_GROUPS_APART ||
  groups.some((names) => names.length > MOST_APART + 1 || names.some((name) => [...name].length > NAME_LENGTH))

/** @param {number} groups */
const isGroupCount = (groups) => Number.isInteger(groups) && groups >= 1 && groups <= MOST_GROUPS

/** The plan of a draft. @param {Draft} draft @returns {Partial<Plan>} */
export function planOf(draft) {
  const { hasRounds, hasSchedule } = KINDS[draft.format]
  return {
    name: draft.name.trim(),
    about: draft.about.trim(),
    format: draft.format,
    minutes: draft.minutes,
    race_size: draft.race_size,
    streak: draft.streak,
    // Some formats ignore this number, so an invalid text does not matter.
    rounds: (hasSchedule || !hasRounds) && !(draft.rounds >= 1 && draft.rounds <= MOST_ROUNDS) ? BLANK.rounds : draft.rounds,
    points: pointsOf(draft.points) ?? [...POINTS],
    tiebreaks: draft.tiebreaks ?? null,
    ladder: draft.games.length > 1 ? draft.games.map((game) => ({ game })) : [],
    third_place: draft.third_place,
    second_final: draft.second_final,
    groups: isGroupCount(draft.groups) ? draft.groups : BLANK.groups,
    advance: draft.advance,
    starts_at: draft.starts_at ? Date.parse(draft.starts_at) : null,
    by_timer: draft.by_timer,
    pause: draft.pause,
    entry: draft.entry,
    spectators: draft.spectators,
    listed: draft.entry === 'list' ? namesOf(draft.listed) : [],
    listed_teams: draft.entry === 'list' && hasTeams(draft) ? teamsOf(draft.listed) : [],
    links_only: draft.entry === 'list' && draft.links_only,
    most: draft.most,
    entry_closes: draft.entry_closes,
    // Entrants of an arena come and go, and watch each other's races.
    check_in: hasRounds ? draft.check_in : 0,
    late: draft.late,
    team_size: hasTeams(draft) ? draft.team_size : 0,
    team_most: hasTeams(draft) ? draft.team_most : null,
    apart: draft.is_apart ? [...groupsOf(draft.apart), ...clubsIn(draft)] : [],
    half_byes: draft.half_byes,
    half_byes_until: draft.half_byes_until,
    no_show: draft.no_show,
    deadly: draft.deadly,
    blind: draft.blind && hasRounds,
    quiet: draft.quiet && hasRounds,
  }
}

/** The password for entry; empty: the draft has none. @param {Draft} draft */
export const passwordOf = ({ entry, password }) => (entry === 'password' ? password : '')

/** The most seats that a room can have, so that all entrants fit. */
const SEATS = 1000

/** Seconds for the others after the first win in a race of an arena. */
const AFTER_WIN = 60

/** The settings of the room. @param {Draft} draft @returns {Partial<Settings>} */
export const settingsOf = (draft) => ({
  game: draft.games[0] ?? 'lucas',
  time_limit: draft.time_limit,
  undo: draft.undo,
  public: draft.public,
  seats: SEATS,
  // A finished racer of an arena waits for the others.
  ...(KINDS[draft.format].hasRounds ? { deal: draft.deal } : { after_win: AFTER_WIN }),
})

/** The value of a `datetime-local` field, in local time. @param {number | null | undefined} at */
export function localTime(at) {
  if (at == null) return ''
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The draft of an existing plan. @param {Plan} plan @param {Settings} settings @returns {Draft} */
export const draftOf = (plan, settings) => ({
  ...BLANK,
  name: plan.name,
  about: plan.about,
  format: plan.format,
  minutes: plan.minutes,
  race_size: plan.race_size,
  streak: plan.streak,
  rounds: plan.rounds,
  points: plan.points.join(', '),
  tiebreaks: plan.tiebreaks ?? null,
  games: plan.ladder?.length ? plan.ladder.map((row) => row.game ?? settings.game) : [settings.game],
  deal: settings.deal,
  third_place: plan.third_place,
  second_final: plan.second_final,
  groups: plan.groups ?? 1,
  advance: plan.advance ?? null,
  starts_at: localTime(plan.starts_at),
  by_timer: plan.by_timer,
  pause: plan.pause,
  entry: plan.entry,
  spectators: plan.spectators ?? 'password',
  links_only: plan.links_only ?? false,
  most: plan.most ?? null,
  entry_closes: plan.entry_closes ?? null,
  check_in: plan.check_in ?? 0,
  late: plan.late ?? null,
  team_size: plan.team_size ?? 0,
  team_most: plan.team_most ?? null,
  is_apart: Number(plan.apart) > 0,
  half_byes: plan.half_byes,
  half_byes_until: plan.half_byes_until ?? null,
  no_show: plan.no_show,
  deadly: plan.deadly,
  blind: plan.blind,
  quiet: plan.quiet ?? false,
})

/** @param {string} key */
const isOfList = (key) => key === 'listed' || key === 'listed_teams'

/**
 * The changes of a plan. Lists of names are secret, so an empty list changes nothing. But a host can remove the groups
 * that are kept apart.
 *
 * @param {Draft} before
 * @param {Draft} after
 * @returns {Partial<Plan>}
 */
export function changesOf(before, after) {
  const [was, is] = [planOf(before), planOf(after)]
  const changed = Object.entries(is).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(was[/** @type {keyof Plan} */ (key)]),
  )
  const changes = Object.fromEntries(changed.filter(([key]) => !isOfList(key) || namesOf(after.listed).length))
  return before.is_apart && !after.is_apart ? { ...changes, apart: [] } : changes
}
