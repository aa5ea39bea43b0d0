/**
 * A search for moves that win a deal, with all cards known. shared/fortythieves/solver/search.py has the same search and explains
 * it. The same board gives the same line in both languages, and shared/vectors/solver.json tests that.
 */
import { CARDS } from '../protocol/constants.js'
import { HIDDEN, rankOf } from '../rules/cards.js'
import { DRAW, FOUNDATION, moveOf, REDEAL, WASTE } from '../rules/move-notation.js'
import { nth } from '../rules/nth.js'
import { createFoundations, SAFE } from './foundations.js'
import { Columns, fitting, Wastes } from './piles.js'

/** @import { Board } from '../rules/board.js' */
/** @import { Card } from '../rules/cards.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @typedef {{readonly value: number, readonly order: number}} Ordered by value, and by order among equal values */

/**
 * The result of a search.
 * @typedef {object} Found
 * @property {Move[]} moves to the win, or else to the first position with the most cards home.
 * @property {boolean} won @property {number} home cards home after these moves.
 * @property {number} positions how many were expanded.
 * @typedef {{value: number, order: number, columns: number[], waste: number, stock: number, redeals: number,
 *   foundations: number, home: number, before: Node | null, moves: readonly Move[]}} Node a position. `order`: its place in the
 *   order of discovery. `moves`: the move from the position before, and the safe moves home after it.
 */

/** For each card that is not home. */
const NOT_HOME = 100
/** For each empty column, and once more if there is any. */
const EMPTY = -10
const ANY_EMPTY = -125

/** The moves home, by pile. */
const HOME = Array.from({ length: 14 }, (_, pile) => Object.freeze(moveOf(pile, FOUNDATION)))

/**
 * Look for moves from a board to a win. All cards of the board must be known; the search does not change it.
 * @param {Board} board @param {number} width how many positions are expanded after each number of stock actions
 * @returns {Found} @throws {RangeError} if a card is unknown
 */
export const search = (board, width) => new Search(board).run(width)

/** One search. Use each object once. */
class Search {
  #game
  #fitting
  #columns
  #wastes
  #foundations
  /** The positions of this layer and the next one: a heap for each, and the keys of all positions found. @type {Node[]} */
  #layer = []
  /** @type {Node[]} */ #nextLayer = []
  /** @type {Set<string>} */ #seen = new Set()
  /** @type {Set<string>} */ #seenNext = new Set()
  #order = 0
  /** The first of the positions with the most cards home. @type {Node} */
  #best

  /** @param {Board} board */
  constructor(board) {
    const { game } = board
    const faces = (/** @type {readonly number[]} */ slots) => slots.map((slot) => board.face(slot))
    const columns = Array.from({ length: game.columns }, (_, i) => faces(board.column(i + 1)))
    const stock = faces(board.stockSlots)
    if (stock.includes(HIDDEN) || columns.some((column) => column.includes(HIDDEN))) {
      throw new RangeError('a search needs a board that knows all cards')
    }
    this.#game = game
    this.#fitting = fitting(game, game.build)
    this.#columns = new Columns(game, board.base)
    this.#wastes = new Wastes(game, board.base)
    this.#foundations = createFoundations(game, board.base)
    this.#best = this.#afterSafeMoves(
      columns.map((cards, i) => this.#columns.dealt(cards, board.down(i + 1))),
      this.#wastes.of(board.waste),
      this.#wastes.of(stock),
      board.redealsLeft,
      this.#foundations.of(board.foundations),
      board.home,
      null,
      [],
    )
    this.#layer.push(this.#best)
  }

  /** Search layer by layer. @param {number} width @returns {Found} */
  run(width) {
    let positions = 0
    while (this.#layer.length && this.#best.home < CARDS) {
      for (let i = 0; i < width; i += 1) {
        positions += 1
        this.#expand(pop(this.#layer))
        if (!this.#layer.length || this.#best.home === CARDS) break
      }
      this.#layer = this.#nextLayer
      this.#nextLayer = []
      this.#seen = this.#seenNext
      this.#seenNext = new Set()
    }
    return this.#result(positions)
  }

  /** @param {number} positions @returns {Found} */
  #result(positions) {
    /** @type {(readonly Move[])[]} */
    const steps = []
    for (let node = /** @type {Node | null} */ (this.#best); node; node = node.before) steps.push(node.moves)
    const { home } = this.#best
    return { moves: steps.reverse().flat(), won: home === CARDS, home, positions }
  }

  /**
   * Find the children of a position. First the draw, or else the redeal. Then the moves of each pile: the waste, and the
   * columns from left to right. For each pile, the move home is first. Then, for each number of cards, the moves to each column
   * that accepts them, from left to right, and to the first empty column.
   * @param {Node} node
   */
  #expand(node) {
    this.#turnStock(node)
    const { value, columns, waste } = node
    const { top, below, value: worth, run } = this.#columns
    const says = nth(this.#foundations.says, node.foundations)
    /** The columns that accept each card. @type {Map<Card, number[]>} */
    const takers = new Map()
    let empty = 0
    columns.forEach((column, at) => {
      if (!column) empty += 1
      for (const card of column ? nth(this.#fitting, nth(top, column)) : []) {
        const takes = takers.get(card)
        if (takes) takes.push(at)
        else takers.set(card, [at])
      }
    })
    const firstEmpty = columns.indexOf(0)
    const rule = this.#game.empty
    const fillsAll = rule === 'any' || rule === 'refill'
    const fills = -EMPTY - (empty === 1 ? ANY_EMPTY : 0)
    const frees = EMPTY + (empty ? 0 : ANY_EMPTY)

    /**
     * Place cards of a pile, the last one first, on each column that takes them, and on the first empty one.
     * @param {number} source @param {Card[]} cards @param {number} rest the value of all other piles
     * @param {number} waste @param {number} left the rest of the source column; 0: none
     */
    const place = (source, cards, rest, waste, left) => {
      const first = nth(cards, cards.length - 1)
      const onto = takers.get(first) ?? []
      // Moving a whole column to an empty one changes nothing.
      const toEmpty = empty && (left || !source) && (fillsAll || mayFill(rule, source, first))
      for (const at of toEmpty ? [...onto, firstEmpty] : onto) {
        if (at === source - 1) continue
        const before = nth(columns, at)
        const column = cards.reduceRight((pile, card) => this.#columns.put(pile, card), before)
        const piles = columns.slice()
        if (source) piles[source - 1] = left
        piles[at] = column
        const next = rest + nth(worth, column) - nth(worth, before) + (before ? 0 : fills)
        this.#child(node, next, piles, waste, moveOf(source, at + 1, cards.length), left)
      }
    }

    if (waste) {
      const card = nth(this.#wastes.top, waste)
      if (says[card]) this.#playHome(node, WASTE)
      const left = nth(this.#wastes.below, waste)
      place(WASTE, [card], value + nth(this.#wastes.value, left) - nth(this.#wastes.value, waste), left, 0)
    }

    columns.forEach((column, source) => {
      if (!column) return
      if (says[nth(top, column)]) this.#playHome(node, source + 1)
      let left = column
      /** @type {Card[]} */
      const cards = []
      const most = this.#game.unit === 'card' ? 1 : nth(run, column)
      for (let count = 1; count <= most; count += 1) {
        cards.push(nth(top, left))
        left = nth(below, left)
        place(source + 1, cards, value + nth(worth, left) - nth(worth, column) + (left ? 0 : frees), waste, left)
      }
    })
  }

  /**
   * Keep the position after a move between piles, if it is new.
   * @param {Node} node @param {number} value @param {number[]} columns @param {number} waste @param {Move} move
   * @param {number} left the rest of the source column
   */
  #child(node, value, columns, waste, move, left) {
    const { stock, redeals, foundations, home } = node
    const says = nth(this.#foundations.says, foundations)
    // Before the move no card could go home safely. So only a card that the move uncovers can.
    const bared = left ? says[nth(this.#columns.top, left)] === SAFE : this.#game.empty === 'refill' && move.source !== WASTE
    if (bared || (waste !== node.waste && waste && says[nth(this.#wastes.top, waste)] === SAFE)) {
      this.#keep(this.#afterSafeMoves(columns, waste, stock, redeals, foundations, home, node, [move]))
      return
    }
    const key = keyOf(columns, waste, stock, redeals)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#order += 1
    const order = this.#order
    push(this.#layer, { value, order, columns, waste, stock, redeals, foundations, home, before: node, moves: [move] })
  }

  /** @param {Node} node @param {number} pile */
  #playHome(node, pile) {
    const { stock, redeals, home } = node
    const columns = node.columns.slice()
    const onWaste = pile === WASTE
    const piles = onWaste ? this.#wastes : this.#columns
    const from = onWaste ? node.waste : nth(columns, pile - 1)
    if (!onWaste) columns[pile - 1] = nth(piles.below, from)
    const waste = onWaste ? nth(piles.below, from) : node.waste
    const foundations = this.#foundations.after(node.foundations, nth(piles.top, from))
    this.#keep(this.#afterSafeMoves(columns, waste, stock, redeals, foundations, home + 1, node, [nth(HOME, pile)]))
  }

  /** @param {Node} node */
  #turnStock(node) {
    let { waste, stock, redeals } = node
    const { top, below } = this.#wastes
    /** @type {Move} */
    let move
    if (stock) {
      move = DRAW
      ;[waste, stock] = this.#drawn(waste, stock)
    } else if (waste && redeals) {
      move = REDEAL
      redeals -= 1
      while (waste) {
        stock = this.#wastes.put(stock, nth(top, waste))
        waste = nth(below, waste)
      }
    } else return
    const { columns, foundations, home } = node
    const child = this.#afterSafeMoves(columns.slice(), waste, stock, redeals, foundations, home, node, [move])
    this.#keep(child, true)
  }

  /** Waste and stock after a draw. @param {number} waste @param {number} stock @returns {[number, number]} */
  #drawn(waste, stock) {
    for (let i = 0; i < this.#game.draw && stock; i += 1) {
      waste = this.#wastes.put(waste, nth(this.#wastes.top, stock))
      stock = nth(this.#wastes.below, stock)
    }
    return [waste, stock]
  }

  /**
   * Fill the empty columns. Returns waste and stock.
   * @param {number[]} columns it modifies this array
   * @param {number} waste @param {number} stock @returns {[number, number]}
   */
  #refilled(columns, waste, stock) {
    columns.forEach((column, at) => {
      if (column || !(waste || stock)) return
      if (!waste) [waste, stock] = this.#drawn(waste, stock)
      columns[at] = this.#columns.put(0, nth(this.#wastes.top, waste))
      waste = nth(this.#wastes.below, waste)
    })
    return [waste, stock]
  }

  /** Keep a position if it is new. @param {Node} child @param {boolean} [inNextLayer] */
  #keep(child, inNextLayer = false) {
    const seen = inNextLayer ? this.#seenNext : this.#seen
    const key = keyOf(child.columns, child.waste, child.stock, child.redeals)
    if (seen.has(key)) return
    seen.add(key)
    if (child.home > this.#best.home) this.#best = child
    push(inNextLayer ? this.#nextLayer : this.#layer, child)
  }

  /**
   * The position after all safe moves home: from the waste, then from each column from left to right, repeated while there
   * are any.
   * @param {number[]} columns it modifies this array
   * @param {number} waste @param {number} stock @param {number} redeals @param {number} foundations @param {number} home
   * @param {Node | null} before @param {readonly Move[]} moves @returns {Node}
   */
  #afterSafeMoves(columns, waste, stock, redeals, foundations, home, before, moves) {
    const { top, below, value: worth } = this.#columns
    const { says, after } = this.#foundations
    const played = moves.slice()
    // If a redeal is left, a card that leaves the waste changes the groups of three in the next pass.
    const wasteToo = this.#game.draw === 1 || !redeals
    for (let going = true; going; ) {
      going = false
      if (this.#game.empty === 'refill' && columns.includes(0)) [waste, stock] = this.#refilled(columns, waste, stock)
      while (wasteToo && waste && nth(nth(says, foundations), nth(this.#wastes.top, waste)) === SAFE) {
        foundations = after(foundations, nth(this.#wastes.top, waste))
        waste = nth(this.#wastes.below, waste)
        played.push(nth(HOME, WASTE))
        going = true
      }
      for (let at = 0; at < columns.length; at += 1) {
        let column = nth(columns, at)
        while (column && nth(nth(says, foundations), nth(top, column)) === SAFE) {
          foundations = after(foundations, nth(top, column))
          column = nth(below, column)
          columns[at] = column
          played.push(nth(HOME, at + 1))
          going = true
        }
      }
    }
    home += played.length - moves.length
    let value = nth(this.#wastes.value, waste) - NOT_HOME * home
    let empty = 0
    for (const column of columns) {
      value += nth(worth, column)
      if (!column) empty += 1
    }
    value += EMPTY * empty + (empty ? ANY_EMPTY : 0)
    this.#order += 1
    return { value, order: this.#order, columns, waste, stock, redeals, foundations, home, before, moves: played }
  }
}

/** Whether an empty column takes a card from a pile. @param {string} rule @param {number} source @param {Card} card */
const mayFill = (rule, source, card) => (rule === 'waste' ? !source : rankOf(card) === 13)

/**
 * A key that is equal for positions with the same columns in another order.
 * @param {readonly number[]} columns @param {number} waste @param {number} stock @param {number} redeals
 */
function keyOf(columns, waste, stock, redeals) {
  const sorted = columns.slice().sort((a, b) => a - b)
  return `${sorted.join()},${waste},${stock},${redeals}`
}

// A heap: `pop` removes the least item.

/** @param {Ordered} a @param {Ordered} b */
const isLess = (a, b) => a.value < b.value || (a.value === b.value && a.order < b.order)

/** @template {Ordered} T @param {T[]} heap @param {T} item */
function push(heap, item) {
  let at = heap.length
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = nth(heap, up)
    if (!isLess(item, parent)) break
    heap[at] = parent
    at = up
  }
  heap[at] = item
}

/** @template {Ordered} T @param {T[]} heap not empty */
function pop(heap) {
  const least = nth(heap, 0)
  const item = /** @type {T} */ (heap.pop())
  const { length } = heap
  if (!length) return least
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= length) break
    if (child + 1 < length && isLess(nth(heap, child + 1), nth(heap, child))) child += 1
    if (!isLess(nth(heap, child), item)) break
    heap[at] = nth(heap, child)
    at = child
  }
  heap[at] = item
  return least
}
