/**
 * The actions of touches, drags and keys: functions that change the table's state. They do not depend on the input device. A
 * move leaves the table only as its text.
 */
import { suitOf } from '../rules/cards.js'
import { FOUNDATION, moveText, STOCK, WASTE } from '../rules/move-notation.js'
import { heldAt } from './card-positions.js'
import { overlap } from './layout.js'
import { bestOf, canLift, drop, isMeant, lift, moveTo, neighbour, spread, turnOf, whyNotTo, whyNoUndo } from './state.js'

/** @import { Move } from '../rules/move-notation.js' */
/** @import { Action } from './key-actions.js' */
/** @import { Refusal, State } from './state.js' */

/** @typedef {ReturnType<typeof createHand>} Hand */

/**
 * @typedef {object} Where the cards of a refused action, which stay in place, and its target
 * @property {number} source the pile of the cards
 * @property {number} count how many; 0: no cards
 * @property {number} pile the target
 * @property {number} suit of the cards; -1: no cards
 * @typedef {{reason: Refusal, where: Where}} Undone a refused action
 */

const AGAIN = 350 // a second tap on the stock within this time is not meant as a second draw, ms
const CORNER = 0.15 // a dragged card counts for a pile only if more than this part of the card lies on it

/**
 * @param {State} state @param {object} table the functions that the hand calls.
 * @param {(text: string) => void} table.move @param {() => void} table.undo @param {() => void} table.help
 * @param {(undone: Undone) => void} table.refuse
 * @param {(undone: Undone | null) => void} table.explain the hand lifted other cards instead, which stay lifted.
 * @param {(what: 'lifted' | 'dropped' | 'pile' | 'homes' | 'waste') => void} table.say @param {() => void} table.render
 * @param {() => void} table.focus
 */
export function createHand(state, table) {
  /** @param {Move} move */
  function play(move) {
    drop(state)
    table.move(moveText(move))
  }

  /** @param {number} pile the target @returns {Where} */
  function whereAt(pile) {
    const { source, count, slot } = state.lifted ?? { source: pile, count: 0, slot: -1 }
    const suit = state.board && slot >= 0 ? suitOf(state.board.face(slot)) : -1
    return { source, count, pile, suit }
  }

  /** @param {Refusal} reason @param {number} pile the target */
  function refuse(reason, pile) {
    const where = whereAt(pile)
    drop(state)
    table.render()
    table.refuse({ reason, where })
  }

  /** Shows all cards of the waste, or no longer. @param {boolean} on */
  function look(on) {
    if (!spread(state, on)) return
    if (on) drop(state)
    table.render()
  }

  function putBack() {
    look(false)
    if (!state.lifted) return
    drop(state)
    table.render()
    table.say('dropped')
  }

  /**
   * Lifts cards. If other cards were lifted, the player may have meant to move them to this column. That is unknown, so the hand
   * does the more common thing, and returns why the other cards could not go there.
   * @param {number} source @param {number} [count] @returns {Undone | null}
   */
  function take(source, count) {
    const isMove = state.lifted && state.lifted.source !== source && source > WASTE
    const undone = isMove ? { reason: whyNotTo(state, source), where: whereAt(source) } : null
    lift(state, source, count)
    table.render()
    table.say('lifted')
    return undone
  }

  function turnStock() {
    if (!state.options.interactive) return
    const move = turnOf(state)
    if (typeof move === 'string') refuse(move, STOCK)
    else play(move)
  }

  let drew = -Infinity // the time of the last tap on the stock

  /**
   * The action of a tap or Enter on a pile: place the lifted cards, or lift cards.
   * @param {number} pile @param {number} [count] of the touched cards @param {number} [at] the time of a tap, ms
   */
  function act(pile, count, at = NaN) {
    if (pile === STOCK) {
      if (at - drew < AGAIN) return
      drew = at
      return turnStock()
    }
    if (state.lifted?.source === pile) return putBack()
    const move = moveTo(state, pile)
    if (move) return play(move)
    // The player wants other cards, and need not put these back first.
    if (canLift(state, pile) && !isMeant(state, pile)) return table.explain(take(pile, count))
    if (state.lifted) refuse(whyNotTo(state, pile), pile)
    else if (state.options.interactive && pile !== FOUNDATION)
      refuse(pile > WASTE && state.board?.column(pile).length ? 'not-turned-yet' : 'no-card', pile)
  }

  /** The action of a double tap: makes the best move of the lifted cards. */
  function best() {
    const move = bestOf(state)
    if (move) play(move)
    else if (state.lifted) refuse('no-move', state.lifted.source)
  }

  /** For a key: if no cards are lifted, lifts those of the focused pile. @param {number} [count] */
  function takeFocused(count) {
    const pile = state.piles[state.focus]?.number
    if (!state.lifted && pile !== undefined && canLift(state, pile)) lift(state, pile, count)
  }

  /** Lifts one card more or less of the sequence. @param {number} by @returns {boolean} whether this is possible */
  function recount(by) {
    const { lifted, board, focus, piles } = state
    if (!lifted || !board || piles[focus]?.number !== lifted.source) return false
    const count = lifted.count + by
    if (count < 1 || count > board.longestRun(lifted.source)) return false
    take(lifted.source, count)
    return true
  }

  const presses = {
    act: () => act(state.piles[state.focus]?.number ?? STOCK),
    drop: putBack,
    draw: turnStock,
    home() {
      takeFocused(1)
      if (!state.lifted) return
      const move = moveTo(state, FOUNDATION)
      if (move) play(move)
      else refuse('foundation-not-ready', state.lifted.source)
    },
    best() {
      takeFocused()
      best()
    },
    undo() {
      if (!state.options.interactive) return
      const reason = whyNoUndo(state)
      if (reason) return refuse(reason, STOCK)
      drop(state)
      table.undo()
    },
    help: table.help,
    spread() {
      look(!state.spread)
      if (state.spread) table.say('waste')
    },
    read: () => table.say('pile'),
    'read-homes': () => table.say('homes'),
  }

  /** @param {Action} action */
  function press(action) {
    if (action !== 'spread' && action !== 'drop') look(false)
    if (action === 'left' || action === 'right' || action === 'up' || action === 'down') {
      if ((action === 'up' && recount(1)) || (action === 'down' && recount(-1))) return
      if (state.layout) state.focus = neighbour(state.layout.areas, state.focus, action)
      return table.focus()
    }
    if (action in presses) return presses[/** @type {keyof typeof presses} */ (action)]()
    const pile = action === 'waste' ? WASTE : Number(action.slice('column-'.length))
    if (!state.board || pile > state.board.game.columns) return
    state.focus = state.piles.findIndex((one) => one.number === pile)
    act(pile)
    table.focus()
  }

  /**
   * Drops the dragged cards on the pile under the finger. If that pile does not take them, the piles that they cover follow,
   * the most covered one first.
   */
  function release() {
    const { layout, lifted, drag, piles } = state
    if (!layout || !lifted || !drag) return putBack()
    const card = heldAt(layout, drag)
    const finger = { ...drag.finger, w: 1, h: 1 }
    const reached = piles
      .map(({ number }, i) => ({
        number,
        covered: overlap(layout.areas[i], finger) * card.w * card.h + overlap(layout.areas[i], card),
      }))
      // Ignore a pile under a mere corner of the card.
      .filter(({ covered }) => covered > card.w * card.h * CORNER)
      .sort((one, other) => other.covered - one.covered)
    for (const { number } of reached) {
      const move = moveTo(state, number)
      if (move) return play(move)
    }
    const under = reached[0]?.number
    if (under === undefined || under === lifted.source || under === STOCK || under === WASTE) putBack()
    else refuse(whyNotTo(state, under), under)
  }

  return { act, look, take, explain: table.explain, putBack, best, press, release }
}
