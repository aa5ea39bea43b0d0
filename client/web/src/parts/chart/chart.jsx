/** A chart of the cards home over time or moves. */
import { useMemo, useState } from 'preact/hooks'
import { pathOf, ticksOf } from '../../model/replay/chart-lines.js'
import '../results/results.css'
import './chart.css'

/** @import { Points } from '../../model/replay/chart-lines.js' */

const LEFT = 30 // space for the numbers at the left and below
const BELOW = 22
const ABOVE = 10

/**
 * @typedef {object} Curve
 * @property {number} seat @property {Points} points @property {number} colour below `COLOURS`
 * @property {number} dash 0: a solid line
 * @property {{at: number, home: number, solved: boolean}} end the position of the dot
 * @typedef {{x: (at: number) => number, y: (home: number) => number, top: number, bottom: number, right: number}} Scale
 */

export const COLOURS = 8 // the number of different colours

/**
 * @param {object} props @param {number} props.width @param {number} props.height px
 * @param {string} props.label for screen readers
 * @param {number} props.length of the axis
 * @param {number} props.top cards at the upper end
 * @param {readonly {at: number, text: string}[]} props.ticks along the axis; a stable reference while they do not change
 * @param {readonly Curve[]} props.curves @param {number} props.chosen the seat of the highlighted line; 0: none
 * @param {number} [props.until] where the lines end
 * @param {number} [props.margin] px at the right
 * @param {((event: PointerEvent & {currentTarget: Element}, at: number) => void) | undefined} [props.onPoint]
 * @param {(scale: Scale) => any} [props.under] drawn below the lines
 * @param {(scale: Scale) => any} [props.over] drawn above them
 */
export function Chart({ width, height, length, top, curves, chosen, until = length, margin = 10, ...props }) {
  const { label, ticks, onPoint, under, over } = props
  const x = (/** @type {number} */ at) => LEFT + (length ? at / length : 0) * (width - LEFT - margin)
  const y = (/** @type {number} */ home) => height - BELOW - (home / top) * (height - BELOW - ABOVE)
  const scale = { x, y, top: ABOVE, bottom: height - BELOW, right: width - margin }

  const anchorOf = (/** @type {number} */ at) => (at === 0 ? 'start' : x(at) > width - 24 ? 'end' : 'middle')
  // Does not change while the lines grow.
  const ground = useMemo(
    () => (
      <>
        {[0, top / 4, top / 2, (top * 3) / 4, top].map((home) => (
          <g key={home} class="chart-grid">
            <path d={`M${LEFT} ${y(home)}H${width - margin}`} />
            <text x={LEFT - 6} y={y(home) + 4} text-anchor="end">
              {home}
            </text>
          </g>
        ))}
        {ticks.map(({ at, text }) => (
          <text key={at} class="chart-tick" x={x(at)} y={height - 5} text-anchor={anchorOf(at)}>
            {text}
          </text>
        ))}
      </>
    ),
    [ticks, length, width, height, margin, top],
  )
  const paths = useMemo(
    () =>
      curves.map(({ seat, colour, dash, points }) => (
        <path
          key={seat}
          class="chart-line"
          data-colour={colour}
          data-dash={dash || undefined}
          data-chosen={seat === chosen || undefined}
          d={pathOf(points, x, y)}
        />
      )),
    [...curves.flatMap(({ seat, colour, points }) => [seat, colour, points]), length, width, height, margin, top, chosen],
  )

  /** @param {PointerEvent & {currentTarget: Element}} event */
  const point = (event) => {
    const box = event.currentTarget.getBoundingClientRect()
    onPoint?.(event, ((event.clientX - box.left - LEFT) / (width - LEFT - margin)) * length)
  }

  return (
    <svg
      class="chart-picture"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      onPointerDown={onPoint && point}
      onPointerMove={onPoint && point}
    >
      {ground}
      {under?.(scale)}
      {/* Cut off where the end is still hidden. */}
      <svg width={until < length ? x(until) : width} height={height} aria-hidden="true">
        {paths}
      </svg>
      {curves.map(({ seat, colour, end }) => (
        <circle key={seat} class="chart-end" data-colour={colour} cx={x(end.at)} cy={y(end.home)} r={end.solved ? 5 : 3} />
      ))}
      {over?.(scale)}
    </svg>
  )
}

/**
 * The ticks of an axis, as many as there is room for.
 * @param {'time' | 'stock'} key @param {number} length @param {number} room @param {(at: number) => string} textOf
 */
export const useTicks = (key, length, room, textOf) =>
  useMemo(
    () => ticksOf({ key, length }, Math.max(3, Math.floor(room))).map((at) => ({ at, text: textOf(at) })),
    [key, length, Math.floor(room)],
  )

/**
 * A chart in numbers, which opens below it.
 * @param {{summary: string, label: string, head: any[], rows: () => (string | number)[][]}} props rows: the cells, the heading
 *   of the row first
 */
export function ChartTable({ summary, label, head, rows }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && (
        <div class="results-scroll scrolls" tabindex={0} role="region" aria-label={label}>
          <table class="results">
            <thead>
              <tr>
                {head.map((text, i) => (
                  <th key={i} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(([first, ...cells]) => (
                <tr key={first}>
                  <th scope="row">{first}</th>
                  {cells.map((cell, i) => (
                    <td key={i}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
