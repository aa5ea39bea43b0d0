import { finishText } from '../model/format.js'
import { stateText } from '../model/words.js'
import { t } from '../words/index.js'
import './results.css'

/** @import { Lane } from '../model/room-view.js' */

/** All who raced, in the order of the places. @param {{lanes: Lane[], seat: number}} props */
export const Results = ({ lanes, seat }) => (
  <div class="results-scroll" tabindex={0} role="region" aria-label={t('race.results.label')}>
    <table class="results">
      <thead>
        <tr>
          <th scope="col" class="results-place">
            {t('race.results.place')}
          </th>
          <th scope="col">{t('race.results.name')}</th>
          <th scope="col">{t('race.results.result')}</th>
          <th scope="col">{t('race.results.time')}</th>
          <th scope="col">{t('race.results.home')}</th>
          <th scope="col">{t('race.results.moves')}</th>
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <tr key={lane.seat} data-seat={lane.seat} data-own={lane.seat === seat || undefined}>
            <td>{lane.place ?? '–'}</td>
            <th scope="row">
              <bdi>{lane.name}</bdi>
            </th>
            <td>{stateText(lane.state)}</td>
            <td>{lane.ms === null ? '–' : finishText(lane.ms)}</td>
            <td>{lane.home}</td>
            <td>{lane.moves}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
