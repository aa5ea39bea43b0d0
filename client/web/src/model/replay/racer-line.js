/** One racer's part of a finished race: the board after any number of entries of the log, and the counts at that point. */
import { Board } from '../../rules/board.js'
import { parseCards } from '../../rules/cards.js'
import { game } from '../../rules/games.js'
import { STOCK, UNDO, WASTE } from '../../rules/move-notation.js'

/** @import { RaceRecord, Racer } from '../../record/race-record.js' */
/** @import { Lane } from '../race/room-view.js' */

/** The number of entries between kept copies of the board. Any other board is fewer moves than this from a copy. */
const KEPT_EVERY = 32

/**
 * @typedef {object} Line
 * @property {Racer} racer @property {number} length how many entries the log has.
 * @property {number} ended the end of this racer's race, ms since the start.
 * @property {readonly string[]} texts of the entries: moves, and `undo`.
 * @property {readonly number[]} times of the entries, ms since the start.
 * @property {readonly number[]} home cards home after each number of entries, from 0.
 * @property {readonly number[]} stock cards in the stock, in the same form.
 * @property {readonly number[]} drawn cards of the stock ever drawn, in the same form.
 * @property {readonly Reveal[]} reveals the entries that revealed a new card.
 * @property {(n: number) => Board} board after `n` entries; read-only, valid until the next call.
 * @property {(ms: number) => number} at how many entries were made by then.
 * @typedef {{n: number, cards: readonly number[], column: number}} Reveal `n`: the entry's number; `column`: 0 for the stock
 */

/** How many of these sorted numbers are at most the limit. @param {readonly number[]} numbers @param {number} limit */
export function countUpTo(numbers, limit) {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** @param {RaceRecord} record @param {number} seat @returns {Line} */
export function lineOf(record, seat) {
  const racer = record.racers.find((one) => one.seat === seat)
  if (!racer) throw new RangeError(`nobody raced at seat ${seat}`)
  const dealt = () => Board.deal(game(record.game), parseCards(record.deck))
  const log = record.logs.find(([one]) => one === seat)?.[1] ?? []

  const board = dealt()
  /** @type {number[]} */
  const times = []
  /** @type {string[]} */
  const texts = []
  const home = [board.home]
  const stock = [board.stockCount]
  const drawn = [0]
  /** @type {Reveal[]} */
  const reveals = []
  /** @type {Board[]} */
  const kept = [board.copy()]
  const seen = new Set()
  // Cards drawn in this pass and in the passes before, without undone draws.
  let inPlay = 0

  for (const [ms, text] of log) {
    const undone = text === UNDO ? board.last : null
    try {
      board.enter(text)
    } catch {
      break // "verify" reports the error
    }
    times.push(ms)
    texts.push(text)
    const made = undone ?? board.last
    const isOfStock = made?.move.source === STOCK || made?.refilled === true
    if (made && isOfStock) inPlay += (undone ? -1 : 1) * (made.refilled ? made.revealed.length : made.moved.length)
    if (made && !undone) {
      const slots = made.revealed.filter((slot) => !seen.has(slot))
      for (const slot of slots) seen.add(slot)
      const column = isOfStock ? WASTE : Math.max(WASTE, made.move.source)
      if (slots.length) reveals.push({ n: times.length, cards: slots.map((slot) => board.face(slot)), column })
    }
    home.push(board.home)
    stock.push(board.stockCount)
    drawn.push(Math.max(drawn[drawn.length - 1], inPlay))
    if (times.length % KEPT_EVERY === 0) kept.push(board.copy())
  }

  let at = { n: -1, board }
  return {
    racer,
    length: times.length,
    ended: racer.when - record.starts_at,
    ...{ texts, times, home, stock, drawn, reveals },
    board(n) {
      const from = Math.floor(n / KEPT_EVERY)
      // Forward from the last requested board if possible, else from a kept copy.
      if (at.n < from * KEPT_EVERY || at.n > n) at = { n: from * KEPT_EVERY, board: kept[from].copy() }
      for (; at.n < n; at.n += 1) at.board.enter(texts[at.n])
      return at.board
    },
    at: (ms) => countUpTo(times, ms),
  }
}

/**
 * The state of a racer after some entries of the log.
 * @param {Line} line @param {number} count of entries @param {boolean} isDone whether the race had ended for this racer
 * @returns {Lane}
 */
export const laneAt = ({ racer, home, stock, ended }, count, isDone) => ({
  seat: racer.seat,
  name: racer.name,
  bot: racer.bot,
  state: /** @type {Lane['state']} */ (isDone ? racer.state : 'racing'),
  home: home[count],
  moves: count,
  stock: stock[count],
  ms: isDone ? ended : null,
  place: null,
  awayAt: null,
  gaveUpAt: null,
})
