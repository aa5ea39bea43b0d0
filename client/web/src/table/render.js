/**
 * Renders the state. There is one permanent element for each physical card, and only changes are written. A move is a change of
 * `transform` with a CSS transition, so the next move can interrupt it at any point.
 */
import { createAfterPaint } from '../browser/after-paint.js'
import { HIDDEN } from '../rules/cards.js'
import { FOUNDATION, STOCK } from '../rules/move-notation.js'
import { cardElement, redealGlyph, showFace, suitGlyph } from './card-faces.js'
import { heldAt, IN_FLIGHT, litSlots, placesOf } from './card-positions.js'
import { placeOfNote } from './layout.js'
import { pileInFull, pileLabel, say } from './speech.js'
import { homeOf, targetsOf } from './state.js'

/** @import { Board } from '../rules/board.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @import { Place } from './card-positions.js' */
/** @import { Where } from './gestures.js' */
/** @import { Box, Layout } from './layout.js' */
/** @import { State } from './state.js' */

const SETTLED = 260 // a little longer than the longest movement in table.css, ms
const READ = 2200 // how long a reason is shown, ms
const HINTED = 4000 // how long a hint is shown, ms

/** Whether animations can be added to each other; in Safari 15 one would replace the place of the card. */
const ADDS = typeof KeyframeEffect === 'function' && 'composite' in KeyframeEffect.prototype

/**
 * A card that a finger drags.
 * @typedef {object} Held
 * @property {number} slot @property {number} x from the position of the first dragged card
 * @property {number} y @property {Animation | null} free makes its movement cheap
 */

/** @typedef {ReturnType<typeof createView>} View */

/** @param {HTMLElement} root @param {State} state */
export function createView(root, state) {
  const layer = (/** @type {string} */ className, tag = 'div') => {
    const element = Object.assign(document.createElement(tag), { className })
    root.append(element)
    return element
  }
  root.classList.add('ft-table', 'ft-still') // until there is a board
  root.dataset.table = ''
  root.setAttribute('role', 'group')
  const slots = layer('ft-layer')
  const cards = layer('ft-layer')
  cards.classList.add('ft-cards')
  const piles = layer('ft-layer')
  const bubble = layer('ft-bubble')
  const live = layer('ft-said')
  // The cards of every pile, for screen-reader users that read line by line. On `piles`, a screen reader passes all keys to the
  // table, and reads only the name of a pile.
  const list = layer('ft-list', 'ul')
  list.setAttribute('role', 'list') // WebKit does not treat a list without bullets as a list
  for (const hidden of [slots, cards, bubble]) hidden.setAttribute('aria-hidden', 'true')
  live.setAttribute('aria-live', 'polite')

  /** @type {HTMLElement[]} by slot of the board */
  const elements = Array.from({ length: 104 }, cardElement)
  cards.append(...elements)
  cards.addEventListener('animationend', ({ target }) => {
    if (target instanceof Element) target.parentElement?.classList.remove('ft-turn', 'ft-shake')
  })
  /** @type {Place[]} the places on the screen, by slot */
  let shown = []
  /** @type {Held[]} the dragged cards */
  let held = []
  let focus = -1 // the index of the focused pile at the last render
  /** @type {Map<string, HTMLElement>} the places under the cards: `column-3`, `home-4`, `stock`, `waste` */
  const marks = new Map()
  /** @type {HTMLButtonElement[]} by index of the state's piles */
  let buttons = []
  const count = Object.assign(document.createElement('span'), { className: 'ft-count' })
  const redeals = Object.assign(document.createElement('span'), { className: 'ft-redeals' })
  redeals.append(redealGlyph(), document.createElement('b'))
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let fading
  const piling = createAfterPaint()
  const saying = createAfterPaint()

  /** Creates the piles of a game. */
  function build() {
    const ids = ['stock', 'waste', ...Array.from({ length: 8 }, (_, i) => `home-${i}`)]
    const columns = state.piles.filter((pile) => pile.number > 0).map((pile) => pile.id)
    marks.clear()
    for (const id of [...ids, ...columns]) {
      const mark = Object.assign(document.createElement('div'), { className: 'ft-mark' })
      if (id.startsWith('home-')) {
        const home = Number(id.slice(5))
        mark.dataset.home = home % 2 ? 'second' : 'first'
        mark.append(suitGlyph(home >> 1, 'ft-pip'))
      }
      marks.set(id, mark)
    }
    slots.replaceChildren(...marks.values())
    buttons = state.piles.map((pile) => {
      const button = Object.assign(document.createElement('button'), { className: 'ft-pile', type: 'button' })
      button.dataset.pile = pile.id
      if (pile.number === STOCK) button.append(redeals, count)
      return button
    })
    piles.replaceChildren(...buttons)
    list.replaceChildren(...state.piles.map(() => document.createElement('li')))
  }

  /** Writes everything that depends only on the size and the options. */
  function arrange() {
    const { layout, options } = state
    root.classList.toggle('ft-four', options.fourColour)
    root.classList.toggle('ft-still', !options.interactive)
    // A screen reader passes all keys to the page only if keys can play cards.
    piles.setAttribute('role', options.interactive ? 'application' : 'group')
    if (!layout) return
    const { w, h, strip, pip, pipSize, stock, waste, homes, columns } = layout
    // By how much a foundation covers the one beside it, and the one above it.
    const [first, second, next] = homes
    const beside = Math.max(0, w - second.x + first.x)
    const above = layout.side ? Math.max(0, h - next.y + first.y) : 0
    root.classList.toggle('ft-paired', beside > 0)
    root.classList.toggle('ft-stacked', above > 0)
    const sizes = { w, h, strip, pip, 'pip-size': pipSize, 'lap-x': beside, 'lap-y': above }
    for (const [name, size] of Object.entries(sizes)) root.style.setProperty(`--${name}`, `${size}px`)
    const put = (/** @type {HTMLElement} */ element, /** @type {Box} */ { x, y, w, h }) =>
      Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` })
    const boxes = [stock, waste, ...homes, ...columns] // in the order of the marks
    ;[...marks.values()].forEach((mark, i) => put(mark, boxes[i]))
    homes.forEach((_, i) => {
      const mark = /** @type {HTMLElement} */ (marks.get(`home-${i}`))
      mark.style.clipPath = `inset(0 0 ${i < 6 ? above : 0}px ${i % 2 ? beside : 0}px)`
    })
    state.piles.forEach((pile, i) => {
      put(buttons[i], layout.areas[i])
      const at = pile.number === STOCK ? stock : pile.number > 0 ? columns[pile.number - 1] : layout.areas[i]
      buttons[i].style.setProperty('--x', `${at.x - layout.areas[i].x}px`)
      buttons[i].style.setProperty('--y', `${at.y - layout.areas[i].y}px`)
    })
  }

  /** @param {boolean} glide @param {number[]} targets */
  function renderCards(glide, targets) {
    const places = placesOf(state, targets)
    const columns = state.layout?.columns.length ?? 1
    // At the start of a race, the whole tableau is revealed in the order of the deal.
    const dealt = state.board?.movesMade === 0
    places.forEach((place, slot) => {
      const before = shown[slot]
      const element = elements[slot]
      const moves = !before || before.x !== place.x || before.y !== place.y
      // The cards of the waste make room without a transition: eight of them would cost a slow phone an eighth of a tap.
      const isAside = before?.fanned && place.fanned && !before.lifted && !place.lifted
      const glides = glide && moves && before && !isAside && !(state.drag && place.lifted) && (place.shown || before.shown)
      if (moves) element.style.transform = transformOf(place)
      if (glides) element.classList.add('ft-glide')
      else if (moves) element.classList.remove('ft-glide')
      if (moves || before.z !== place.z) element.style.zIndex = String(place.z + (glides ? IN_FLIGHT : 0))
      if (before?.shown !== place.shown) element.classList.toggle('ft-under', !place.shown)
      if (before?.lifted !== place.lifted) element.classList.toggle('ft-lifted', place.lifted)
      if (before?.bare !== place.bare) element.classList.toggle('ft-bare', place.bare)
      if (before?.lit !== place.lit) element.classList.toggle('ft-lit', place.lit)
      if (before?.squeeze !== place.squeeze) element.style.setProperty('--squeeze', place.squeeze.toFixed(2))
      if (before?.face !== place.face) {
        showFace(element, place.face)
        if (glide && before && place.face !== HIDDEN && place.shown) {
          // How long the reveal waits.
          element.style.setProperty('--nth', String(dealt ? (slot % columns) + 2 * Math.floor(slot / columns) : 0))
          element.classList.add('ft-turn')
        }
      }
    })
    shown = places
    hold()
    clearTimeout(settling)
    settling = setTimeout(settle, SETTLED)
  }

  /** At the start of a drag: finds the dragged cards and their positions under the finger. */
  function hold() {
    const { layout, drag } = state
    for (const { free } of held) free?.cancel()
    held = []
    if (!layout || !drag) return
    const at = heldAt(layout, drag)
    shown.forEach((place, slot) => {
      if (!place.lifted) return
      // An animation without effect. With it, Chromium assumes that this element can be anywhere, and does not recompute the
      // layers of the whole page in each frame.
      const free = ADDS ? elements[slot].animate({ transform: ['none', 'none'] }, { composite: 'add', duration: 1 }) : null
      free?.pause()
      held.push({ slot, x: place.x - Math.round(at.x), y: place.y - Math.round(at.y), free })
    })
  }

  /** Gives the cards that have arrived their final z-index. */
  function settle() {
    for (const element of cards.querySelectorAll('.ft-glide')) {
      element.classList.remove('ft-glide')
      const slot = elements.indexOf(/** @type {HTMLElement} */ (element))
      elements[slot].style.zIndex = String(shown[slot].z)
    }
  }

  /** Renders the marks under the cards and the numbers on the stock. @param {number[]} targets */
  function renderMarks(targets) {
    const { board, layout } = state
    if (!board || !layout) return
    const lit = litSlots(state, targets)
    for (const [id, mark] of marks) mark.classList.toggle('ft-lit', lit.has(id))
    text(count, board.stockCount ? String(board.stockCount) : '')
    text(/** @type {HTMLElement} */ (redeals.lastChild), board.redealsLeft ? String(board.redealsLeft) : '')
    redeals.classList.toggle('ft-gone', board.redealsLeft === 0)
    redeals.classList.toggle('ft-due', board.redealsLeft > 0 && board.stockCount === 0)
  }

  /** The height of a pile's cards, px. @param {Board} board @param {Layout} layout @param {number} pile */
  function depthOf(board, layout, pile) {
    const slot = pile > 0 ? board.column(pile).at(-1) : undefined
    return slot === undefined ? layout.h : shown[slot].y - layout.columns[0].y + layout.h
  }

  /** Puts the bubble beside the cards that it speaks of, or beside all columns. @param {Where | undefined} where */
  function placeBubble(where) {
    const { board, layout, piles: all, size } = state
    if (!board || !layout) return
    const { pile = 0, suit = -1 } = where ?? {}
    const index = all.findIndex(({ number, suit: own }) => number === pile && (pile !== FOUNDATION || suit < 0 || own === suit))
    const [{ y }] = layout.columns
    const whole = where ? layout.areas[index] : { x: 0, y, w: size.width, h: layout.floor - y }
    const box = where && pile > 0 ? { ...whole, y, h: depthOf(board, layout, pile) } : whole
    const cards = where ? slotsOf(state, where).map((slot) => ({ ...shown[slot], w: layout.w, h: layout.h })) : []
    const at = placeOfNote({ width: bubble.offsetWidth, height: bubble.offsetHeight }, size, box, cards)
    Object.assign(bubble.style, { left: `${at.x}px`, top: `${at.y}px`, right: 'auto', bottom: 'auto' })
  }

  /** Shows a message beside a pile for `time` ms. @param {string} message @param {Where | undefined} where @param {number} time */
  function showBubble(message, where, time) {
    fade()
    text(bubble, message)
    bubble.classList.add('ft-seen')
    bubble.style.inset = ''
    placeBubble(where)
    clearTimeout(fading)
    fading = setTimeout(fade, time)
  }

  /** Frames the top card of a pile, or its place if it is empty. @param {string} place @param {readonly number[]} slots */
  function frame(place, slots) {
    const top = slots.at(-1) // the next card of the stock is the last one
    ;(top === undefined ? marks.get(place) : elements[top])?.classList.add('ft-hint')
  }

  function fade() {
    clearTimeout(fading)
    bubble.classList.remove('ft-seen')
    for (const element of root.querySelectorAll('.ft-hint')) element.classList.remove('ft-hint')
    // With reduced motion no card shakes, so no `animationend` removes the class.
    for (const card of cards.querySelectorAll('.ft-shake')) card.classList.remove('ft-shake')
  }

  /** Renders the piles for keyboards and screen readers. */
  function renderPiles() {
    const { board, layout } = state
    if (!board || !layout) return
    const targets = new Set(targetsOf(state))
    root.classList.toggle('ft-nowhere', state.lifted !== null && targets.size === 0)
    const suit = homeOf(state) >> 1 // with foundations in alternating colours, not always that of the card
    state.piles.forEach((pile, i) => {
      const takesIt = targets.has(pile.number) && (pile.number !== FOUNDATION || pile.suit === suit)
      const inHand = state.lifted?.source === pile.number
      const label = pileLabel(board, pile)
      const said = inHand
        ? say('race.table.pickedUpHere', { pile: label })
        : takesIt
          ? say('race.table.legalMove', { pile: label })
          : label
      attribute(buttons[i], 'aria-label', said)
      attribute(buttons[i], 'tabindex', i === state.focus ? '0' : '-1')
      buttons[i].toggleAttribute('data-lit', takesIt)
      buttons[i].toggleAttribute('data-lifted', inHand)
      if (pile.number > 0) buttons[i].style.setProperty('--depth', `${depthOf(board, layout, pile.number)}px`)
      text(list.children[i], pileInFull(board, pile))
    })
  }

  /** @param {{glide?: boolean}} [how] */
  function render({ glide = true } = {}) {
    focus = state.focus
    const targets = targetsOf(state)
    root.classList.toggle('ft-spread', state.spread)
    renderCards(glide, targets)
    renderMarks(targets)
    piling.do(renderPiles)
    // A pile must always have a name.
    if (!buttons[0]?.hasAttribute('aria-label')) piling.now()
  }

  /** Sets all lasting labels in the language in use. */
  function name() {
    root.setAttribute('aria-label', say('race.table.label'))
    piles.setAttribute('aria-label', say('race.table.piles'))
    list.setAttribute('aria-label', say('race.table.list'))
    saying.drop()
    live.textContent = ''
    piling.do(renderPiles)
  }

  return {
    build,
    arrange,
    render,
    name,

    /** Moves only the dragged cards, after the finger. */
    renderDrag() {
      const { layout, drag } = state
      if (!layout || !drag) return
      const at = heldAt(layout, drag)
      for (const { slot, x, y } of held) {
        const place = shown[slot]
        place.x = Math.round(at.x) + x
        place.y = Math.round(at.y) + y
        elements[slot].style.transform = transformOf(place)
      }
    },

    focus() {
      if (state.focus !== focus) render()
      piling.now() // a screen reader reads the pile's label on focus
      buttons[state.focus]?.focus({ preventScroll: true })
    },

    /** @param {string} message */
    say(message) {
      saying.do(() => {
        // Screen readers ignore a repeated text, so make it different.
        live.textContent = live.textContent === message ? `${message}\u00a0` : message
      })
    },

    /** Shows a reason beside its pile for a moment, and shakes the cards that could not move. @param {string} message @param {Where} [where] */
    refuse(message, where) {
      showBubble(message, where, READ)
      for (const slot of where ? slotsOf(state, where) : []) {
        elements[slot].classList.remove('ft-shake')
        void elements[slot].offsetWidth // a reflow restarts the animation
        elements[slot].classList.add('ft-shake')
      }
    },

    /** Frames piles: their top cards or empty places. @param {readonly string[]} ids */
    mark(ids) {
      const { board, piles: all } = state
      fade()
      if (!board) return
      for (const { id, number, suit } of all.filter(({ id }) => ids.includes(id))) {
        if (number !== FOUNDATION) frame(id, number === STOCK ? board.stockSlots : board.pile(number))
        else for (const home of [suit * 2, suit * 2 + 1]) frame(`home-${home}`, board.homeSlots[home])
      }
    },

    /** Shows a good move for a while, or without a message until the next one: the cards and their target. @param {Move} move @param {string} message */
    hint(move, message) {
      const { board } = state
      if (!board) return
      const { source, target, count } = move
      const isTurn = source === STOCK || target === STOCK
      const inHand = isTurn ? [] : slotsOf(state, { source, count })
      const pile = isTurn ? STOCK : target
      const home = target === FOUNDATION ? homeOf({ ...state, lifted: { source, count, slot: inHand[0] } }) : -1
      if (message) showBubble(message, { source, count, pile, suit: home >> 1 }, HINTED)
      else fade()
      for (const slot of inHand) elements[slot].classList.add('ft-hint')
      const onto = isTurn ? board.stockSlots : home >= 0 ? board.homeSlots[home] : board.column(target)
      frame(isTurn ? 'stock' : home >= 0 ? `home-${home}` : `column-${target}`, onto)
    },

    /** Removes the hint, because the board has changed. */
    unhint: () => root.querySelector('.ft-hint') && fade(),

    destroy() {
      clearTimeout(settling)
      clearTimeout(fading)
      piling.drop()
      saying.drop()
    },
  }
}

/** @param {Place} place */
const transformOf = ({ x, y }) => `translate(${x}px, ${y}px)`

/** The slots of these cards; none of the stock, because its cards cannot be taken. @param {State} state @param {Pick<Where, 'source' | 'count'>} where */
function slotsOf({ board }, { source, count }) {
  if (!board || !count || source === STOCK) return []
  return board.pile(source).slice(-count)
}

/** @param {Element} element @param {string} name @param {string} value */
function attribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** @param {Element} element @param {string} value */
function text(element, value) {
  if (element.textContent !== value) element.textContent = value
}
