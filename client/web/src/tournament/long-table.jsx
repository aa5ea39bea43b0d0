import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/controls/button.jsx'
import { t } from '../words/translate.js'
import { windowOf } from './table-pages.js'
import '../parts/results/results.css'
import './long-table.css'

const ROW = 44 // as in long-table.css
const OPEN = 16 // a table up to this length is open; a longer one scrolls in a frame

/**
 * @template R
 * @typedef {object} Column of a table with a row for each R
 * @property {any} head @property {(row: R, at: number) => any} cell
 * @property {string | undefined} [class] the cells of "name" are the heads of their rows
 * @property {string} [title] @property {string} [label] of the head
 * @property {string} [state] @property {(row: R) => object} [given] attributes of a cell
 */

/** The row of heads. @param {{columns: Column<any>[]}} props */
export const HeadRow = ({ columns }) => (
  <tr>
    {columns.map((column, i) => (
      <th key={i} scope="col" class={column.class} title={column.title} aria-label={column.label} data-state={column.state}>
        {column.head}
      </th>
    ))}
  </tr>
)

/** The cells of a row. @template R @param {{columns: Column<R>[], row: R, at: number}} props */
export const Cells = ({ columns, row, at }) => (
  <>
    {columns.map((column, i) => {
      const Cell = column.class === 'name' ? 'th' : 'td'
      const scope = Cell === 'th' ? 'row' : undefined
      return (
        <Cell key={i} scope={scope} class={column.class} data-state={column.state} {...column.given?.(row)}>
          {column.cell(row, at)}
        </Cell>
      )
    })}
  </>
)

/**
 * A table with hundreds of rows that renders only the visible ones.
 * @template R
 * @param {{label: string, columns: Column<R>[], rows: readonly R[], row: (row: R) => {key: string | number, [more: string]: any},
 *   part?: string}} props row: the key and the attributes of a row, with `data-own` for the own one; part: its name in the markup
 */
export function LongTable({ label, columns, rows, row, part }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null))
  const [seen, setSeen] = useState({ top: 0, height: ROW * OPEN })
  const isLong = rows.length > OPEN
  const own = rows.findIndex((one) => row(one)['data-own'])
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
      {own >= 0 && rows.length > 8 && <Button kind="small" class="to-me" onClick={toOwn} text={t('tournament.standings.toMe')} />}
      <div
        class="long-frame"
        data-long={isLong || undefined}
        ref={frame}
        onScroll={isLong ? look : undefined}
        tabindex={0}
        role="group"
        aria-label={label}
      >
        <table class="results long" aria-rowcount={rows.length + 1} data-part={part}>
          <thead>
            <HeadRow columns={columns} />
          </thead>
          <tbody>
            {first > 0 && <Gap rows={first} columns={columns.length} />}
            {rows.slice(first, last).map((one, i) => {
              const { key, ...more } = row(one)
              return (
                <tr key={key} {...more} aria-rowindex={first + i + 2}>
                  <Cells columns={columns} row={one} at={first + i} />
                </tr>
              )
            })}
            {last < rows.length && <Gap rows={rows.length - last} columns={columns.length} />}
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
