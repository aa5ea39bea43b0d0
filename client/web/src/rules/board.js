/**
 * A board with the knowledge of one player: all rules of GAMES.md, without the faces of unrevealed cards.
 *
 * The board has one *slot* for each of the 104 physical cards. Slots are numbered in the order of the deal: the tableau, the
 * stock from its top, then the cards that start on the foundations. The place of a slot is always known; its face may be
 * unknown. So a drawn card has its place before the server confirms it. The page can follow each card, although every face
 * exists twice.
 */
import { HIDDEN, names, parseCards, rankOf, suitOf } from './cards.js'
import { downsOf, familiesOf, familyOf, fits, heightsOf, homeOf, orderOf, sequenceOf, stockOf } from './games.js'
import { DRAW, FOUNDATION, moveOf, moveText, parseMove, REDEAL, STOCK, UNDO, WASTE } from './move-notation.js'
import { nth } from './nth.js'

/** @import { Card } from './cards.js' */
/** @import { Build, Game } from './games.js' */
/** @import { Move } from './move-notation.js' */

/**
 * Why a move is not legal.
 * @typedef {'stock-empty' | 'stock-not-empty' | 'waste-empty' | 'no-redeal' | 'no-such-piles' | 'same-pile' | 'no-card' |
 *   'not-turned-yet' | 'one-card' | 'no-sequence' | 'does-not-build' | 'empty-waste' | 'empty-king' |
 *   'foundation-not-ready'} Reason
 */

/**
 * A move that was made.
 * @typedef {object} Made
 * @property {Move} move
 * @property {readonly number[]} moved the slots that changed their pile; the last one moved is at the end
 * @property {readonly number[]} revealed the revealed slots, in that order
 * @property {boolean} refilled whether the column that it emptied was filled from the waste or the stock
 */

export class Illegal extends Error {
  /** @param {Move} move @param {Reason} reason */
  constructor(move, reason) {
    super(`${moveText(move)} is not allowed here: ${reason}`)
    this.reason = reason
  }
}

export class Board {
  /** @type {Int8Array} */ #faces
  /** @type {number[][]} */ #columns
  /** @type {number[]} how many of each column lie face down */ #down
  /** @type {number[]} */ #waste = []
  /** @type {number[]} the next card to draw is the last */ #stock
  /** @type {number[][]} two piles for each suit, `suit * 2` and the next one */ #homes
  /** @type {Made[]} */ #history = []

  /** @param {Game} game @param {Int8Array} faces */
  constructor(game, faces) {
    this.game = game
    this.redealsLeft = game.redeals
    this.#faces = faces
    const heights = heightsOf(game)
    let dealt = 0
    // Dealt row by row, left to right, so a column's bottom card is dealt first.
    this.#columns = heights.map(() => [])
    for (let row = 0; row < Math.max(...heights); row += 1) {
      this.#columns.forEach((pile, i) => row < nth(heights, i) && pile.push(dealt++))
    }
    this.#down = downsOf(game).slice()
    this.#stock = range(stockOf(game), (i) => dealt + i).reverse()
    if (game.bases_out) range(8, (i) => (faces[96 + i] = 13 * (i >> 1) + game.base - 1))
    /** The rank of the first card of each foundation. */
    this.base = game.base || rankOf(nth(faces, 103))
    const started = range(homeOf(game), (i) => 104 - homeOf(game) + i)
    this.#homes = range(8, () => [])
    for (const slot of started) nth(this.#homes, this.#isKnown(slot) ? this.homeFor(this.face(slot)) : 0).push(slot)
  }

  /**
   * The board as a player sees it at the start.
   * @param {Game} game @param {readonly string[]} start a text such as `####TH4C` for each column, bottom first; and the first
   *   card of the stock, if it starts a foundation
   */
  static ofStart(game, start) {
    const columns = start.map(parseCards)
    const heights = game.base ? heightsOf(game) : [...heightsOf(game), 1]
    if (columns.map((cards) => cards.length).join() !== heights.join()) {
      throw new RangeError(`this is not a start of ${game.name}`)
    }
    const faces = new Int8Array(104).fill(HIDDEN)
    if (!game.base) faces[103] = nth(nth(columns, game.columns), 0)
    const board = new Board(game, faces)
    board.#columns.forEach((slots, i) => slots.forEach((slot, row) => (faces[slot] = nth(nth(columns, i), row))))
    return board
  }

  /** The board of a fully known deck. @param {Game} game @param {readonly Card[]} deck in deal order */
  static deal(game, deck) {
    // The first cards of the foundations are removed from the deck, and the other cards keep their order.
    const order = deck.filter((card) => !game.bases_out || rankOf(card) !== game.base)
    if (!game.base) order.push(...order.splice(order.length - 1 - stockOf(game), 1))
    const faces = new Int8Array(104).fill(HIDDEN)
    faces.set(order)
    return new Board(game, faces)
  }

  /** An independent copy: its moves do not change this board. */
  copy() {
    const other = new Board(this.game, this.#faces.slice())
    other.redealsLeft = this.redealsLeft
    other.#columns = this.#columns.map((pile) => pile.slice())
    other.#down = this.#down.slice()
    other.#waste = this.#waste.slice()
    other.#stock = this.#stock.slice()
    other.#homes = this.#homes.map((pile) => pile.slice())
    other.#history = this.#history.slice()
    return other
  }

  // State

  /** The columns as the player sees them, bottom first. */
  get columns() {
    return this.#columns.map((pile, i) => pile.map((slot, depth) => (depth < this.down(i + 1) ? HIDDEN : this.face(slot))))
  }

  /** Before the first move: the texts from which `ofStart` makes the player's board. */
  get start() {
    const first = this.game.base ? [] : [this.#homes.flat().map((slot) => this.face(slot))]
    return [...this.columns, ...first].map(names)
  }

  /** @returns {Card[]} the top last */
  get waste() {
    return this.#waste.map((slot) => this.face(slot))
  }

  get stockCount() {
    return this.#stock.length
  }

  /** How many cards are on the foundations. */
  get home() {
    return this.#homes.reduce((sum, pile) => sum + pile.length, 0)
  }

  /** For each family of `familiesOf`, how many cards lie on its foundations, the fullest one first. @returns {number[][]} */
  get foundations() {
    const { game } = this
    return familiesOf(game).map((homes) => homes.map((home) => nth(this.#homes, home).length).sort((a, b) => b - a))
  }

  /** The number of moves made, without the undone ones. */
  get movesMade() {
    return this.#history.length
  }

  /** @returns {Made | null} the last move that is not undone */
  get last() {
    return this.#history.at(-1) ?? null
  }

  /** Whether the last move revealed a card; a draw does. */
  get lastRevealed() {
    return (this.last?.revealed.length ?? 0) > 0
  }

  /** @returns {null | 'won' | 'stuck'} exact; null also if a still unknown card could decide */
  get outcome() {
    if (this.home === 104) return 'won'
    return this.#aCardCanMove() || this.#aDrawMayHelp() ? null : 'stuck'
  }

  // For drawing the board: the place of each slot. Do not modify these arrays.

  /** @param {number} column @returns {readonly number[]} */
  column(column) {
    const pile = this.#columns[column - 1]
    if (!pile) throw new RangeError(`there is no column ${column}`)
    return pile
  }

  /** How many cards of a column lie face down. @param {number} column @returns {number} */
  down(column) {
    return this.#down[column - 1] ?? 0
  }

  /** A column, or the waste. @param {number} source @returns {readonly number[]} the top last */
  pile(source) {
    return source === WASTE ? this.#waste : this.column(source)
  }

  /** @returns {readonly number[]} the next card to draw is last */
  get stockSlots() {
    return this.#stock
  }

  /** @returns {readonly (readonly number[])[]} two piles for each suit of a first card */
  get homeSlots() {
    return this.#homes
  }

  /** The card in a slot, or HIDDEN if this player has never seen it. @param {number} slot @returns {Card} */
  face(slot) {
    return this.#faces[slot] ?? HIDDEN
  }

  /**
   * The number of the foundation that takes a card, or -1. If several do, the first one.
   * @param {Card} card
   */
  homeFor(card) {
    const height = orderOf(card, this.base) - 1
    const own = height
      ? nth(familiesOf(this.game), familyOf(this.game, card, this.base))
      : [2 * suitOf(card), 2 * suitOf(card) + 1]
    return own.find((i) => nth(this.#homes, i).length === height) ?? -1
  }

  // Legal moves

  /** @param {Move} move */
  isLegal(move) {
    return this.whyNot(move) === null
  }

  /** Why the rules forbid a move, or null if it is legal. @param {Move} move @returns {Reason | null} */
  whyNot({ source, target, count }) {
    if (source === STOCK && target === WASTE) return this.#stock.length ? null : 'stock-empty'
    if (source === WASTE && target === STOCK) return this.#whyNoRedeal()
    if (!this.#isPlace(source) || !(target === FOUNDATION || (target !== WASTE && this.#isPlace(target)))) return 'no-such-piles'
    if (source === target) return 'same-pile'
    const card = this.#lifted(source, count)
    if (typeof card === 'string') return card
    if (target === FOUNDATION) return count === 1 && this.homeFor(card) !== -1 ? null : 'foundation-not-ready'
    const on = this.column(target).at(-1)
    if (on !== undefined) return this.#builds(card, this.face(on)) ? null : 'does-not-build'
    return this.#mayFill(card, source) ? null : this.game.empty === 'waste' ? 'empty-waste' : 'empty-king'
  }

  /** The legal moves, computed lazily. @returns {Generator<Move>} */
  *legalMoves() {
    if (this.isLegal(DRAW)) yield DRAW
    if (this.isLegal(REDEAL)) yield REDEAL
    yield* this.#cardMoves()
  }

  /** The legal targets, the foundation first. @param {number} source @param {number} [count] default: any @returns {number[]} */
  targetsOf(source, count) {
    const counts = count === undefined ? range(this.longestRun(source), (i) => i + 1) : [count]
    return [FOUNDATION, ...range(this.game.columns, (i) => i + 1)].filter((target) =>
      counts.some((some) => this.isLegal(moveOf(source, target, some))),
    )
  }

  /**
   * How many cards may move together at most. In games that move sequences, this is the longest run of face-up cards at the
   * end of the column in which every adjacent pair obeys the building rule. In other games it is one.
   * @param {number} source
   */
  longestRun(source) {
    if (source === WASTE) return this.#isKnown(this.#waste.at(-1)) ? 1 : 0
    const pile = this.column(source)
    if (!this.#isKnown(pile.at(-1))) return 0
    const most = this.game.unit === 'card' ? 1 : Math.min(13, pile.length - this.down(source))
    const sequence = sequenceOf(this.game)
    let run = 1
    while (run < most && this.#builds(this.#faceAt(pile, run), this.#faceAt(pile, run + 1), sequence)) run += 1
    return run
  }

  // Moves

  /**
   * Makes a legal move; an illegal one throws `Illegal` and changes nothing.
   * @param {Move} move
   * @param {readonly Card[]} [revealed] the revealed cards, from the server. Without it, the move is shown before the server
   *   confirms it, and a card that the player never saw stays unknown.
   * @returns {Card[]} the revealed cards
   */
  play(move, revealed) {
    const reason = this.whyNot(move)
    if (reason) throw new Illegal(move, reason)
    const slots = this.#wouldTurn(move)
    if (revealed) this.#learn(slots, revealed)
    const refills = this.#refills(move)
    const moved = this.#shift(move)
    if (refills) this.#refill(move.source, slots)
    else if (move.source > WASTE && slots.length) this.#setDown(move.source, -1)
    this.#history.push({ move, moved, revealed: slots, refilled: refills && this.column(move.source).length > 0 })
    return slots.map((slot) => this.face(slot))
  }

  /** Makes an entry of a log, a move or an undo, like `play`. @param {string} text @param {readonly Card[]} [revealed] */
  enter(text, revealed) {
    if (text !== UNDO) return this.play(parseMove(text), revealed)
    this.undo()
    return []
  }

  /** Undoes the last move exactly. Revealed cards stay known. @returns {Move} */
  undo() {
    const made = this.#history.pop()
    if (!made) throw new RangeError('there is nothing to undo')
    const { move, moved, revealed, refilled } = made
    if (refilled) {
      this.#waste.push(...this.#source(move.source).splice(0))
      this.#stock.push(...this.#waste.splice(this.#waste.length - revealed.length).reverse())
    }
    if (move.target === STOCK) {
      this.#waste = this.#stock.reverse()
      this.#stock = []
      this.redealsLeft += 1
      return move
    }
    if (move.source > WASTE && revealed.length && !refilled) this.#setDown(move.source, 1)
    this.#pileHolding(moved).splice(-moved.length)
    if (move.source === STOCK) this.#stock.push(...moved.slice().reverse())
    else this.#source(move.source).push(...moved)
    return move
  }

  // Helpers

  /** @param {number} pile */
  #isPlace(pile) {
    return pile >= WASTE && pile <= this.game.columns
  }

  /** Only with an empty stock and a non-empty waste. @returns {Reason | null} */
  #whyNoRedeal() {
    if (this.#stock.length) return 'stock-not-empty'
    if (!this.#waste.length) return 'waste-empty'
    return this.redealsLeft > 0 ? null : 'no-redeal'
  }

  /** The highest of some cards, or why they cannot move. @param {number} source @param {number} count @returns {Card | Reason} */
  #lifted(source, count) {
    const pile = this.#source(source)
    if (!pile.length) return 'no-card'
    const run = this.longestRun(source)
    if (run === 0) return 'not-turned-yet'
    if (count > 1 && (source === WASTE || this.game.unit === 'card')) return 'one-card'
    return count >= 1 && count <= run ? this.#faceAt(pile, count) : 'no-sequence'
  }

  /**
   * Whether a legal move of cards reveals one: the next of its column, or one of the stock that fills it.
   * @param {Move} move
   */
  reveals(move) {
    return this.#wouldTurn(move).length > 0
  }

  /** @param {Card} card @param {Card} on @param {Build} [build] */
  #builds(card, on, build = this.game.build) {
    return card !== HIDDEN && on !== HIDDEN && fits(this.game, build, card, on)
  }

  /** Whether an empty column takes a card from a pile. @param {Card} card @param {number} source */
  #mayFill(card, source) {
    const { empty } = this.game
    // A column that is filled again stays empty only if no card is left to fill it.
    return empty === 'waste' ? source === WASTE : empty !== 'king' || rankOf(card) === 13
  }

  /** Whether a move empties a column that is then filled from the waste or the stock. @param {Move} move */
  #refills({ source, count }) {
    return this.game.empty === 'refill' && source > WASTE && this.column(source).length === count
  }

  /** Fill a column from the waste, or else with cards that are drawn for it. @param {number} column @param {readonly number[]} drawn */
  #refill(column, drawn) {
    if (drawn.length) this.#waste.push(...this.#stock.splice(-drawn.length).reverse())
    this.#source(column).push(...this.#waste.splice(-1))
  }

  *#cardMoves() {
    for (let source = WASTE; source <= this.game.columns; source += 1) {
      for (let count = 1; count <= this.longestRun(source); count += 1) {
        for (const target of this.targetsOf(source, count)) yield moveOf(source, target, count)
      }
    }
  }

  /** Whether a card can move now. A card without a confirmed face possibly can. */
  #aCardCanMove() {
    const waiting = [this.#waste, ...this.#columns].some((pile) => pile.length > 0 && this.#faceAt(pile, 1) === HIDDEN)
    return waiting || !this.#cardMoves().next().done
  }

  /**
   * Whether drawing can reveal a waste top that can be played. It looks at the rest of this pass and, if a redeal is left, at
   * one whole further pass. An unknown card counts as playable.
   */
  #aDrawMayHelp() {
    const { draw } = this.game
    const ahead = this.#stock.slice().reverse()
    const again = this.redealsLeft > 0 ? [...this.#waste, ...ahead] : []
    /** @param {number[]} pass */
    const tops = (pass) => pass.filter((_, i) => i % draw === draw - 1 || i === pass.length - 1)
    return [...tops(ahead), ...tops(again)].some((slot) => {
      const card = this.face(slot)
      const takes = (/** @type {number[]} */ pile) =>
        pile.length ? this.#builds(card, this.#faceAt(pile, 1)) : this.#mayFill(card, WASTE)
      return card === HIDDEN || this.#columns.some(takes) || this.homeFor(card) !== -1
    })
  }

  /** The slots that a legal move reveals. @param {Move} move @returns {number[]} */
  #wouldTurn(move) {
    const { source, count } = move
    const draws = source === STOCK || (this.#refills(move) && !this.#waste.length)
    if (draws) return this.#stock.slice(-this.game.draw).reverse()
    if (source === WASTE) return []
    const pile = this.column(source)
    const next = pile.length - count - 1
    return next >= 0 && next < this.down(source) ? pile.slice(next, next + 1) : []
  }

  /** @param {readonly number[]} slots @param {readonly Card[]} cards */
  #learn(slots, cards) {
    const known = slots.every((slot, i) => this.face(slot) === HIDDEN || this.face(slot) === cards[i])
    if (slots.length !== cards.length || !known) throw new RangeError('these cards cannot be the revealed ones')
    slots.forEach((slot, i) => (this.#faces[slot] = cards[i] ?? HIDDEN))
  }

  /** Moves the slots of a legal move and returns them. @param {Move} move @returns {number[]} */
  #shift({ source, target, count }) {
    if (target === STOCK) {
      // The waste is turned over as a block, so the cards will be drawn in the same order as before.
      this.#stock = this.#waste.reverse()
      this.#waste = []
      this.redealsLeft -= 1
      return this.#stock.slice()
    }
    const moved = source === STOCK ? this.#stock.splice(-this.game.draw).reverse() : this.#source(source).splice(-count)
    const pile = target === FOUNDATION ? nth(this.#homes, this.homeFor(this.face(nth(moved, 0)))) : this.#source(target)
    pile.push(...moved)
    return moved
  }

  /** The pile that ends with the last moved card. @param {readonly number[]} moved */
  #pileHolding(moved) {
    const pile = [...this.#columns, this.#waste, ...this.#homes].find((some) => some.at(-1) === moved.at(-1))
    if (!pile) throw new RangeError('the board and its history do not agree')
    return pile
  }

  /** @param {number} pile a column or the waste */
  #source(pile) {
    return /** @type {number[]} */ (this.pile(pile))
  }

  /** @param {readonly number[]} pile @param {number} fromEnd */
  #faceAt(pile, fromEnd) {
    const slot = pile.at(-fromEnd)
    return slot === undefined ? HIDDEN : this.face(slot)
  }

  /** @param {number | undefined} slot */
  #isKnown(slot) {
    return slot !== undefined && this.face(slot) !== HIDDEN
  }

  /** @param {number} column @param {number} by */
  #setDown(column, by) {
    this.#down[column - 1] = this.down(column) + by
  }
}

/**
 * The move of a double tap: home if possible, else to a column with cards, else to an empty one. It is not a hint, because
 * the player has chosen the cards.
 * @param {Board} board @param {number} source @param {number} [count] @returns {Move | null}
 */
export function bestMove(board, source, count = 1) {
  const targets = board.targetsOf(source, count)
  const isEmpty = (/** @type {number} */ target) => target !== FOUNDATION && board.column(target).length === 0
  // A whole column moved to an empty one changes nothing.
  const whole = source > WASTE && board.column(source).length === count
  const target = targets.find((some) => !isEmpty(some)) ?? (whole ? undefined : targets[0])
  return target === undefined ? null : moveOf(source, target, count)
}

/** @template T @param {number} length @param {(index: number) => T} item @returns {T[]} */
const range = (length, item) => Array.from({ length }, (_, index) => item(index))
