/** A tournament in words: its formats, scores, times, and the actions of its hosts. */
import { hasWords, language, say, t } from '../../words/translate.js'
import { clockText, finishText, listText } from '../format.js'
import { placeCell, stateText } from '../race/rule-texts.js'
import { advancing, KINDS, tiebreaksOf } from './kinds.js'
import { TIEBREAKS } from './plan-constants.js'
import { lastHalfBye } from './rounds.js'
import { hasBoards, TEAM_TIEBREAKS } from './team-view.js'

/** @import { Saying } from '../../words/translate.js' */
/** @import { AuditEntry, Plan, RoundResult, Tournament } from '../../protocol/protocol.d.ts' */
/** @import { CheckIn, RoundName } from './rounds.js' */
/** @import { RacerState } from '../race/room-view.js' */
/** @import { GroupCell } from './group-tables.js' */

export const FORMATS = /** @type {const} */ (['points', 'knockout', 'double', 'swiss', 'roundrobin', 'arena'])

/** @param {Plan['format']} format */
export const formatText = (format) => t(`tournament.format.${format}`)

/** A description of a format, in one line. @param {Plan['format']} format */
export const formatLine = (format) => t(`tournament.formatLine.${format}`)

const ALL_TIEBREAKS = [...Object.values(TIEBREAKS), ...Object.values(TEAM_TIEBREAKS)].flat()

/** @typedef {typeof ALL_TIEBREAKS[number]} AnyTiebreak of entrants or of teams */

/** @param {string} key @returns {key is AnyTiebreak} */
const isTiebreak = (key) => ALL_TIEBREAKS.some((one) => one === key)

/** A tie-break in a column's head. @param {string} key */
export const tiebreakName = (key) => (isTiebreak(key) ? t(`tournament.tiebreak.${key}`) : key)

/** A tie-break in full. @param {string} key */
export const tiebreakLine = (key) => (isTiebreak(key) ? t(`tournament.tiebreakLine.${key}`) : '')

/** Tie-breaks, each with its name and in full. @param {readonly string[]} keys */
const tiebreakList = (keys) =>
  listText(keys.map((key) => t('tournament.tiebreaks.one', { name: tiebreakName(key), what: tiebreakLine(key) })))

/** The tie-breaks of teams, in a sentence. @param {Pick<Plan, 'format' | 'team_size'>} plan */
export const teamTiebreakText = (plan) => t('tournament.teams.tiebreaks', { tiebreaks: tiebreakList(teamTiebreaks(plan)) })

/** @param {Pick<Plan, 'format' | 'team_size'>} plan @returns {readonly string[]} */
export const teamTiebreaks = (plan) => TEAM_TIEBREAKS[hasBoards(plan) ? 'swiss' : 'points']

/** The heading of the team standings. @param {Tournament} tournament */
export const teamsTitle = ({ phase }) => (phase === 'over' ? t('tournament.teams.final') : t('tournament.setting.team_size'))

/** The head of the column with the points or wins of a round. @param {Pick<Plan, 'format'>} plan */
export const roundHead = ({ format }) => (KINDS[format].isBracket ? t('tournament.standings.won') : t('tournament.rule.points'))

/** Whether the scores are those of a group. @param {Pick<Plan, 'format' | 'groups' | 'advance'>} plan */
const isOfGroup = (plan) => plan.format === 'roundrobin' && advancing(plan) > 0

/** The head of the column of scores. @param {Plan} plan */
export function scoreHead(plan) {
  if (plan.format === 'double') return t('tournament.standings.passed')
  return isOfGroup(plan) ? t('tournament.standings.inGroup') : roundHead(plan)
}

/** The text in a table for an entrant without a race in a round. @param {'bye' | 'wait' | 'half'} is */
export const byeText = (is) =>
  is === 'half' ? t('tournament.halfBye') : is === 'wait' ? t('tournament.waits') : t('tournament.bye')

/** The same in full. @param {'bye' | 'wait' | 'half'} is */
export const byeFullText = (is) => (is === 'half' ? t('tournament.halfByeFull') : byeText(is))

/** The value of a tie-break. A negative one means that the entrant did not start, except beside par. @param {number} value @param {string} [key] */
export const tiebreakValue = (value, key) => (key === 'par' ? String(value) : scoreText(value < 0 ? null : value))

/** The tie-breaks, in a sentence. @param {Tournament} tournament */
export const tiebreakText = ({ tiebreaks = [] }) =>
  tiebreaks.length ? t('tournament.tiebreaks', { tiebreaks: tiebreakList(tiebreaks) }) : ''

/** A score, with halves as people write them. @param {number | null | undefined} score */
export function scoreText(score) {
  if (score == null) return '–'
  const whole = Math.trunc(score)
  if (score - whole === 0.5) return `${whole || ''}½`
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(score)
}

/** A duel in a cross table: `1`, `½`, `0`, `+` without a race, `(1)` if it does not count. @param {GroupCell} cell */
export function duelText({ is, points, counts }) {
  if (is === 'walkover') return counts ? (points ? '+' : '−') : ''
  if (is !== 'raced') return ''
  return counts ? scoreText(points) : `(${scoreText(points)})`
}

/** The parameters of a sentence with a score and its unit. A part of one takes the singular: ½ point. @param {number} score */
export const scored = (score) => ({ score: scoreText(score), count: score > 0 && score < 1 ? 1 : score })

/** A score with its unit. @param {Plan} plan @param {number} score */
export function pointsText(plan, score) {
  // The winner of the race for third place has half a round more, for a place between the others.
  if (plan.format === 'knockout') return t('tournament.roundsWon', scored(Math.floor(score)))
  if (plan.format === 'double') return t('tournament.roundsPassed', scored(score))
  return isOfGroup(plan) ? t('tournament.pointsInGroup', scored(score)) : t('tournament.points', scored(score))
}

/** An entrant's result in a round. @param {RoundResult} result */
export function resultText([, state, home, , ms]) {
  if (state === 'solved' && ms != null) return finishText(ms)
  if (state === 'did_not_start' || state === 'disqualified') return stateText(state)
  return t('tournament.cards', { count: home })
}

/** How a race of a round ended: a host may have ended it. @param {Tournament} tournament @param {number} round @param {RacerState} state */
export const endText = ({ desk = [] }, round, state) =>
  state === 'timed_out' && desk.some(([, , what, about, , undone]) => what === 'round_stopped' && about === round && !undone)
    ? t('tournament.rounds.ended')
    : stateText(state)

/** The round of a knock-out with this number of entrants left. @param {number} number @returns {RoundName} */
export const cupRound = (number) => ({
  stage: /** @type {const} */ ({ 2: 'final', 4: 'semi', 8: 'quarter' })[number] ?? 'last',
  number,
})

/** @param {RoundName} name */
export const roundText = (name) => t('tournament.round', name)

/** Of the next round, too. @param {Tournament} tournament @param {number} number @returns {RoundName} */
export function roundName({ round, rounds = {}, next_stage: next }, number) {
  const [stage, left] = (number > round ? next : rounds[number]?.stage) ?? ['round', number]
  return { stage, number: left }
}

/** The entry rule. @param {Pick<Plan, 'entry'> & {links_only?: boolean}} plan */
export const entryText = ({ entry, links_only: linksOnly }) =>
  entry === 'list' && linksOnly ? t('tournament.entry.linksOnly') : t(`tournament.entry.${entry}`)

/** Until which round an entrant may still enter. @param {Plan} plan */
export function lateText({ format, late, rounds }) {
  const { hasRounds, hasSchedule } = KINDS[format]
  if (!hasRounds) return t('tournament.rule.lateArena')
  const last = hasSchedule ? 0 : Math.min(late ?? Math.floor(rounds / 2), rounds - 1)
  return last === 0 ? t('tournament.late.never') : t('tournament.late.until', { round: last })
}

/** A length of time. @param {number} seconds */
export function lengthText(seconds) {
  if (seconds % 3600 === 0 && seconds > 0) return t('tournament.hours', { count: seconds / 3600 })
  if (seconds % 60 === 0) return t('race.minutes', { count: seconds / 60 })
  return seconds < 120 ? t('race.seconds', { count: seconds }) : t('race.minutesAndSeconds', { time: clockText(seconds * 1000) })
}

/** All rules of a tournament. @param {Plan} plan @returns {[term: string, text: string][]} */
export function planRules(plan) {
  const { format, streak, team_size: count, team_most: members, most, entry_closes: closes } = plan
  const { hasRounds, hasSchedule, givesPoints, isBracket } = KINDS[format]
  const isGroups = format === 'roundrobin'
  const hasThird = plan.third_place && (format === 'knockout' || isOfGroup(plan))
  const lastHalf = lastHalfBye(plan)
  const noShow = { time: lengthText(plan.no_show) }
  /** @type {([string, string] | false | 0 | null | undefined)[]} */
  const rules = [
    [t('tournament.rule.format'), formatLine(format)],
    !hasRounds && [t('tournament.rule.arena'), t('tournament.rule.arenaText', { minutes: plan.minutes, size: plan.race_size })],
    !hasRounds && streak > 0 && [t('tournament.rule.streak'), t('tournament.rule.streakText', { count: streak })],
    hasRounds && !hasSchedule && [t('tournament.setting.rounds'), t('tournament.rule.roundsText', { count: plan.rounds })],
    givesPoints && [
      t('tournament.rule.points'),
      t('tournament.rule.pointsText', { points: plan.points.map(scoreText).join(', ') }),
    ],
    isGroups && [t('tournament.setting.groups'), t('tournament.rule.groupsText', { count: plan.groups ?? 1 })],
    isOfGroup(plan) && [t('tournament.rule.advance'), t('tournament.rule.advanceText', { count: advancing(plan) })],
    hasThird && [t('tournament.rule.third'), t('tournament.rule.thirdText')],
    format === 'double' && [
      t('tournament.rule.secondFinal'),
      plan.second_final ? t('tournament.rule.secondFinalText') : t('tournament.rule.noSecondFinal'),
    ],
    !isBracket && [t('tournament.plan.tiebreaks'), listText(tiebreaksOf(plan).map(tiebreakName))],
    format === 'swiss' &&
      Number(plan.apart) > 0 && [t('tournament.rule.apart'), t('tournament.rule.apartText', { count: Number(plan.apart) })],
    count > 0 && [
      t('tournament.setting.team_size'),
      hasBoards(plan) ? t('tournament.rule.teamsSwiss', { count }) : t('tournament.rule.teamsPoints', { count }),
    ],
    count > 0 && members != null && [t('tournament.setting.team_most'), t('tournament.teams.members', { count: members })],
    lastHalf > 0 && [
      t('tournament.setting.half_byes'),
      t('tournament.rule.halfByesText', { count: plan.half_byes, round: lastHalf }),
    ],
    hasRounds && [
      t('race.rule.start'),
      plan.by_timer ? t('tournament.start.byTimer', { pause: lengthText(plan.pause) }) : t('tournament.start.byHost'),
    ],
    [t('tournament.rule.entry'), entryText(plan)],
    [t('tournament.setting.late'), lateText(plan)],
    most != null && [t('tournament.setting.most'), t('tournament.entrants', { count: most })],
    closes != null && [
      t('tournament.setting.entry_closes'),
      closes ? t('tournament.rule.closesText', { time: lengthText(closes) }) : t('tournament.plan.atStart'),
    ],
    hasRounds &&
      plan.check_in > 0 && [
        t('tournament.setting.check_in'),
        t('tournament.rule.checkInText', { time: lengthText(plan.check_in) }),
      ],
    plan.entry === 'password' && [t('race.rule.watching'), t(`tournament.rule.watchText.${plan.spectators}`)],
    [t('tournament.rule.noShow'), hasRounds ? t('tournament.rule.noShowText', noShow) : t('tournament.rule.noShowArena', noShow)],
    plan.deadly && [t('tournament.deadly'), t('tournament.rule.deadlyText')],
    plan.blind && [t('tournament.blind'), t('tournament.rule.blindText')],
    plan.quiet && [t('race.chat.title'), t('tournament.rule.quietText')],
  ]
  return rules.filter((rule) => Array.isArray(rule))
}

const OUT = /** @type {const} */ (['left', 'no_show', 'host', 'released', 'check_in'])

/** Why an entrant is out. Some reasons are codes, and a host writes others. @param {string} reason */
export function whyOut(reason) {
  const known = OUT.find((one) => one === reason)
  return known ? t(`tournament.out.${known}`) : reason
}

/**
 * An action of a host: the host, the action, and its subject. Some have another text in an arena, without a host or without a
 * reason.
 * @param {AuditEntry} deed @param {(seat: number) => string} nameOf
 * @param {boolean} [isArena] where a round is a race, and the actions are about the arena @returns {Saying}
 */
export function deedSaying([, by, what, about, reason], nameOf, isArena = false) {
  const host = { name: nameOf(by ?? 0) }
  const name = { name: what === 'renamed' || what === 'released' ? reason : nameOf(about ?? 0) }
  const round = what === 'half_bye' || what === 'no_half_bye' ? Number(reason) : (about ?? 0)
  const ids = [
    isArena && `tournament.deed.arena.${what}`,
    by == null && `tournament.deed.itself.${what}`,
    !reason && `tournament.deed.empty.${what}`,
    `tournament.deed.${what}`,
  ]
  const id = ids.filter((one) => one !== false).find(hasWords)
  if (!id) return say('tournament.deed.unknown', { host, what })
  return { id, with: { host, name, round, reason, text: { name: reason }, count: Number(reason) } }
}

/** A host may write a reason for these actions. */
const EXPLAINED = ['skipped', 'annulled', 'disqualified', 'reinstated', 'corrected', 'match_annulled', 'round_stopped']

/** The host's reason for an action; empty: none is given. @param {AuditEntry} deed */
export const reasonOf = ([, by, what, , reason]) => (by != null && EXPLAINED.includes(what) ? reason : '')

const TIME = /** @type {const} */ ({ hour: '2-digit', minute: '2-digit' })

/** @param {number} at ms */
export const timeText = (at) => new Date(at).toLocaleTimeString(language(), TIME)

/** A day and a time, the day only if it is not today. @param {number} at ms @param {number} now */
export function whenText(at, now) {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return timeText(at)
  return new Date(at).toLocaleString(language(), { weekday: 'short', day: 'numeric', month: 'short', ...TIME })
}

/** The state of check-in; empty: there is none. @param {CheckIn | null} checkIn @param {number} now */
export function checkInText(checkIn, now) {
  if (!checkIn) return ''
  const { is, at } = checkIn
  if (is === 'over') return t('tournament.checkIn.over')
  if (is === 'unknown') return t('tournament.checkIn.unknown')
  if (is === 'later') return t('tournament.checkIn.later', { when: whenText(at, now) })
  return t('tournament.checkIn.open', { time: clockText(Math.max(0, at - now + 999)) })
}

/** The stage of a tournament, in one line. @param {Tournament} tournament */
export function stageText(tournament) {
  const { phase, round, rounds_planned: planned, plan, paused, again, rounds } = tournament
  if (phase === 'over') return t('tournament.stage.over')
  if (!KINDS[plan.format].hasRounds && phase === 'racing') {
    return paused ? t('tournament.stage.arenaPaused') : t('tournament.stage.arena')
  }
  const isPlayedOn = again && rounds?.[round]?.races?.length
  const isSkipped = phase === 'pause' && rounds?.[round]?.state === 'skipped'
  // A racer in a further race has no result that counts.
  const isReplayed = rounds?.[round]?.pairs?.some((pair) => pair.every((seat) => !rounds[round].results?.[seat]))
  const is = phase === 'pause' && again ? (isPlayedOn ? (isReplayed ? 'match' : 'tie') : 'again') : isSkipped ? 'skipped' : phase
  const parts = [t(`tournament.stage.${is}`)]
  if (phase !== 'entry') {
    const count = Math.max(planned, round)
    const name = roundName(tournament, round)
    parts.unshift(name.stage !== 'round' ? roundText(name) : t('tournament.roundOf', { number: round, count }))
  }
  if (paused) parts.push(t('tournament.stage.paused'))
  return parts.join(' · ')
}

/** The heading of the standings. @param {Tournament} tournament */
export const standingsTitle = ({ phase }) => (phase === 'over' ? t('tournament.standings.final') : t('race.page.standings'))

/** The place in a table, or a dash. @param {number | null} place */
export const placeOrNone = (place) => (place === null ? '–' : placeCell(place))

/**
 * The name of a file of an event: its own name in letters that every system stores, then the part that tells its files apart.
 * @param {string} event @param {string} rest such as `KQXWVD.csv`
 */
export const fileName = (event, rest) =>
  `${
    event
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'forty-thieves'
  }-${rest}`
