/** A tournament in words: its formats, scores, times, and what its hosts did. */
import { clockText, counted, finishText, placeText } from '../format.js'
import { STATES } from '../words.js'

/**
 * @typedef {import('../room-view.js').Plan} Plan
 * @typedef {import('../room-view.js').Tournament} Tournament
 * @typedef {import('../room-view.js').RoundResult} RoundResult
 * @typedef {import('../room-view.js').Deed} Deed
 */

/** @type {Readonly<Record<Plan['format'], {name: string, line: string}>>} */
export const FORMATS = {
  points: { name: 'Points', line: 'All against all: each round gives points by place.' },
  knockout: { name: 'Knock-out', line: 'In pairs; who loses is out. The better half of a pair goes on.' },
  swiss: { name: 'Swiss', line: 'In pairs of about equal score, never the same twice. Nobody is out.' },
}

/** The tie-breaks, in a column's head and in full. @type {Readonly<Record<string, {name: string, text: string}>>} */
export const TIEBREAKS = {
  wins: { name: 'Wins', text: 'rounds won' },
  solved: { name: 'Solved', text: 'races solved' },
  home: { name: 'Home', text: 'cards home in all rounds' },
  beaten: { name: 'Beaten', text: 'how many of the whole field came behind, in the last round one was in' },
  buchholz: { name: 'Buchholz', text: 'the scores of all opponents added up' },
  sonneborn: { name: 'Sonneborn', text: 'the scores of those one has beaten, and half of those one has drawn with' },
}

/** @param {string} key */
export const tiebreak = (key) => TIEBREAKS[key] ?? { name: key, text: '' }

/** How equals are told apart. @param {Tournament} tournament */
export function tiebreakText({ tiebreaks = [] }) {
  const named = tiebreaks.map((key) => `${tiebreak(key).name} (${tiebreak(key).text})`)
  return named.length ? `Equal scores are told apart by: ${named.join('; then ')}. Equal in all: equal place.` : ''
}

/** A score, with halves as people write them. @param {number | null | undefined} score */
export function scoreText(score) {
  if (score == null) return '–'
  const whole = Math.trunc(score)
  if (score - whole === 0.5) return `${whole || ''}½`
  return String(Math.round(score * 100) / 100)
}

/** What the score of a format counts. @param {Plan['format']} format @param {number} score */
export const pointsText = (format, score) =>
  format === 'knockout'
    ? `${scoreText(score)} ${score === 1 || score === 0.5 ? 'round' : 'rounds'} won`
    : `${scoreText(score)} ${score === 1 || score === 0.5 ? 'point' : 'points'}`

/** How a race of a round went. @param {RoundResult} result */
export function resultText([, state, home, , ms]) {
  if (state === 'solved' && ms != null) return finishText(ms)
  if (state === 'did_not_start' || state === 'disqualified') return STATES[state]
  return `${counted(home, 'card')}`
}

/**
 * What a round of a knock-out is called.
 *
 * @param {number} level from 1, the first one
 * @param {number} levels up to the final
 */
export function levelName(level, levels) {
  const left = levels - level
  return ['Final', 'Semi-finals', 'Quarter-finals'][left] ?? `Last ${2 ** (left + 1)}`
}

/** What kept the entrance. @type {Readonly<Record<Plan['entry'], string>>} */
export const ENTRY = {
  open: 'Whoever has the link may enter.',
  password: 'Whoever knows the password may enter.',
  list: 'Those on the host’s list may enter.',
}

/** The same of a plan. @param {Plan} plan */
export const entryText = ({ entry, links_only: linksOnly }) =>
  entry === 'list' && linksOnly ? 'Those with a personal link from the host may enter.' : ENTRY[entry]

/** Until when somebody may still enter. @param {Plan} plan */
export function lateText({ format, late, rounds }) {
  const last = format === 'knockout' ? 0 : Math.min(late ?? Math.floor(rounds / 2), rounds - 1)
  return last === 0 ? 'Nobody enters after the first draw.' : `One may enter until round ${last}.`
}

/** A stretch of seconds. @param {number} seconds */
export function lengthText(seconds) {
  if (seconds % 3600 === 0 && seconds > 0) return counted(seconds / 3600, 'hour')
  if (seconds % 60 === 0) return counted(seconds / 60, 'minute')
  return seconds < 120 ? counted(seconds, 'second') : `${clockText(seconds * 1000)} minutes`
}

/** When rounds begin. @param {Plan} plan */
export function startText({ by_timer, pause }) {
  return by_timer
    ? `Each round begins by itself, ${lengthText(pause)} after the one before it.`
    : 'Each round begins when the host says so.'
}

/** All that is agreed for a tournament. @param {Plan} plan @returns {[term: string, text: string][]} */
export function planRules(plan) {
  /** @type {[string, string][]} */
  const rules = [['Format', FORMATS[plan.format].line]]
  if (plan.format !== 'knockout') rules.push(['Rounds', counted(plan.rounds, 'round')])
  if (plan.format === 'points') rules.push(['Points', `${plan.points.map(scoreText).join(', ')}; equals share the mean.`])
  if (plan.format === 'knockout' && plan.third_place) rules.push(['Third', 'There is a race for the third place.'])
  rules.push(['Begin', startText(plan)], ['Entry', `${entryText(plan)} ${lateText(plan)}`])
  if (plan.entry === 'password')
    rules.push([
      'Watch',
      plan.spectators === 'open' ? 'Whoever has the link may watch.' : 'Whoever knows the password may watch.',
    ])
  rules.push(['No-show', `Who is not here ${lengthText(plan.no_show)} after a start is out until he comes back.`])
  if (plan.deadly) rules.push(['Deadly', 'One try: no undo, and giving up is final.'])
  if (plan.blind) rules.push(['Blind', 'Nobody sees how the others do before a round is over.'])
  if (plan.quiet) rules.push(['Chat', 'Racers say nothing until a round is over.'])
  return rules
}

/** @type {Readonly<Record<string, string>>} */
const DEEDS = {
  planned: 'changed the plan',
  timed: 'set the time of the next round',
  started: 'started round %',
  paused: 'paused the tournament',
  resumed: 'let the tournament go on',
  skipped: 'skipped round %',
  annulled: 'had round % played again',
  confirmed: 'confirmed round %',
  disqualified: 'disqualified %',
  reinstated: 'took back that % was disqualified',
  co_hosted: 'made % a co-host',
  not_co_hosted: 'took the co-host’s tools from %',
  entered: 'let % in',
  drawn: 'started round %',
}

const OF_ROUNDS = new Set(['started', 'skipped', 'annulled', 'confirmed', 'drawn'])

/** @type {Readonly<Record<string, string>>} */
export const WHY_OUT = { left: 'left', no_show: 'did not come', host: 'taken out by a host', released: 'name released' }

/**
 * What a host did: who, what, and whom it is about, apart from one another because names are shown as they are.
 *
 * @param {Deed} deed
 * @param {(seat: number) => string} nameOf
 * @returns {import('../room-view.js').Sentence}
 */
export function deedText([, by, what, about, reason], nameOf) {
  /** @type {import('../room-view.js').Sentence} */
  const who = by === null || by === undefined ? [] : [{ name: nameOf(by) }, ' ']
  const because = reason && !WHY_OUT[reason] && reason !== 'nobody' ? [`: ${reason}`] : []
  if (what === 'withdrawn') {
    const name = { name: nameOf(about ?? 0) }
    if (by != null) return [...who, 'took ', name, ' out']
    return reason === 'no_show' ? [name, ' did not come, and is out until he comes back'] : [name, ' has left']
  }
  if (what === 'skipped' && by == null) return [`Round ${about} was skipped: nobody was there`]
  if (what === 'released') return [...who, 'released the name ', { name: reason }, ' on the list']
  if (what === 'hosted') return [{ name: nameOf(about ?? 0) }, ' is the host now']
  if (what === 'timed' && by == null) return ['The first round waits until two are there']
  const text = DEEDS[what] ?? what.replaceAll('_', ' ')
  const [before, after] = text.split('%')
  if (after === undefined) return [...who, text, ...because]
  const whom = OF_ROUNDS.has(what) ? String(about) : { name: nameOf(about ?? 0) }
  return [...who, before, whom, after, ...because]
}

/** @param {number} at ms */
export const timeText = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** A day and a time, the day only if it is not today. @param {number} at ms @param {number} now */
export function whenText(at, now) {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  const day = isToday ? '' : new Date(at).toLocaleDateString([], { weekday: 'short', day: 'numeric', month: 'short' })
  return day ? `${day}, ${timeText(at)}` : timeText(at)
}

/**
 * Where a tournament is, in one line.
 *
 * @param {Tournament} tournament
 */
export function stageText({ phase, round, rounds_planned: planned, plan, paused, again, rounds }) {
  const number =
    plan.format === 'knockout' ? levelName(round, Math.max(planned, round)) : `Round ${round} of ${Math.max(planned, round)}`
  const is = {
    entry: 'Not begun',
    drawn: `${number} · about to start`,
    racing: `${number} · on`,
    pause: `${number} · ${again ? (rounds?.[round]?.races?.length ? 'a tie is raced on' : 'to be played again') : 'done'}`,
    over: 'Over',
  }[phase]
  return paused && phase !== 'over' ? `${is} · paused` : is
}

/** The place, also of those who have none. @param {number | null} place */
export const placeOrNone = (place) => (place === null ? '–' : placeText(place))
