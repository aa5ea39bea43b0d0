import { stepsOf } from '../model/podium.js'
import { placeCell } from '../model/words.js'
import { t } from '../words/index.js'
import './podium.css'

/**
 * @typedef {object} Placed
 * @property {string | number} key
 * @property {number | null} place
 * @property {string} name
 * @property {string} result
 * @property {boolean} isOwn
 */

/** So many share a step with their names; of others, the number is said. */
const NAMES = 6

/** The first three places; equal places stand equally high. @param {{part?: string, rows: Placed[]}} props rows: in order */
export const Podium = ({ part = 'podium', rows }) => (
  <ol class="podium" data-part={part}>
    {stepsOf(rows).map((step, at) => (
      <li
        key={step[0].key}
        class="step"
        data-step={at + 1}
        data-place={step[0].place}
        data-own={step.some(({ isOwn }) => isOwn) || undefined}
      >
        {step.slice(0, step.length > NAMES ? NAMES - 1 : NAMES).map(({ key, name }) => (
          <bdi key={key} class="step-name">
            {name}
          </bdi>
        ))}
        {step.length > NAMES && <span class="step-name">{t('race.podium.more', { count: step.length - NAMES + 1 })}</span>}
        <span class="step-result">{step[0].result}</span>
        <span class="step-block">{placeCell(step[0].place ?? 0)}</span>
      </li>
    ))}
  </ol>
)
