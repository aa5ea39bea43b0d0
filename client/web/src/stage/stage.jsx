/** The boards of a race side by side, or a single large one. */

import { useRef } from 'preact/hooks'
import { Tool } from '../parts/controls/button.jsx'
import { Name } from '../parts/controls/face.jsx'
import { useCapturedKeys } from '../parts/keyboard.js'
import { useSize } from '../parts/use-size.js'
import { t } from '../words/translate.js'
import { actOf, chosenOf } from './board-choice.js'
import { columnsFor, duelGrid, pageOf, roomFor } from './grid.js'
import './stage.css'

/** @import { Act, Choice } from './board-choice.js' */

const SMALL = 330 // the head of a narrower board has two lines, in px
const NONE = /** @type {readonly number[]} */ ([])
const SWIPE = 56 // the distance of a swipe to the next board, in px

/** Changes the board after a swipe. @param {(by: 1 | -1) => void} onSwipe */
function useSwipe(onSwipe) {
  const from = useRef(/** @type {{id: number, x: number, y: number} | null} */ (null))
  return {
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      if (event.pointerType !== 'touch') return
      from.current = event.isPrimary ? { id: event.pointerId, x: event.clientX, y: event.clientY } : null
    },
    onPointerUp: (/** @type {PointerEvent} */ event) => {
      const start = from.current
      from.current = null
      if (start?.id !== event.pointerId) return
      const dx = event.clientX - start.x
      if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(event.clientY - start.y)) onSwipe(dx < 0 ? 1 : -1)
    },
  }
}

/**
 * @param {{seats: readonly number[], choice: Choice, onAct: (act: Act) => void, sideways?: boolean, duel?: readonly number[], nameOf: (seat: number) => string,
 *   headOf: (seat: number) => any, boardOf: (seat: number) => any}} props seats: of the boards, in order; sideways: whether the
 *   left and right keys also change the board; duel: two boards to enlarge; headOf: the text beside the name of a board
 */
export function Stage({ seats, choice, onAct, sideways = true, duel = NONE, nameOf, headOf, boardOf }) {
  const { place, width, height } = useSize()
  /** @param {1 | -1} by */
  const step = (by) => onAct({ do: 'step', by })
  const swipe = useSwipe(step)
  const room = roomFor(width, height)
  const chosen = chosenOf(choice, seats)
  const page = pageOf(seats, chosen, room)
  const large = duelGrid(duel, page.seats)
  const columns = large?.perRow ?? columnsFor(page.seats.length, width, height)
  const alone = choice.alone || room === 1 || seats.length === 1

  useCapturedKeys((event) => {
    if (!sideways && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) return false
    const act = actOf(event, page.seats, alone ? undefined : page)
    if (act) onAct(act)
    return act !== null
  })

  /** @param {number} seat */
  const choose = (seat) => onAct({ do: 'choose', seat })
  /** @param {number} seat */
  const enlargeText = (seat) => t('watch.board.enlarge', { name: nameOf(seat) })
  /** @param {number} seat */
  const mark = (seat) => onAct({ do: 'mark', seat })

  /** @param {number} seat */
  const tile = (seat) => ({ class: 'tile', 'data-tile': seat, 'aria-label': t('watch.board.of', { name: nameOf(seat) }) })
  /** @param {number} seat */
  const number = (seat) => {
    const nth = page.seats.indexOf(seat) + 1
    return nth > 0 && seats.length > 1 && <kbd class="tile-key">{nth}</kbd>
  }

  return (
    <div class="stage" ref={place} data-alone={alone || undefined}>
      {width > 0 && chosen > 0 && alone && (
        <section {...tile(chosen)} {...swipe}>
          <header class="tile-head">
            {seats.length > 1 && <Tool icon="back" label={t('watch.board.before')} onClick={() => step(-1)} />}
            <h2 class="tile-name">
              {number(chosen)}
              <Name seat={chosen} name={nameOf(chosen)} />
            </h2>
            <span class="tile-more">{headOf(chosen)}</span>
            {seats.length > 1 && <Tool icon="on" label={t('watch.board.next')} onClick={() => step(1)} />}
          </header>
          <div class="tile-board" key={chosen}>
            {boardOf(chosen)}
          </div>
        </section>
      )}
      {width > 0 && !alone && (
        <div
          class="stage-grid"
          style={{ '--columns': columns, '--rows': large?.rows }}
          data-small={width / columns < SMALL || undefined}
          data-duel={large ? true : undefined}
        >
          {page.seats.map((seat) => (
            <section
              key={seat}
              {...tile(seat)}
              data-marked={seat === chosen || undefined}
              data-large={(large && duel.includes(seat)) || undefined}
            >
              <header class="tile-head">
                <button type="button" class="tile-pick" onClick={() => choose(seat)} aria-label={enlargeText(seat)}>
                  {number(seat)}
                  <Name class="tile-name" seat={seat} name={nameOf(seat)} />
                </button>
                <span class="tile-more">{headOf(seat)}</span>
              </header>
              <div class="tile-board" inert>
                {boardOf(seat)}
              </div>
            </section>
          ))}
        </div>
      )}
      {!alone && seats.length > page.seats.length && (
        <p class="stage-pages">
          <Tool icon="back" label={t('watch.board.pageBefore')} disabled={!page.before} onClick={() => mark(page.before)} />
          <span>{t('watch.board.page', { first: page.first + 1, last: page.first + page.seats.length, all: seats.length })}</span>
          <Tool icon="on" label={t('watch.board.pageNext')} disabled={!page.after} onClick={() => mark(page.after)} />
        </p>
      )}
    </div>
  )
}
