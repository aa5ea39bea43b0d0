/**
 * What a touch, a drag or a key does: the functions that change the state. They do not know how they were called, and the
 * only thing that leaves the table through them is the text of a move.
 */

import { FOUNDATION, moveText, STOCK, WASTE } from '../rules/moves.js'
import { heldAt } from './card-positions.js'
import { neighbour } from './piles.js'
import { bestOf, canLift, drop, isMeant, lift, moveTo, turnOf, whyNotTo, whyNoUndo } from './state.js'

/**
 * @import { Move } from '../rules/moves.js'
 * @import { Action } from './key-actions.js'
 * @import { Box } from './layout.js'
 * @import { Refusal, State } from './state.js'
 */

/** @typedef {ReturnType<typeof createHand>} Hand */

/**
 * Where something did not work: the cards that stay where they are, and the pile that was meant.
 *
 * @typedef {object} Where
 * @property {number} source the pile of the cards
 * @property {number} count how many; 0: no cards
 * @property {number} pile
 * @property {number} suit of the cards; -1: no cards
 */

/** What was not done, and where. @typedef {{reason: Refusal, where: Where}} Undone */

/** As a part of a card. */
const CORNER = 0.15

/**
 * @param {State} state
 * @param {object} table what the hand works on
 * @param {(text: string) => void} table.move
 * @param {() => void} table.undo
 * @param {() => void} table.help
 * @param {(undone: Undone) => void} table.refuse
 * @param {(undone: Undone) => void} table.explain as others were taken into the hand instead, which stay there
 * @param {(what: 'lifted' | 'dropped' | 'pile' | 'homes') => void} table.say
 * @param {() => void} table.render
 * @param {() => void} table.focus
 */
export function createHand(state, table) {
  /** @param {Move} move */
  function play(move) {
    drop(state)
    table.move(moveText(move))
  }

  /** @param {number} pile the one that was meant @returns {Where} */
  function whereAt(pile) {
    const { source, count, slot } = state.lifted ?? { source: pile, count: 0, slot: -1 }
    const suit = state.board && slot >= 0 ? Math.floor(state.board.face(slot) / 13) : -1
    return { source, count, pile, suit }
  }

  /** @param {Refusal} reason @param {number} pile the one that was meant */
  function refuse(reason, pile) {
    const where = whereAt(pile)
    drop(state)
    table.render()
    table.refuse({ reason, where })
  }

  function putBack() {
    if (!state.lifted) return
    drop(state)
    table.render()
    table.say('dropped')
  }

  /**
   * Takes cards into the hand. If others were there, the column of these may have been meant for those: nobody knows, so the
   * hand does what most do, and it can be said why the others did not go there.
   *
   * @param {number} source @param {number} [count]
   * @returns {Undone | null}
   */
  function take(source, count) {
    const isMove = state.lifted && state.lifted.source !== source && source > WASTE
    const undone = isMove ? { reason: whyNotTo(state, source), where: whereAt(source) } : null
    lift(state, source, count)
    table.render()
    table.say('lifted')
    return undone
  }

  /** Says why cards did not go where others were taken. @param {Undone | null} undone */
  function explain(undone) {
    if (undone) table.explain(undone)
  }

  function turnStock() {
    if (!state.options.interactive) return
    const move = turnOf(state)
    if (typeof move === 'string') refuse(move, STOCK)
    else play(move)
  }

  /**
   * The one thing that touching a pile, or Enter on it, does: place what is in the hand, or take something into it.
   *
   * @param {number} pile @param {number} [count] of the cards that were touched
   */
  function act(pile, count) {
    if (pile === STOCK) return turnStock()
    if (state.lifted?.source === pile) return putBack()
    const move = moveTo(state, pile)
    if (move) return play(move)
    // Another card was meant: no need to put this one back first.
    if (canLift(state, pile) && !isMeant(state, pile)) return explain(take(pile, count))
    if (state.lifted) refuse(whyNotTo(state, pile), pile)
    else if (state.options.interactive && pile !== FOUNDATION)
      refuse(pile > WASTE && state.board?.column(pile).length ? 'not-turned-yet' : 'no-card', pile)
  }

  /** Sends the lifted cards where a double tap does. */
  function best() {
    const move = bestOf(state)
    if (move) play(move)
    else if (state.lifted) refuse('no-move', state.lifted.source)
  }

  /** Takes what a key should work on, if nothing is in the hand: what lies where the focus is. @param {number} [count] */
  function takeFocused(count) {
    const pile = state.piles[state.focus]?.number
    if (!state.lifted && pile !== undefined && canLift(state, pile)) lift(state, pile, count)
  }

  /** One card more or less, of a sequence that has been lifted. @param {number} by @returns {boolean} whether it can be */
  function recount(by) {
    const { lifted, board, focus, piles } = state
    if (!lifted || !board || piles[focus]?.number !== lifted.source) return false
    const count = lifted.count + by
    if (count < 1 || count > board.longestRun(lifted.source)) return false
    take(lifted.source, count)
    return true
  }

  /** @param {Action} action */
  function press(action) {
    switch (action) {
      case 'left':
      case 'right':
      case 'up':
      case 'down': {
        if ((action === 'up' && recount(1)) || (action === 'down' && recount(-1))) return
        if (state.layout) state.focus = neighbour(state.layout.areas, state.focus, action)
        return table.focus()
      }
      case 'act':
        return act(state.piles[state.focus]?.number ?? STOCK)
      case 'drop':
        return putBack()
      case 'draw':
        return turnStock()
      case 'home': {
        takeFocused(1)
        if (!state.lifted) return
        const move = moveTo(state, FOUNDATION)
        return move ? play(move) : refuse('foundation-not-ready', state.lifted.source)
      }
      case 'best':
        takeFocused()
        return best()
      case 'undo': {
        if (!state.options.interactive) return
        const reason = whyNoUndo(state)
        if (reason) return refuse(reason, STOCK)
        drop(state)
        return table.undo()
      }
      case 'help':
        return table.help()
      case 'read':
        return table.say('pile')
      case 'read-homes':
        return table.say('homes')
      default: {
        const pile = action === 'waste' ? WASTE : Number(action.slice('column-'.length))
        if (!state.board || pile > state.board.game.columns) return
        state.focus = state.piles.findIndex((one) => one.number === pile)
        act(pile)
        table.focus()
      }
    }
  }

  /**
   * Dragged cards were let go: they go to the pile under the finger, or else to the one that they cover most of, if it
   * takes them.
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
      // A corner that sticks out into the next pile means nothing.
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

  return { act, take, explain, putBack, best, press, release }
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  const x = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const y = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  return x > 0 && y > 0 ? x * y : 0
}
