import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words/translate.js'
import { windowOf } from './table-pages.js'
import '../parts/results/results.css'
import './long-table.css'

/** As in tournament.css. */
const ROW = 44
/** A table up to this length is open; a longer one scrolls in a frame. */
const OPEN = 16

/**
 * A table with hundreds of rows that renders only the visible ones.
 *
 * @template R
 * @param {object} props
 * @param {string} props.label
 * @param {any} props.head the row of heads
 * @param {readonly R[]} props.rows
 * @param {(row: R, at: number) => any} props.row
 * @param {number} props.columns
 * @param {number} [props.own] the own row; -1: none
 * @param {string} [props.part] its name in the markup
 */
export function LongTable({ label, head, rows, row, columns, own = -1, part }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null))
  const [seen, setSeen] = useState({ top: 0, height: ROW * OPEN })
  const isLong = rows.length > OPEN
  const { first, last } = isLong ? windowOf(seen.top, seen.height, ROW, rows.length) : { first: 0, last: rows.length }

  function look() {
    const element = frame.current
    if (element) setSeen({ top: element.scrollTop, height: element.clientHeight })
  }
  useEffect(look, [rows.length])

  function toOwn() {
    const element = frame.current
    if (!element) return
    if (isLong) element.scrollTop = own * ROW - element.clientHeight / 2 + ROW
    look()
    // The row exists after the next rendering.
    requestAnimationFrame(() => {
      const mine = element.querySelector('[data-own]')
      mine?.scrollIntoView({ block: isLong ? 'nearest' : 'center' })
    })
  }

  return (
    <>
      {own >= 0 && rows.length > 8 && (
        <button type="button" class="button button-small to-me" onClick={toOwn}>
          {t('tournament.standings.toMe')}
        </button>
      )}
      <div
        class="long-frame"
        data-long={isLong || undefined}
        ref={frame}
        onScroll={isLong ? look : undefined}
        tabindex={0}
        role="region"
        aria-label={label}
      >
        <table class="results long" aria-rowcount={rows.length + 1} data-part={part}>
          <thead>{head}</thead>
          <tbody>
            {first > 0 && <Gap rows={first} columns={columns} />}
            {rows.slice(first, last).map((one, i) => row(one, first + i))}
            {last < rows.length && <Gap rows={rows.length - last} columns={columns} />}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The room that rows take which are not there. @param {{rows: number, columns: number}} props */
const Gap = ({ rows, columns }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: no row of a table takes the focus
  <tr aria-hidden="true" class="long-gap">
    <td colSpan={columns} style={{ height: `${rows * ROW}px` }} />
  </tr>
)

/** The first cells of the head of standings: place, name and score. @param {{name?: string, score: string}} props name: of the second */
export const HeadCells = ({ name = t('race.results.name'), score }) => (
  <>
    <th scope="col" class="results-place">
      {t('race.results.place')}
    </th>
    <th scope="col" class="name">
      {name}
    </th>
    <th scope="col" class="score">
      {score}
    </th>
  </>
)
