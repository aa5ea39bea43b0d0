/**
 * The games played in this browser, and on devices with an imported file: the last plays one by one, and earlier ones as totals.
 *
 * Each device has its own totals and adds its plays in their order, so two memories merge without counting a play twice.
 */

/** @typedef {'race' | 'bot' | 'tournament' | 'challenge' | 'day' | 'practice'} Kind */
/**
 * @typedef {object} Play a race, or a deal of practice
 * @property {string} id `KQXWVD/1` of a race, `practice/lucas:32001` @property {string} device where it was played
 * @property {Kind} kind @property {string} game its key @property {number} at its start, in ms since the epoch
 * @property {0 | 1 | 2} stage under way, ended for the player, or over for all
 * @property {string} state `solved`, or why it was not @property {number | null} ms its length, if solved @property {number} home
 * @property {number | null} place @property {number} racers @property {string} of the room of the challenge, or ""
 */
/**
 * @typedef {object} Total of a kind and a game
 * @property {number} games @property {number} wins @property {number | null} best the shortest time, in ms
 * @property {number} streak wins in a row @property {number} longest of them
 * @property {boolean} open whether the last play is under way @property {number} at the start of the last play
 */
/** @typedef {Record<string, Total>} Totals by `kind/game` */
/** @typedef {{until: number, totals: Totals}} Base the plays of a device that started until then */
/**
 * @typedef {object} Memory
 * @property {1} version @property {string} device this one @property {Record<string, Base>} base by device
 * @property {[first: number, last: number][]} days with a deal of the day, in days since the epoch @property {Play[]} plays oldest first
 */

export const VERSION = 1
export const KINDS = /** @type {const} */ (['race', 'bot', 'tournament', 'challenge', 'day', 'practice'])
export const MOST_PLAYS = 200
export const MOST_DEVICES = 50
const DAY = 86_400_000

/** A file cannot be used; its message is the last part of the key of a sentence, such as `torn`. */
export class Unusable extends Error {}

/** @param {string} device @param {Totals} [totals] of plays that are not known one by one @returns {Memory} */
export const emptyMemory = (device, totals) => ({
  version: VERSION,
  device,
  base: totals ? { [device]: { until: 0, totals } } : {},
  days: [],
  plays: [],
})

/** Among others, the first place wins; alone, a solved deal. @param {Play} play */
const isWon = ({ state, place, racers }) => (racers > 1 ? place === 1 : state === 'solved')

/** @param {Play} play */
const keyOf = ({ kind, game }) => `${kind}/${game}`

/** @param {number | null} a @param {number | null} b */
const least = (a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b))

/** @type {Total} */
export const NOTHING = { games: 0, wins: 0, best: null, streak: 0, longest: 0, open: false, at: 0 }

/** A play that was never finished ends a streak, when the next one begins. @param {Total} total @param {Play} play @returns {Total} */
function counted({ games, wins, best, streak, longest, open }, play) {
  const won = isWon(play)
  const isOpen = play.stage === 0
  const before = open ? 0 : streak
  const now = won ? before + 1 : isOpen ? before : 0
  return {
    ...{ games: games + 1, wins: wins + Number(won), best: least(best, play.state === 'solved' ? play.ms : null) },
    ...{ streak: now, longest: Math.max(longest, now), open: isOpen, at: play.at },
  }
}

/** Ranges of numbers in order; neighbours become one. @param {[number, number][]} ranges */
function joined(ranges) {
  /** @type {[number, number][]} */
  const found = []
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = found.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else found.push([first, last])
  }
  return found
}

/** The same with at most this many plays: the totals of their devices count the oldest. @param {Memory} memory @returns {Memory} */
export function shortened(memory, most = MOST_PLAYS) {
  const plays = [...memory.plays].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const base = { ...memory.base }
  for (const play of plays.splice(0, Math.max(0, plays.length - most))) {
    const totals = base[play.device]?.totals ?? {}
    base[play.device] = { until: play.at, totals: { ...totals, [keyOf(play)]: counted(totals[keyOf(play)] ?? NOTHING, play) } }
  }
  if (Object.keys(base).length > MOST_DEVICES) throw new Unusable('devices')
  return { ...memory, base, plays }
}

/** Adds a play, or more about a known one. A deal that the player knows does not count again. @param {Memory} memory @param {Omit<Play, 'device'>} more */
export function withPlay(memory, more) {
  const known = memory.plays.find(({ id }) => id === more.id)
  const play = { device: memory.device, ...more, ...(known && { device: known.device, at: known.at }) }
  if (known ? known.stage >= play.stage : isCounted(memory, play) || isKnownDeal(memory, play)) return memory
  const day = Math.floor(play.at / DAY)
  const days = play.kind === 'day' ? joined([...memory.days, [day, day]]) : memory.days
  return shortened({ ...memory, days, plays: [...memory.plays.filter((one) => one !== known), play] })
}

/** Whether the totals have it. @param {Pick<Memory, 'base'>} memory @param {Play} play */
const isCounted = ({ base }, { device, at }) => at <= (base[device]?.until ?? 0)

/** @param {Memory} memory @param {Play} play */
const isKnownDeal = ({ plays }, play) => plays.some(({ id }) => play.id === `practice/${id}`)

/** With all that another memory knows. @param {Memory} memory @param {Memory} other @returns {Memory} */
export function merged(memory, other) {
  const base = { ...memory.base }
  for (const [device, one] of Object.entries(other.base)) {
    const isNewer = one.until > (base[device]?.until ?? -1)
    if (isNewer && device !== memory.device) base[device] = one
  }
  const plays = new Map(memory.plays.map((play) => [play.id, play]))
  for (const play of other.plays) if (play.stage > (plays.get(play.id)?.stage ?? -1)) plays.set(play.id, play)
  const kept = [...plays.values()].filter((play) => !isCounted({ base }, play))
  return shortened({ ...memory, base, days: joined([...memory.days, ...other.days]), plays: kept })
}

/** Of all devices, by `kind/game`. @param {Pick<Memory, 'base' | 'plays'>} memory @returns {Map<string, Total>} */
export function totalsOf({ base, plays }) {
  /** @type {Map<string, Total>} */
  const totals = new Map()
  const parts = Object.values(base).flatMap((one) => Object.entries(one.totals))
  for (const [key, part] of parts.sort(([, a], [, b]) => a.at - b.at)) {
    const { games, wins, best, longest } = totals.get(key) ?? NOTHING
    totals.set(key, {
      ...part,
      ...{ games: games + part.games, wins: wins + part.wins },
      ...{ best: least(best, part.best), longest: Math.max(longest, part.longest) },
    })
  }
  for (const play of plays) totals.set(keyOf(play), counted(totals.get(keyOf(play)) ?? NOTHING, play))
  return totals
}

/** The best time before a play: in races of all kinds, or in practice, which has hints. @param {Memory} memory @param {Omit<Play, 'device'>} play */
export function bestBefore({ base, plays }, { id, kind, game }) {
  const kinds = kind === 'practice' ? [kind] : KINDS.filter((one) => one !== 'practice')
  const totals = totalsOf({ base, plays: plays.filter((one) => one.id !== id) })
  return kinds.map((one) => totals.get(`${one}/${game}`)?.best ?? null).reduce(least, null)
}

/** How many days in a row have had a deal of the day, until today or yesterday. @param {Memory} memory @param {number} now */
export function daysInARow({ days }, now) {
  const [first, last] = days.at(-1) ?? [0, -1]
  return last >= Math.floor(now / DAY) - 1 ? last - first + 1 : 0
}
