/** The analysis: how many cards a racer could still bring home after each move. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { askSolver } from '../browser/solver.js'
import { fairOf } from '../model/hint/fairness.js'
import { costsOf, lastWin, partedAt, pointsOfBest, pointsOfHome, rowsOfBest } from '../model/replay/best-possible.js'
import { topOf } from '../model/replay/chart-lines.js'
import { Chart, ChartTable, useTicks } from '../parts/chart/chart.jsx'
import { Button } from '../parts/controls/button.jsx'
import { Select } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { Facts, Panel } from '../parts/page/panel.jsx'
import { useSize } from '../parts/use-size.js'
import { CARDS } from '../protocol/constants.js'
import { game, hasFaceDown } from '../rules/games.js'
import { bestOf, fallsOf, lineFrom } from '../solver/analysis.js'
import { language, t } from '../words/translate.js'
import './chart.css'
import './possible.css'

/** @import { Fairness } from '../model/hint/fairness.js' */
/** @import { Line } from '../model/replay/racer-line.js' */
/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Looked } from '../solver/analysis.js' */
/** @import { Timeline } from '../model/replay/timeline.js' */

/** @typedef {{seat: number, n: number, moves: readonly string[], title: () => string}} Played a line to be played on the board; its title is in the language of the moment */

/** Rounded down, as `forty-thieves analyse` does. @param {number} part @param {number} of */
const percent = (part, of) =>
  new Intl.NumberFormat(language(), { style: 'percent' }).format(of ? Math.floor((100 * part) / of) / 100 : 1)

/**
 * @param {{timeline: Timeline, chosen: number, onSee: (seat: number, n: number) => void, onPlay: (line: Played) => void}} props
 *   `chosen`: the chosen board; `onSee`: show a board after a number of entries
 */
export function Possible({ timeline, chosen, onSee, onPlay }) {
  const { record, lines } = timeline
  const [picked, setPicked] = useState(/** @type {number | null} */ (null))
  const [otherPicked, setOther] = useState(0)
  const { work, results, start, stop } = usePossible(record)

  const line = timeline.line(picked ?? chosen)
  const { seat } = line.racer
  const other = otherPicked && otherPicked !== seat ? timeline.line(otherPicked) : null
  const parted = other && partedAt(line, other)
  const result = results[seat]
  const otherResult = other && results[other.racer.seat]
  const isBusy = work.is === 'racer' || work.is === 'fair'
  const names = lines.map(({ racer }) => /** @type {const} */ ([racer.seat, racer.name]))

  const begin = () => start(other ? [line, other] : [line], parted === null ? [] : [parted, parted + 1])

  return (
    <Panel title={t('solver.possible.title')} class="possible" part="possible">
      <p class="hint">{t('solver.possible.what')}</p>
      {hasFaceDown(game(record.game)) && <p class="hint">{t('solver.possible.faceDown')}</p>}
      <div class="possible-ask">
        {lines.length > 1 && (
          <>
            <Select
              label={t('solver.possible.racer')}
              value={seat}
              options={names}
              onPick={(one) => setPicked(one)}
              disabled={isBusy}
            />
            <Select
              label={t('solver.possible.compare')}
              value={other?.racer.seat ?? 0}
              options={[[0, t('solver.possible.nobody')], ...names.filter(([one]) => one !== seat)]}
              onPick={setOther}
              disabled={isBusy}
            />
          </>
        )}
        <Button kind="main" onClick={isBusy ? stop : begin}>
          <Icon name={isBusy ? 'close' : 'hint'} /> {t(isBusy ? 'solver.possible.stop' : 'solver.possible.start')}
        </Button>
      </div>
      {work.is === 'racer' && <progress class="possible-progress" aria-hidden="true" value={work.done} max={work.of} />}
      <p class="hint" role="status" data-part="possible-status" data-is={work.is}>
        {statusOf(work)}
      </p>
      {result && (
        <Curve line={line} result={result} other={other} otherResult={otherResult ?? null} parted={parted} onSee={onSee} />
      )}
      {result?.isWhole && (
        <>
          <Scores line={line} result={result} />
          <Costs line={line} result={result} onSee={onSee} onPlay={onPlay} />
        </>
      )}
      {other && <Parting line={line} other={other} results={results} parted={parted} onSee={onSee} />}
      {result && <CurveTable line={line} result={result} />}
    </Panel>
  )
}

/** @param {Work} work */
function statusOf({ is, name = '', done = 0, of = 0 }) {
  if (is === 'racer') return t('solver.possible.progress', { name, done, of })
  if (is === 'fair') return t('solver.possible.fairProgress', { name })
  return is === 'nothing' ? '' : t(`solver.possible.${is}`)
}

/**
 * @param {{line: Line, result: Result, other: Line | null, otherResult: Result | null, parted: number | null, onSee: (seat:
 *   number, n: number) => void}} props `otherResult`: the other racer; `parted`: the entry at which the logs part
 */
function Curve({ line, result, other, otherResult, parted, onSee }) {
  const { place, width } = useSize()
  const length = Math.max(line.length, other && otherResult ? other.length : 0)
  const best = useMemo(() => pointsOfBest(line.home, result.looked), [line, result])
  const home = useMemo(() => pointsOfHome(line.home), [line])
  const others = useMemo(() => (other && otherResult ? pointsOfBest(other.home, otherResult.looked) : null), [other, otherResult])
  const ticks = useTicks('stock', length, width / 60, String)
  const { name } = line.racer
  const curves = [
    { text: t('solver.possible.bestOf', { name }), colour: 0, dash: 0, points: best },
    { text: t('solver.possible.homeOf', { name }), colour: 1, dash: 1, points: home },
    ...(other && others
      ? [{ text: t('solver.possible.bestOf', { name: other.racer.name }), colour: 2, dash: 0, points: others }]
      : []),
  ]
  const costs = costsOf(line.home, result.looked)
  return (
    <>
      <div class="chart" ref={place} data-part="possible-chart">
        {width > 0 && (
          <Chart
            width={width}
            height={width < 520 ? 170 : 210}
            label={t('solver.possible.chart', { name })}
            length={length}
            top={topOf(Math.max(...curves.flatMap(({ points }) => points.map(([, cards]) => cards))))}
            ticks={ticks}
            curves={curves.map(({ colour, dash, points }, i) => {
              const [at, cards] = /** @type {[number, number]} */ (points.at(-1))
              return { seat: i, colour, dash, points, end: { at, home: cards, solved: cards === CARDS } }
            })}
            chosen={0}
            onPoint={(event, at) => {
              if (event.type === 'pointerdown') onSee(line.racer.seat, Math.max(0, Math.min(line.length, Math.round(at))))
            }}
            over={({ x, y, top, bottom }) => (
              <>
                {parted !== null && <path class="chart-head" d={`M${x(parted)} ${top}V${bottom}`} />}
                {costs.map(({ after, from, to }, i) => (
                  <g key={i} class="possible-cost">
                    <circle cx={x(after)} cy={y((from + to) / 2)} r="9" />
                    <text x={x(after)} y={y((from + to) / 2) + 4} text-anchor="middle">
                      {i + 1}
                    </text>
                  </g>
                ))}
              </>
            )}
          />
        )}
      </div>
      <ul class="legend possible-legend">
        {curves.map(({ text, colour, dash }) => (
          <li key={text}>
            <i data-colour={colour} data-dash={dash || undefined} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}

/** @param {{line: Line, result: Result}} props */
function Scores({ line, result: { looked, fairness } }) {
  const home = line.home.at(-1) ?? 0
  const [best = 0] = bestOf(line.home, looked)
  const could = fairness && fairOf(home, fairness)
  /** @type {[string, any, string]} */
  const hindsight = [
    t('solver.possible.hindsight'),
    <>
      <b>{percent(home, best)}</b> {t('solver.possible.hindsightWhy', { home, best })}
    </>,
    'hindsight',
  ]
  if (could === null) return <Facts class="possible-scores" facts={[hindsight]} />
  const fair = (
    <>
      <b>{percent(home, could)}</b> {t('solver.possible.fairWhy', { home, could, name: line.racer.name })}
    </>
  )
  return <Facts class="possible-scores" facts={[hindsight, [t('solver.possible.fair'), fair, 'fair']]} />
}

/** @param {{line: Line, result: Result, onSee: (seat: number, n: number) => void, onPlay: (line: Played) => void}} props */
function Costs({ line, result: { looked, fairness }, onSee, onPlay }) {
  const { seat, name } = line.racer
  const [best = 0] = bestOf(line.home, looked)
  const win = lastWin(line.home, looked)
  const costs = costsOf(line.home, looked)
  const play = (/** @type {number} */ n) => {
    const { home, moves } = lineFrom(line.texts, line.home, looked, n)
    const title = () => (home === CARDS ? t('solver.line.win', { move: n, name }) : t('solver.line.best', { move: n, name }))
    onPlay({ seat, n, moves, title })
  }
  if (line.home.at(-1) === CARDS) return <p>{t('solver.possible.won', { name })}</p>
  return (
    <>
      <p class="possible-said">
        <b data-part="win">
          {win === null ? t('solver.possible.noWin', { home: best }) : t('solver.possible.winUntil', { move: win })}
        </b>
        <Button
          kind="small"
          icon="play"
          text={t(win === null ? 'solver.possible.playBest' : 'solver.possible.playWin')}
          onClick={() => play(win ?? 0)}
        />
      </p>
      {costs.length > 0 && (
        <>
          <h3>{t('solver.possible.costs')}</h3>
          <ol class="possible-costs">
            {costs.map(({ before, after, from, to }) => (
              <li key={after} data-move={after}>
                <span>
                  {after - before === 1
                    ? t('solver.possible.cost', { move: after, from, to })
                    : t('solver.possible.costBetween', { first: before + 1, move: after, from, to })}{' '}
                  {fairness?.costs[before] === 0 && t('solver.possible.forgiven')}
                </span>
                <span class="row">
                  <Button
                    kind="small quiet"
                    icon="eye"
                    text={t('solver.possible.see', { move: after })}
                    onClick={() => onSee(seat, after)}
                  />
                  <Button
                    kind="small quiet"
                    icon="play"
                    text={t('solver.possible.playBetter', { move: before })}
                    onClick={() => play(before)}
                  />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

/**
 * Where two racers parted.
 * @param {{line: Line, other: Line, results: Readonly<Record<number, Result>>, parted: number | null,
 *   onSee: (seat: number, n: number) => void}} props parted: null: nowhere
 */
function Parting({ line, other, results, parted, onSee }) {
  const [one, two] = [line.racer.name, other.racer.name]
  if (parted === null) return <p>{t('solver.possible.neverParted', { one, other: two })}</p>
  return (
    <div class="possible-parting" data-part="parting">
      <p>
        <b>{t('solver.possible.parted', { one, other: two, moves: parted })}</b>
      </p>
      <ul>
        {[line, other].map((each) => {
          const { seat, name } = each.racer
          const n = Math.min(parted + 1, each.length)
          const result = results[seat]
          return (
            <li key={seat}>
              {result?.isWhole && (
                <span>{t('solver.possible.bestAfter', { name, home: bestOf(each.home, result.looked)[n] ?? 0 })}</span>
              )}
              <Button kind="small quiet" icon="eye" text={t('solver.possible.seeOf', { name })} onClick={() => onSee(seat, n)} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The same in numbers. @param {{line: Line, result: Result}} props */
const CurveTable = ({ line, result }) => (
  <ChartTable
    summary={t('solver.possible.table')}
    label={t('solver.possible.tableName')}
    head={[t('solver.possible.move'), t('solver.possible.best'), t('watch.cardsHome')]}
    rows={() => rowsOfBest(line.home, result.looked).map(({ n, best, home }) => [n, best, home])}
  />
)

/** @typedef {{looked: readonly Looked[], isWhole: boolean, also: readonly number[], fairness: Fairness | null}} Result of one racer */

/**
 * @typedef {object} Work
 * @property {'nothing' | 'racer' | 'fair' | 'done' | 'stopped' | 'failed'} is
 * @property {string} [name] the racer of the analysis
 * @property {number} [done] @property {number} [of] points of the log
 */

/** The analysis of a race in a worker, on request. @param {RaceRecord} record */
export function usePossible(record) {
  const [work, setWork] = useState(/** @type {Work} */ ({ is: 'nothing' }))
  const [results, setResults] = useState(/** @type {Readonly<Record<number, Result>>} */ ({}))
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  const { game, deck } = record

  /** @param {Line} line @param {readonly number[]} also @returns {Promise<boolean>} whether it was finished */
  async function lookAt(line, also) {
    const { seat, name } = line.racer
    const put = (/** @type {Partial<Result>} */ more) =>
      setResults((before) => {
        const known = before[seat] ?? { looked: [], isWhole: false, also, fairness: null }
        return { ...before, [seat]: { ...known, ...more } }
      })
    const log = { game, deck, log: line.texts }
    put({ looked: [], isWhole: false, also, fairness: null })
    const asked = askSolver('possible', { ...log, home: line.home, also }, ({ done, of, looked }) => {
      setWork({ is: 'racer', name, done, of })
      put({ looked })
    })
    stop.current = asked.stop
    const looked = await asked.answer
    if (!looked) return false
    put({ looked, isWhole: true })
    setWork({ is: 'fair', name })
    const judging = askSolver('fairness', { ...log, falls: fallsOf(line.home, looked) }, () => {})
    stop.current = judging.stop
    const fairness = await judging.answer
    put({ fairness })
    return fairness !== null
  }

  /** Look at these racers, also at these points of their logs. @param {readonly Line[]} lines @param {readonly number[]} also */
  async function start(lines, also) {
    try {
      for (const line of lines) {
        const known = results[line.racer.seat]
        if (known?.fairness && also.every((n) => known.also.includes(n))) continue
        setWork({ is: 'racer', name: line.racer.name, done: 0, of: 1 })
        if (!(await lookAt(line, also))) return setWork({ is: 'stopped' })
      }
      setWork({ is: 'done' })
    } catch (error) {
      console.error(error)
      setWork({ is: 'failed' })
    }
  }

  return { work, results, start, stop: () => stop.current() }
}
