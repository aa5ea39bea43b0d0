import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pathOf, rememberedPoints, rowsOf, standAt, ticksOf, topOf } from '../model/replay/chart-lines.js'
import { positionText } from '../model/replay/words.js'
import '../parts/results.css'
import './chart.css'

/** @typedef {import('../model/replay/axis.js').Axis} Axis */
/** @typedef {import('../model/replay/racer-line.js').Line} Line */

/** Room for the numbers at the left and below. */
const LEFT = 30
const BELOW = 22
const ABOVE = 10
const RIGHT = 10

/** So many lines have a colour of their own. */
export const COLOURS = 8

/** @param {import('preact').RefObject<HTMLElement>} place */
function useWidth(place) {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth))
    watcher.observe(element)
    setWidth(element.clientWidth)
    return () => watcher.disconnect()
  }, [])
  return width
}

/**
 * @param {object} props
 * @param {Axis} props.axis
 * @param {readonly Line[]} props.lines
 * @param {(seat: number) => number} props.colourOf
 * @param {number} props.position the play head
 * @param {number} props.until how far the lines may be drawn
 * @param {number} props.chosen whose line stands out, 0: nobody's
 * @param {(position: number) => void} props.onMove
 */
export function Chart({ axis, lines, colourOf, position, until, chosen, onMove }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const width = useWidth(/** @type {any} */ (place))
  const height = width < 520 ? 190 : 240
  const pointsOf = useMemo(() => rememberedPoints(axis), [axis])
  const drawn = lines.map((line) => ({ line, ...standAt(pointsOf(line), until) }))
  const top = topOf(Math.max(...drawn.map(({ most }) => most), 0))
  const x = (/** @type {number} */ at) => LEFT + (axis.length ? at / axis.length : 0) * (width - LEFT - RIGHT)
  const y = (/** @type {number} */ home) => height - BELOW - (home / top) * (height - BELOW - ABOVE)
  const ends = axis.length - until > axis.length * 0.002

  // What a play head that goes on leaves as it is.
  const ground = useMemo(
    () => (
      <>
        {[0, top / 4, top / 2, (top * 3) / 4, top].map((home) => (
          <g key={home} class="chart-grid">
            <path d={`M${LEFT} ${y(home)}H${width - RIGHT}`} />
            <text x={LEFT - 6} y={y(home) + 4} text-anchor="end">
              {home}
            </text>
          </g>
        ))}
        {ticksOf(axis, Math.max(3, Math.floor(width / 90))).map((at) => (
          <text
            key={at}
            class="chart-tick"
            x={x(at)}
            y={height - 5}
            text-anchor={at === 0 ? 'start' : x(at) > width - 24 ? 'end' : 'middle'}
          >
            {axis.key === 'time' ? positionText('time', at) : at}
          </text>
        ))}
      </>
    ),
    [axis, width, top],
  )
  const paths = useMemo(
    () =>
      lines.map((line) => (
        <path
          key={line.racer.seat}
          class="chart-line"
          data-colour={colourOf(line.racer.seat) % COLOURS}
          data-dashed={colourOf(line.racer.seat) >= COLOURS || undefined}
          data-chosen={line.racer.seat === chosen || undefined}
          d={pathOf(pointsOf(line), x, y)}
        />
      )),
    [pointsOf, lines.map((line) => line.racer.seat).join(), width, top, chosen],
  )

  /** @param {PointerEvent & {currentTarget: Element}} event */
  function point(event) {
    if (event.type === 'pointermove' && !(event.buttons & 1)) return
    const box = event.currentTarget.getBoundingClientRect()
    onMove(((event.clientX - box.left - LEFT) / (width - LEFT - RIGHT)) * axis.length)
  }

  return (
    <div class="chart" ref={place} data-part="chart">
      {width > 0 && (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label="Cards home over the race, a line for each racer. The table below has the numbers."
          onPointerDown={point}
          onPointerMove={point}
        >
          {ground}
          {ends && (
            <rect class="chart-later" x={x(until)} y={ABOVE} width={width - RIGHT - x(until)} height={height - BELOW - ABOVE} />
          )}
          {/* Cut off where it is not to be told yet. */}
          <svg width={until < axis.length ? x(until) : width} height={height} aria-hidden="true">
            {paths}
          </svg>
          {drawn.map(({ line, at, home }) => {
            const solved = line.racer.state === 'solved' && line.racer.home === home
            return (
              <circle
                key={line.racer.seat}
                class="chart-end"
                data-colour={colourOf(line.racer.seat) % COLOURS}
                cx={x(at)}
                cy={y(home)}
                r={solved ? 5 : 3}
              />
            )
          })}
          <path class="chart-head" d={`M${x(position)} ${ABOVE}V${height - BELOW}`} />
        </svg>
      )}
    </div>
  )
}

/** The same in numbers. @param {{axis: Axis, lines: readonly Line[], until: number}} props */
export function ChartTable({ axis, lines, until }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The chart as a table</summary>
      {open && (
        <div class="results-scroll scrolls" tabindex={0} role="region" aria-label="Cards home over the race">
          <table class="results">
            <thead>
              <tr>
                <th scope="col">{axis.key === 'time' ? 'Time' : 'Card'}</th>
                {lines.map(({ racer }) => (
                  <th key={racer.seat} scope="col">
                    <bdi>{racer.name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rowsOf(axis, lines, until).map(({ position, homes }) => (
                <tr key={position}>
                  <th scope="row">{positionText(axis.key, position).replace('card ', '')}</th>
                  {homes.map((home, i) => (
                    <td key={lines[i].racer.seat}>{home}</td>
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
