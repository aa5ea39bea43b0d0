/** The draft of a tournament in the host's form, and the plan that the form sends to the server. Pure. */
import PLANS from '../../../../../shared/fortythieves/tournament/presets.json' with { type: 'json' }
import { NAME_LENGTH } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { alike, COLUMNS, cellsOf, clubsOf, entrantsOf, partsOf } from './entry-csv.js'
import { KINDS } from './kinds.js'
import { LATEST_START, MOST_APART, MOST_GROUPS, MOST_LISTED, MOST_ROUNDS, POINTS } from './plan-constants.js'

/** @import { Plan, Settings } from '../../protocol/protocol.d.ts' */

/** The draft of a new tournament. A number is NaN if the text is no number. */
export const BLANK = {
  name: '',
  about: '', // a description, prizes, rules
  format: /** @type {Plan['format']} */ ('points'),
  minutes: 60, // this and the next two: of an arena
  race_size: 2,
  streak: 2,
  rounds: 5,
  points: POINTS.join(', '), // as typed: by place, with commas
  tiebreaks: /** @type {NonNullable<Plan['tiebreaks']> | null} */ (null), // in their order; null: the defaults of the format
  games: ['lucas'], // one, or a ladder of them
  third_place: true,
  second_final: true,
  groups: 1,
  advance: /** @type {number | null} */ (null), // how many of each group advance; null: the default
  starts_at: '', // the value of a `datetime-local` field; empty: the host starts it
  by_timer: true,
  pause: 60,
  entry: /** @type {Plan['entry']} */ ('open'),
  password: '',
  spectators: /** @type {'password' | 'open'} */ ('password'), // whether they need the password, if there is one
  listed: '', // a name a line, or a table of comma-separated values
  links_only: false,
  most: /** @type {number | null} */ (null), // entrants; null: no limit
  entry_closes: /** @type {number | null} */ (null), // seconds before the first round; null: not by itself
  check_in: 0, // it ends this many seconds before the first round; 0: there is none
  late: /** @type {number | null} */ (null),
  team_size: 0, // how many of a team count; 0: there are no teams
  team_most: /** @type {number | null} */ (null), // members of a team
  is_apart: false, // whether some entrants are not paired with each other
  apart: '', // a group a line, its names with commas or semicolons
  half_byes: 1, // how many half-point byes an entrant may have
  half_byes_until: /** @type {number | null} */ (null), // the last round for one; null: the last but one
  no_show: 60,
  deadly: false,
  blind: false,
  quiet: false,
  time_limit: 1200,
  undo: /** @type {Settings['undo']} */ ('turned'),
  deal: /** @type {Settings['deal']} */ ('secret'), // of all rounds; an arena has secret ones
  public: false,
  plays: false, // whether the host is an entrant, too
}

/** @typedef {typeof BLANK} Draft */

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

/** What a draft keeps when a preset replaces the rest. */
const KEPT = ['name', 'about', 'entry', 'password', 'spectators', 'listed', 'links_only', 'starts_at', 'deal', 'public', 'plays']

/**
 * A draft from a preset. The name, the entry rule and similar fields stay; the others get their defaults.
 * @param {Draft} draft @param {Partial<Draft>} changes @param {string} game replaces an earlier ladder of games @returns {Draft}
 */
export const withPreset = (draft, changes, game) => ({
  ...BLANK,
  ...Object.fromEntries(Object.entries(draft).filter(([key]) => KEPT.includes(key))),
  games: draft.games.length > 1 ? [game] : draft.games,
  ...changes,
})

/** @param {string} text @returns {number[] | null} null: this is no table of points */
export function pointsOf(text) {
  const points = partsOf(text, /[,;\s]+/).map(Number)
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
  entrantsOf(text, Object.fromEntries(COLUMNS.map((column) => [column, t(`tournament.csv.${column}`)])))

/**
 * The groups of names that are not paired with each other. Commas separate the names, unless semicolons do, or the comma is in
 * quotation marks or in one of the names that are `known`.
 * @param {string} text a group a line @param {readonly string[]} [known]
 */
export const groupsOf = (text, known = []) => {
  const names = new Map(known.map((name) => [alike(name), name]))
  return partsOf(text, '\n')
    .map((line) => [...new Set(namesIn(line, names))])
    .filter((group) => group.length)
}

/** @param {string} line @param {ReadonlyMap<string, string>} known */
function namesIn(line, known) {
  const mark = [...'\t;'].find((one) => line.includes(one)) ?? ','
  const parts = (cellsOf(line, mark) ?? line.split(mark)).map((part) => part.trim()).filter(Boolean)
  const names = /** @type {string[]} */ ([])
  for (let at = 0, end = 0; at < parts.length; at = end) {
    end = parts.length
    const from = () => parts.slice(at, end).join(', ')
    while (end > at + 1 && !known.has(alike(from()))) end--
    names.push(known.get(alike(from())) ?? from())
  }
  return names
}

/** The names on the list of a draft, which can be kept apart; of teams, others may be founded. @param {Draft} draft */
const knownIn = ({ entry, listed, ...draft }) => (entry === 'list' && !hasTeams(draft) ? namesOf(listed) : [])

/** The groups that the list keeps apart: entrants of a club, or its teams. @param {Draft} draft */
const clubsIn = ({ entry, listed, ...draft }) =>
  entry === 'list' ? clubsOf(listOf(listed).entrants, hasTeams(draft) ? 'team' : 'name') : []

/** Whether the format allows teams, and the draft has some. @param {{format: Plan['format'], team_size: number}} draft */
const hasTeams = ({ format, team_size: size }) => KINDS[format].hasTeams && size > 0

const MOST_GROUPS_APART = 100 // the most groups that are kept apart

/** The fault of a start time, if any. @param {string} when the value of a `datetime-local` field @param {number} now @returns {'past' | 'far' | null} */
export function startFault(when, now) {
  const at = Date.parse(when)
  if (!(at > now)) return 'past'
  return at > now + LATEST_START ? 'far' : null
}

/** @typedef {'points' | 'rounds' | 'groups' | 'most' | 'teamMost' | 'password' | 'listed' | 'lines' | 'apart' | 'apartMany' | 'apartUnknown' | 'past' | 'far'} Fault */

/** @param {number | null} value @param {number} least @param {number} most */
const isWithin = (value, least, most) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most

/** The faults of a draft, by field. The server finds the others. @param {Draft} draft @param {number} now @returns {Partial<Record<keyof Draft, Fault>>} */
export function faultsOf(draft, now) {
  const { hasRounds, hasSchedule } = KINDS[draft.format]
  const known = knownIn(draft)
  const apart = groupsOf(draft.apart, known)
  const isStrange = known.length > 0 && apart.flat().some((name) => !known.includes(name))
  /** @type {Record<string, Fault | false | null>} */
  const faults = {
    points: !pointsOf(draft.points) && 'points',
    rounds: hasRounds && !hasSchedule && !isWithin(draft.rounds, 1, MOST_ROUNDS) && 'rounds',
    groups: draft.format === 'roundrobin' && !isWithin(draft.groups, 1, MOST_GROUPS) && 'groups',
    most: draft.most !== null && !isWithin(draft.most, 2, MOST_LISTED) && 'most',
    team_most:
      hasTeams(draft) && draft.team_most !== null && !isWithin(draft.team_most, draft.team_size, MOST_LISTED) && 'teamMost',
    password: draft.entry === 'password' && !draft.password && 'password',
    listed: draft.entry === 'list' && (draft.listed.trim() ? listOf(draft.listed).faults.length > 0 && 'lines' : 'listed'),
    starts_at: draft.starts_at ? startFault(draft.starts_at, now) : null,
    apart:
      draft.is_apart &&
      ((apart.some((names) => names.length < 2) && 'apart') ||
        (isTooMuch([...apart, ...clubsIn(draft)]) && 'apartMany') ||
        (isStrange && 'apartUnknown')),
  }
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault))
}

/** Whether these groups are too many or too long for the server. @param {string[][]} groups of names */
const isTooMuch = (groups) =>
  groups.length > MOST_GROUPS_APART ||
  groups.some((names) => names.length > MOST_APART + 1 || names.some((name) => [...name].length > NAME_LENGTH))

/** The plan of a draft. @param {Draft} draft @returns {Partial<Plan>} */
export function planOf(draft) {
  const { hasRounds, hasSchedule } = KINDS[draft.format]
  const { games, is_apart: isApart, password, time_limit: _, undo, deal, public: isPublic, plays, ...plan } = draft
  const isList = draft.entry === 'list'
  return {
    ...plan,
    name: draft.name.trim(),
    about: draft.about.trim(),
    // Some formats ignore this number, so an invalid text does not matter.
    rounds: (hasSchedule || !hasRounds) && !(draft.rounds >= 1 && draft.rounds <= MOST_ROUNDS) ? BLANK.rounds : draft.rounds,
    points: pointsOf(draft.points) ?? [...POINTS],
    ladder: games.length > 1 ? games.map((game) => ({ game })) : [],
    groups: isWithin(draft.groups, 1, MOST_GROUPS) ? draft.groups : BLANK.groups,
    starts_at: draft.starts_at ? Date.parse(draft.starts_at) : null,
    listed: isList ? namesOf(draft.listed) : [],
    listed_teams: isList && hasTeams(draft) ? teamsOf(draft.listed) : [],
    links_only: isList && draft.links_only,
    // Entrants of an arena come and go, and watch each other's races.
    check_in: hasRounds ? draft.check_in : 0,
    team_size: hasTeams(draft) ? draft.team_size : 0,
    team_most: hasTeams(draft) ? draft.team_most : null,
    apart: isApart ? [...groupsOf(draft.apart, knownIn(draft)), ...clubsIn(draft)] : [],
    blind: draft.blind && hasRounds,
    quiet: draft.quiet && hasRounds,
  }
}

/** The password for entry; empty: the draft has none. @param {Draft} draft */
export const passwordOf = ({ entry, password }) => (entry === 'password' ? password : '')

const SEATS = 1000 // the most seats that a room can have, so that all entrants fit
const AFTER_WIN = 60 // seconds for the others after the first win in a race of an arena

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

/** The draft of an existing plan. Its lists of names are secret. @param {Plan} plan @param {Settings} settings @returns {Draft} */
export const draftOf = ({ listed, ...plan }, settings) => ({
  .../** @type {Draft} */ (
    Object.fromEntries(Object.entries(BLANK).map(([key, usual]) => [key, /** @type {any} */ (plan)[key] ?? usual]))
  ),
  points: plan.points.join(', '),
  games: plan.ladder?.length ? plan.ladder.map((row) => row.game ?? settings.game) : [settings.game],
  deal: settings.deal,
  starts_at: localTime(plan.starts_at),
  is_apart: Number(plan.apart) > 0,
  apart: '',
})

/** A draft with the plan of an event, without its people: no list, no start. @param {Plan} plan @param {Settings} settings @returns {Draft} */
export const copyOf = (plan, settings) => ({
  ...draftOf(plan, settings),
  starts_at: '',
  time_limit: settings.time_limit,
  undo: settings.undo,
  public: settings.public,
})

/**
 * The changes of a plan. Lists of names are secret, so an empty list changes nothing. But a host can remove the groups that are
 * kept apart.
 * @param {Draft} before @param {Draft} after @returns {Partial<Plan>}
 */
export function changesOf(before, after) {
  const [was, is] = [planOf(before), planOf(after)]
  const changed = Object.entries(is).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(was[/** @type {keyof Plan} */ (key)]),
  )
  const changes = Object.fromEntries(
    changed.filter(([key]) => !['listed', 'listed_teams'].includes(key) || namesOf(after.listed).length),
  )
  return before.is_apart && !after.is_apart ? { ...changes, apart: [] } : changes
}
