import { useRef } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { topOf } from '../model/replay/chart-lines.js'
import { beginsLate, drawnLanes, labelPlaces, lengthFor, looksOf } from '../model/watch/race-trace.js'
import { Chart, useTicks } from '../parts/chart/chart.jsx'
import { FaceOf } from '../parts/controls/face.jsx'
import { useNow } from '../parts/hooks.js'
import { useSize } from '../parts/use-size.js'
import { language, t } from '../words/translate.js'
import './live-chart.css'

/** @import { Points } from '../model/replay/chart-lines.js' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Story } from './feed.jsx' */
/** @import { ReadonlySignal } from '@preact/signals' */

/** Room for the labels, px, and for one of them. */
const MARGIN = { wide: 157, narrow: 117 }
const APART = 15
/** As many letters as fit beside the number. */
const LETTERS = { wide: 12, narrow: 6 }

/** @param {string} name @param {number} most */
function shortened(name, most) {
  const letters = Array.from(name)
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : name
}

/**
 * The cards home of all racers since the start: a line with colour, dash and label for each.
 * @param {{lanes: ReadonlySignal<Lane[]>, story: Story, starts: number, over: number | null, chosen: number}} props lanes: in the
 *   order of the race; over: the end of the race; chosen: the highlighted line
 */
export function LiveChart({ lanes, story, starts, over, chosen }) {
  const { place, width, height } = useSize()
  const looks = useRef(/** @type {ReadonlyMap<number, number>} */ (new Map()))
  // Once a second, the lines grow with the news since then.
  const until = useNow(250, (now) => Math.max(0, Math.floor(((over ?? now) - starts) / 1000) * 1000))
  const size = width < 520 ? 'narrow' : 'wide'
  const drawn = drawnLanes(lanes.peek(), chosen)
  const seats = drawn.map(({ seat }) => seat)
  looks.current = looksOf(looks.current, seats)
  const length = lengthFor(until)
  const ticks = useTicks('time', length, (width - MARGIN[size]) / 90, clockText)
  const top = topOf(Math.max(0, ...drawn.flatMap(({ seat }) => story.trace.of(seat).map(([, home]) => home))))
  const curves = drawn.map((lane) => {
    const points = story.trace.of(lane.seat)
    const at = Math.max(points[points.length - 1][0], Math.min(until, lane.ms ?? until))
    const look = looks.current.get(lane.seat) ?? 0
    return {
      lane,
      seat: lane.seat,
      colour: look,
      dash: look % 4,
      points: /** @type {Points} */ ([...points, [at, lane.home]]),
      end: { at, home: lane.home, solved: lane.state === 'solved' },
    }
  })
  const isLate = curves.some(({ points }) => beginsLate(points))
  const label = t('watch.chart.label', {
    list: new Intl.ListFormat(language(), { type: 'unit' }).format(
      drawn.map(({ name, home }) => t('watch.chart.racer', { name, home })),
    ),
  })
  return (
    <figure class="live-chart" data-part="live-chart">
      <figcaption>
        <b>{t('watch.cardsHome')}</b>
        {drawn.length < lanes.peek().length && <span> {t('watch.chart.some', { count: drawn.length })}</span>}
        {isLate && <span data-part="late"> {t('watch.chart.late')}</span>}
      </figcaption>
      <div class="live-chart-place" ref={place}>
        {width > 0 && height > 60 && (
          <Chart
            width={width}
            height={height}
            label={label}
            length={length}
            top={top}
            ticks={ticks}
            curves={curves}
            chosen={chosen}
            margin={MARGIN[size]}
            over={({ x, y, top: least, bottom }) => {
              const ends = curves.map(({ end }) => y(end.home))
              const heights = labelPlaces(ends, APART, least, bottom - 2)
              return curves.map(({ seat, colour, dash, lane, end }, i) => (
                <g key={seat} class="chart-label" data-chosen={seat === chosen || undefined}>
                  <path
                    class="chart-line"
                    data-colour={colour}
                    data-dash={dash || undefined}
                    d={`M${x(length) + 6} ${heights[i]}h16`}
                  />
                  <foreignObject x={x(length) + 25} y={heights[i] - 11} width="22" height="22">
                    <FaceOf seat={seat} />
                  </foreignObject>
                  <text x={x(length) + 50} y={heights[i] + 4}>
                    <tspan class="chart-label-home">{end.home}</tspan> {shortened(lane.name, LETTERS[size])}
                  </text>
                </g>
              ))
            }}
          />
        )}
      </div>
    </figure>
  )
}
