import { useMemo } from 'preact/hooks'
import { rememberedPoints, rowsOf, standAt, topOf } from '../model/replay/chart-lines.js'
import { figureText } from '../model/replay/replay-texts.js'
import { Chart, ChartTable, COLOURS, useTicks } from '../parts/chart/chart.jsx'
import { useSize } from '../parts/use-size.js'
import { t } from '../words/translate.js'
import './chart.css'

/** @import { Axis } from '../model/replay/timeline.js' */
/** @import { Line } from '../model/replay/racer-line.js' */

/** The look of a line: after eight lines, the colours repeat with dashes. @param {number} nth */
export const lookOf = (nth) => ({ colour: nth % COLOURS, dash: Math.min(1, Math.floor(nth / COLOURS)) })

/**
 * @param {{axis: Axis, lines: readonly Line[], nthOf: (seat: number) => number, position: number, until: number, chosen: number,
 *   onMove: (position: number) => void}} props position: the play head; until: the end of the lines; chosen: the highlighted
 *   line, 0: none
 */
export function RaceChart({ axis, lines, nthOf, position, until, chosen, onMove }) {
  const { place, width } = useSize()
  const pointsOf = useMemo(() => rememberedPoints(axis), [axis])
  const drawn = lines.map((line) => ({ line, ...standAt(pointsOf(line), until) }))
  const top = topOf(Math.max(...drawn.map(({ most }) => most), 0))
  const ticks = useTicks(axis.key, axis.length, width / 90, (at) => figureText(axis.key, at))
  const ends = axis.length - until > axis.length * 0.002
  return (
    <div class="chart" ref={place} data-part="chart">
      {width > 0 && (
        <Chart
          width={width}
          height={width < 520 ? 190 : 240}
          label={t('watch.chart.whole')}
          length={axis.length}
          top={top}
          ticks={ticks}
          curves={drawn.map(({ line, at, home }) => ({
            seat: line.racer.seat,
            ...lookOf(nthOf(line.racer.seat)),
            points: pointsOf(line),
            end: { at, home, solved: line.racer.state === 'solved' && line.racer.home === home },
          }))}
          chosen={chosen}
          until={until}
          onPoint={(event, at) => {
            if (event.type !== 'pointermove' || event.buttons & 1) onMove(at)
          }}
          under={({ x, top, bottom, right }) =>
            ends && <rect class="chart-later" x={x(until)} y={top} width={right - x(until)} height={bottom - top} />
          }
          over={({ x, top, bottom }) => <path class="chart-head" d={`M${x(position)} ${top}V${bottom}`} />}
        />
      )}
    </div>
  )
}

/** The same in numbers. @param {{axis: Axis, lines: readonly Line[], until: number}} props */
export const RaceTable = ({ axis, lines, until }) => (
  <ChartTable
    summary={t('watch.chart.table')}
    label={t('watch.chart.tableName')}
    head={[
      t(axis.key === 'time' ? 'race.results.time' : 'watch.chart.card'),
      ...lines.map(({ racer }) => <bdi key={racer.seat}>{racer.name}</bdi>),
    ]}
    rows={() => rowsOf(axis, lines, until).map(({ position, homes }) => [figureText(axis.key, position), ...homes])}
  />
)
