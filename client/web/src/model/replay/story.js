/** The story of a finished race, from its record. */
import { happeningsOf } from './happenings.js'
import { timelineOf } from './timeline.js'

/** @import { RaceRecord } from '../../record/race-record.js' */
/** @import { Line } from './racer-line.js' */

/** Cards that come home faster than this one after the other, in ms, were brought by the page. */
const AUTOMATIC = 200
/** The length of a run, in ms, and the fewest cards that are worth telling. */
const RUN = { ms: 10_000, cards: 4 }
const LEAD = 1000 // the shortest lead to tell, in ms

/**
 * @typedef {object} Story
 * @property {number | null} behind the cards between the first winner and the next racer, at the moment of the win
 * @property {Record<number, number>} gaps the cards between the first winner and each other racer, by seat, at that moment
 * @property {{seat: number, ms: number} | null} turn when the first of the race took the lead for good
 * @property {{seat: number, ms: number, count: number} | null} run the most cards home in ten seconds
 * @property {{seat: number, ms: number, length: number} | null} lead the longest one
 */

/** @param {RaceRecord} record @returns {Story} */
export function storyOf(record) {
  const timeline = timelineOf(record)
  const { lines } = timeline
  const firsts = lines.filter(({ racer }) => racer.place === 1)
  const first = firsts.length === 1 ? firsts[0] : null
  const others = lines.filter((line) => line !== first)
  const turns = happeningsOf(timeline).filter(
    ({ kind, leads, seat }) => kind === 'overtook' && leads && seat === first?.racer.seat,
  )
  const turn = turns.at(-1)
  const isWon = first?.racer.state === 'solved' && others.length > 0
  const gaps = isWon ? others.map((line) => [line.racer.seat, first.home[first.length] - line.home[line.at(first.ended)]]) : []
  return {
    behind: isWon ? Math.min(...gaps.map(([, gap]) => gap)) : null,
    gaps: Object.fromEntries(gaps),
    turn: turn ? { seat: turn.seat, ms: turn.ms } : null,
    run: best(lines.map(runOf), ({ count }) => count),
    lead: best(leadsOf(lines, isWon ? first.ended : record.over_at - record.starts_at), ({ length }) => length),
  }
}

/** @template T @param {(T | null)[]} all @param {(one: T) => number} worth @returns {T | null} the first of the best */
const best = (all, worth) =>
  all.reduce((most, one) => (one !== null && (most === null || worth(one) > worth(most)) ? one : most), null)

/** The most cards of one racer in ten seconds. @param {Line} line */
function runOf({ racer, times, home }) {
  const byHand = times.filter((ms, n) => home[n + 1] > home[n] && ms - (times[n - 1] ?? -Infinity) >= AUTOMATIC)
  const runs = byHand.map((ms) => ({
    seat: racer.seat,
    ms,
    count: byHand.filter((end) => end >= ms && end < ms + RUN.ms).length,
  }))
  return best(
    runs.filter(({ count }) => count >= RUN.cards),
    ({ count }) => count,
  )
}

/** The times between changes of the leader, until the first win: a tie does not end a lead. @param {readonly Line[]} lines @param {number} over */
function leadsOf(lines, over) {
  const changes = lines.flatMap((line) => line.times.filter((ms, n) => ms < over && line.home[n + 1] !== line.home[n]))
  const times = [...new Set([...changes, over])].sort((a, b) => a - b)
  /** @type {{seat: number, ms: number, length: number}[]} */
  const leads = []
  let leader = 0
  let since = 0
  for (const ms of times) {
    const homes = lines.map((line) => line.home[line.at(ms)])
    const most = Math.max(...homes)
    const ahead = homes.filter((home) => home === most).length === 1 ? lines[homes.indexOf(most)].racer.seat : 0
    if ((!ahead || ahead === leader) && ms !== over) continue
    if (leader) leads.push({ seat: leader, ms: since, length: ms - since })
    leader = ahead
    since = ms
  }
  return lines.length > 1 ? leads.filter(({ length }) => length >= LEAD) : []
}
