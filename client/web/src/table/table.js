/**
 * The card table: shows a board and reports the player's moves.
 *
 *     const table = createTable(element, { onMove: (text) => play(text), onUndo: () => play('undo') })
 *     table.showFaceDown(game)
 *     table.show(board, { animate: true })
 *
 * A table never changes a board. It reports a move through `onMove`, and the caller answers with `show`. If it does not, the
 * cards return to their old places.
 */
import { effect } from '@preact/signals'
import './table.css'
import { STOCK, WASTE } from '../rules/move-notation.js'
import { language } from '../words/translate.js'
import { createHand } from './gestures.js'
import { listen } from './listeners.js'
import { createView } from './render.js'
import { cardText, hinted, homesInFull, lastMove, pileInFull, reasonText, say } from './speech.js'
import { arrange, createState, drop, setBoard, unseen } from './state.js'

/** @import { Board } from '../rules/board.js' */
/** @import { Game } from '../rules/games.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @import { Where } from './gestures.js' */
/** @import { Options, Refusal } from './state.js' */

/** @typedef {ReturnType<typeof createTable>} Table */

/**
 * @typedef {object} Hint
 * @property {Move | null} move a good one; null: none is left
 * @property {Refusal} [why] in place of a move: why the player cannot undo
 * @property {boolean} [unasked] true: a lesson speaks of it, so it leaves lifted cards in the hand, and stays without a note
 * @property {readonly string[]} [marks] the piles that a lesson speaks of
 */

/**
 * @typedef {object} Calls functions that the table calls, which may change
 * @property {((text: string) => void) | undefined} [onMove] the player made a legal move.
 * @property {(() => void) | undefined} [onUndo]
 * @property {(() => void) | undefined} [onHelp] the help key.
 * @property {() => void} [onRefuseLocally] the table has refused an action and shown the reason
 */

/** @param {HTMLElement} element the table fills it, and its size decides the size of the cards @param {Calls} calls */
export function createTable(element, calls) {
  // A table without cards is not playable: cards and options arrive together.
  const state = createState({ interactive: false })
  const view = createView(element, state)
  let spoken = ''
  let shows = 0

  /** @param {string} message @param {Where} [where] shown beside this pile */
  function flash(message, where) {
    view.refuse(message, where)
    view.say(message)
  }

  const hand = createHand(state, {
    render: view.render,
    focus: view.focus,
    move(text) {
      const before = shows
      calls.onMove?.(text)
      if (shows === before) view.render()
    },
    undo() {
      calls.onUndo?.()
      view.render()
    },
    help: () => calls.onHelp?.(),
    refuse({ reason, where }) {
      flash(reasonText(reason, state.board?.game), where)
      calls.onRefuseLocally?.()
    },
    explain(undone) {
      if (!undone) return
      const message = reasonText(undone.reason, state.board?.game)
      view.refuse(message, undone.where)
      view.say(`${message}; ${pickedUp()}`)
    },
    say(what) {
      const { board } = state
      if (what === 'dropped') view.say(say('race.table.putBack'))
      else if (what === 'pile' && board) view.say(pileInFull(board, state.piles[state.focus]))
      else if (what === 'homes' && board) view.say(homesInFull(board))
      else if (what === 'waste' && board) view.say(pileInFull(board, { id: 'waste', number: WASTE, suit: -1 }))
      else if (what === 'lifted') view.say(pickedUp())
    },
  })

  /** The lifted cards in words. */
  function pickedUp() {
    const { lifted, board } = state
    if (!lifted || !board) return ''
    const { source, count } = lifted
    return say('race.table.pickedUp', { count, card: cardText(board.face(board.pile(source).at(-count) ?? -1)) })
  }

  /** Announces the last move once, when all its cards are known. @param {Board} board @param {Board | null} before */
  function speak(board, before) {
    const said = lastMove(board)
    if (said === null) return
    const now = `${board.movesMade} ${said}`
    const fewer = spoken !== '' && board.movesMade < Number.parseInt(spoken, 10)
    const news = before?.game === board.game && spoken !== '' && now !== spoken
    spoken = now
    if (news) view.say(fewer ? say('race.table.undone') : said)
  }

  /** @param {Board} board @param {{animate?: boolean}} [how] */
  function show(board, { animate = true } = {}) {
    const before = state.board
    const other = before?.game !== board.game
    shows += 1
    if (board !== before) view.unhint()
    setBoard(state, board)
    if (other) {
      view.build()
      view.arrange()
    }
    view.render({ glide: animate && !other })
    speak(board, before)
  }

  const sizes = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element
    if (width === state.size.width && height === state.size.height) return
    state.size = { width, height }
    rearrange()
  })

  /** Lifted cards stay lifted. */
  function rearrange() {
    arrange(state)
    view.arrange()
    pointers.follow()
    view.render({ glide: false })
  }

  state.size = { width: element.clientWidth, height: element.clientHeight }
  sizes.observe(element)
  const stopNaming = effect(() => {
    language()
    view.name()
  })
  const pointers = listen(element, state, hand, view)

  return {
    show,

    /** Shows the deal before the start: all cards in place and face down. @param {Game} game */
    showFaceDown(game) {
      spoken = ''
      show(unseen(game), { animate: false })
      spoken = '0 '
    },

    /** @param {Partial<Options>} changed */
    setOptions(changed) {
      Object.assign(state.options, changed)
      if (!state.options.interactive) drop(state)
      rearrange()
    },

    /** Shows and announces a message. */
    flash: (/** @type {string} */ message) => flash(message),

    /** Shows and announces a good move. @param {Hint} hint */
    hint({ move, unasked, why, marks }) {
      if (marks) return view.mark(marks)
      if (why) {
        flash(reasonText(why, state.board?.game), { source: STOCK, count: 0, pile: WASTE, suit: -1 })
        return calls.onRefuseLocally?.()
      }
      if (!unasked) {
        drop(state)
        view.render()
      }
      if (!state.board || !move) return flash(say('race.table.hint.none'))
      if (!state.board.isLegal(move)) return // it was found for an earlier board
      const text = hinted(state.board, move)
      view.hint(move, unasked ? '' : text)
      view.say(text)
    },

    /** Moves the keyboard focus to the table. */
    focus: view.focus,

    destroy() {
      stopNaming()
      pointers.stop()
      sizes.disconnect()
      view.destroy()
    },
  }
}
