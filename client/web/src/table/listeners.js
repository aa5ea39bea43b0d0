/** All event listeners: turns pointers and keys into actions of the hand. */
import { WASTE } from '../rules/move-notation.js'
import { gripOf, touchedAt } from './card-positions.js'
import { actionOf } from './key-actions.js'
import { canLift, isMeant, lift } from './state.js'

/** @import { Hand, Undone } from './gestures.js' */
/** @import { Action } from './key-actions.js' */
/** @import { View } from './render.js' */
/** @import { Point, State } from './state.js' */

const SLACK = { mouse: 4, pen: 6, touch: 9 } // a finger trembles more than a mouse
const ELSEWHERE = 24 // a pointer that moves this far is no tap, px
const LOOK_AFTER = { mouse: 600, pen: 450, touch: 450 } // a pause on the waste, or a long press, shows all of it, ms
const DOUBLE = 420 // two taps within this time are a double tap, ms

/**
 * @typedef {object} Gesture
 * @property {number} pile @property {number} slack @property {number} id of the pointer.
 * @property {number} count of the cards from the touched one on.
 * @property {Point} from the start on the screen.
 * @property {Point} at the present position on the screen.
 * @property {boolean} took true: this gesture lifted the cards.
 * @property {Undone | null} undone why other lifted cards could not go there. It is shown after a tap, not after a drag.
 * @property {boolean} drags true: the drag has begun
 */

/** @param {HTMLElement} root @param {State} state @param {Hand} hand @param {Pick<View, 'render' | 'renderDrag'>} view */
export function listen(root, state, hand, view) {
  /** @type {Gesture | null} */
  let gesture = null
  let frame = 0 // the animation frame that will move the dragged cards; 0: the finger has not moved since the last one
  let last = { pile: NaN, count: 0, at: -Infinity }
  const stop = new AbortController()

  /**
   * @template {keyof HTMLElementEventMap} K @param {HTMLElement | Document} target @param {K} type
   * @param {(event: HTMLElementEventMap[K]) => void} handle
   */
  const on = (target, type, handle) =>
    target.addEventListener(type, /** @type {EventListener} */ (handle), { signal: stop.signal, passive: false })

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let looking

  /** Shows all cards of the waste after a pause of the pointer. @param {PointerEvent} event */
  function lookLater({ pointerType }) {
    clearTimeout(looking)
    looking = setTimeout(
      () => {
        if (gesture?.drags) return
        gesture = null // this is no tap
        hand.look(true)
      },
      LOOK_AFTER[/** @type {keyof typeof LOOK_AFTER} */ (pointerType)],
    )
  }

  function lookAway() {
    clearTimeout(looking)
    hand.look(false)
  }

  on(root, 'pointerover', (event) => {
    if (event.pointerType === 'mouse' && !event.buttons && pileOf(event.target) === WASTE) lookLater(event)
  })
  on(root, 'pointerout', (event) => {
    if (event.pointerType === 'mouse' && pileOf(event.target) === WASTE) lookAway()
  })

  /** @param {PointerEvent} event @returns {Point} */
  const onScreen = ({ clientX, clientY }) => ({ x: clientX, y: clientY })

  /** @param {Point} at on the screen @returns {Point} */
  const inTable = (at) => {
    const box = root.getBoundingClientRect()
    return { x: at.x - box.x - root.clientLeft, y: at.y - box.y - root.clientTop }
  }

  /** The distance from the start. @param {Gesture} gesture */
  const way = ({ from, at }) => Math.hypot(at.x - from.x, at.y - from.y)

  /** @param {EventTarget | null} target @returns {number | null} */
  function pileOf(target) {
    const id = target instanceof Element && target.closest('[data-pile]')?.getAttribute('data-pile')
    return state.piles.find((pile) => pile.id === id)?.number ?? null
  }

  on(root, 'pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return
    gesture = null
    lookAway()
    const pile = pileOf(event.target)
    if (pile === WASTE && event.pointerType !== 'mouse') lookLater(event)
    if (pile === null) return hand.putBack()
    const at = onScreen(event)
    const count = Math.min(touchedAt(state, pile, inTable(at).y), canLift(state, pile) ? (state.board?.longestRun(pile) ?? 0) : 0)
    const slack = SLACK[/** @type {keyof typeof SLACK} */ (event.pointerType)] ?? SLACK.touch
    gesture = { id: event.pointerId, pile, count, from: at, at, slack, took: false, undone: null, drags: false }
    state.focus = state.piles.findIndex((one) => one.number === pile)
    const { lifted } = state
    const again = lifted?.source === pile && (lifted.count === count || isDouble(event, pile, count))
    // Lift on touch, not on release: a drag may start here, and a tap feels faster.
    if (count && !again && !isMeant(state, pile)) {
      gesture.took = true
      gesture.undone = hand.take(pile, count)
    }
  })

  /** By the event's time: a busy page may be late. @param {PointerEvent} event @param {number} pile @param {number} count */
  const isDouble = ({ timeStamp }, pile, count) => last.pile === pile && last.count === count && timeStamp - last.at < DOUBLE

  on(document, 'pointermove', (event) => {
    if (event.pointerId !== gesture?.id) return
    gesture.at = onScreen(event)
    if (!gesture.drags) {
      const { pile, count, from, slack, at } = gesture
      if (way(gesture) >= slack) clearTimeout(looking)
      if (way(gesture) < slack || !count || !canLift(state, pile)) return
      if (state.lifted?.source !== pile || state.lifted.count !== count) lift(state, pile, count)
      gesture.drags = true
      root.setPointerCapture(event.pointerId)
      state.drag = { finger: inTable(at), grip: gripOf(state, pile, count, inTable(from)) }
      view.render() // other piles may be lit now, because a drag moves exactly these cards
      return
    }
    // A finger moves more often than the browser paints.
    frame ||= requestAnimationFrame(carry)
  })

  function carry() {
    frame = 0
    // A new board has taken the cards out of the hand.
    if (!state.drag) return
    follow()
    view.renderDrag()
  }

  /** Moves the dragged cards to the finger, also after the table's size or place has changed. */
  function follow() {
    if (gesture && state.drag) state.drag = { ...state.drag, finger: inTable(gesture.at) }
  }

  on(document, 'pointerup', (event) => {
    if (event.pointerType !== 'mouse') lookAway()
    if (event.pointerId !== gesture?.id) return
    gesture.at = onScreen(event)
    follow()
    const { pile, count, took, undone, drags } = gesture
    const far = way(gesture)
    gesture = null
    if (drags) {
      if (state.drag) hand.release()
      return
    }
    // The pointer was released elsewhere, so this is no tap.
    if (far > ELSEWHERE) return
    const double = isDouble(event, pile, count)
    last = { pile, count, at: took ? event.timeStamp : -Infinity }
    if (took) return hand.explain(undone)
    if (double && state.lifted?.source === pile) hand.best()
    else hand.act(pile, count, event.timeStamp)
  })

  on(document, 'pointercancel', (event) => {
    lookAway()
    if (event.pointerId !== gesture?.id) return
    gesture = null
    hand.putBack()
  })

  // A drag must not start a scroll with a fling: Chrome uses the next tap to stop the fling, so a button touched right after a
  // drag would get no click.
  on(root, 'touchmove', (event) => {
    if (event.touches.length === 1 && event.cancelable) event.preventDefault()
  })

  // Suppresses the mouse events that a browser adds after a tap. The tap is already handled, and they would only delay the paint,
  // because the browser looks for their target under the cards each time. Touching the table also takes the focus from a text
  // field.
  on(root, 'touchend', (event) => {
    if (!event.cancelable || event.touches.length > 0) return
    event.preventDefault()
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && !root.contains(activeElement)) activeElement.blur()
  })

  // Handles only clicks of screen readers, which have no pointer.
  on(root, 'click', (event) => {
    const pile = event.detail === 0 ? pileOf(event.target) : null
    if (pile !== null) hand.act(pile)
  })

  /** Whether the table may handle a key pressed here. @param {EventTarget | null} target @param {Action} action */
  function isOurs(target, action) {
    if (!(target instanceof Element) || document.querySelector('dialog[open]')) return false
    if (root.contains(target)) return true
    if (!state.options.keys || target.closest('input,textarea,select,[contenteditable],[role=dialog]')) return false
    // A focused element outside the table may need these keys.
    return target.matches('html,body,h1') || !['act', 'draw', 'left', 'right', 'up', 'down'].includes(action)
  }

  on(document, 'keydown', (event) => {
    const action = actionOf(event, state.options.altKeys)
    if (!action || event.defaultPrevented || !isOurs(event.target, action)) return
    if (action === 'drop' && !state.lifted && !state.spread) return
    event.preventDefault()
    if (!gesture?.drags && (!event.repeat || action === 'left' || action === 'right')) hand.press(action)
  })

  // A browser clicks a button on release of the space bar, but on the table this key draws.
  on(root, 'keyup', (event) => {
    if (event.key === ' ' && pileOf(event.target) !== null) event.preventDefault()
  })

  on(root, 'focusin', (event) => {
    const pile = event.target instanceof HTMLElement ? event.target.dataset.pile : undefined
    const index = state.piles.findIndex((one) => one.id === pile)
    if (index < 0 || index === state.focus) return
    state.focus = index
    view.render()
  })

  return {
    follow,
    stop() {
      stop.abort()
      clearTimeout(looking)
      cancelAnimationFrame(frame)
    },
  }
}
