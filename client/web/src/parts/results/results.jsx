import { finishText } from '../../model/format.js'
import { stepsOf } from '../../model/race/podium.js'
import { placeCell, stateText } from '../../model/race/rule-texts.js'
import { t } from '../../words/translate.js'
import { Name } from '../controls/face.jsx'
import './results.css'

/** @import { Lane } from '../../model/race/room-view.js' */

const COLUMNS = /** @type {const} */ (['place', 'name', 'result', 'time', 'home', 'moves'])

/** The results in the order of places. @param {{lanes: Lane[], seat: number}} props */
export const Results = ({ lanes, seat }) => (
  <div class="results-scroll" tabindex={0} role="region" aria-label={t('race.results.label')}>
    <table class="results">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" class={column === 'place' ? 'results-place' : undefined}>
              {t(`race.results.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <tr key={lane.seat} data-seat={lane.seat} data-own={lane.seat === seat || undefined}>
            <td>{lane.place ?? '–'}</td>
            <th scope="row">
              <Name seat={lane.seat} name={lane.name} />
            </th>
            <td>{stateText(lane.state, lane.early)}</td>
            <td>{lane.ms === null ? '–' : finishText(lane.ms)}</td>
            <td>{lane.home}</td>
            <td>{lane.moves}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/**
 * @typedef {{key: string | number, place: number | null, name: string, result: string, isOwn: boolean}} Placed
 */

const NAMES = 6 // the number of names on a step; the rest is counted

/** @param {Placed[]} step */
const hasOwn = (step) => step.some(({ isOwn }) => isOwn)

/** The first three places; equal places have the same height. @param {{part?: string, rows: Placed[]}} props rows: in order */
export const Podium = ({ part = 'podium', rows }) => (
  <ol class="podium" data-part={part}>
    {stepsOf(rows).map((step, at) => (
      <li key={step[0].key} class="step" data-step={at + 1} data-place={step[0].place} data-own={hasOwn(step) || undefined}>
        {step.slice(0, step.length > NAMES ? NAMES - 1 : NAMES).map(({ key, name }) => (
          <Name key={key} class="step-name" seat={Number(key)} name={name} />
        ))}
        {step.length > NAMES && <span class="step-name">{t('race.podium.more', { count: step.length - NAMES + 1 })}</span>}
        <span class="step-result">{step[0].result}</span>
        <span class="step-block">{placeCell(step[0].place ?? 0)}</span>
      </li>
    ))}
  </ol>
)
