import { listOf } from '../model/tournament/plan-draft.js'
import { t } from '../words/translate.js'
import './list-preview.css'

const SHOWN = 5 // the number of shown entrants and faults

/** The entrants of a typed or pasted list. @param {{text: string}} props */
export function ListPreview({ text }) {
  const { entrants, columns, faults } = listOf(text)
  return (
    <div class="list-preview" data-part="list-preview" role="status">
      <p>
        {t('tournament.csv.understood', { count: entrants.length })}{' '}
        {columns.includes('seed') ? t('tournament.csv.bySeed') : columns.includes('rating') && t('tournament.csv.byRating')}
      </p>
      {entrants.length > 0 && (
        <table>
          {columns.length > 1 && (
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {t(`tournament.csv.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {entrants.slice(0, SHOWN).map((entrant) => (
              <tr key={entrant.name}>
                {columns.map((column) => (
                  <td key={column}>
                    <bdi>{entrant[column] || '–'}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {entrants.length > SHOWN && <p class="hint">{t('tournament.csv.more', { count: entrants.length - SHOWN })}</p>}
      {faults.length > 0 && (
        <ul class="wrong">
          {faults.slice(0, SHOWN).map(({ line, fault, text }) => (
            <li key={`${line} ${text}`}>{t(`tournament.csv.fault.${fault}`, { line, text: shortened(text) })}</li>
          ))}
          {faults.length > SHOWN && <li>{t('tournament.csv.more', { count: faults.length - SHOWN })}</li>}
        </ul>
      )}
    </div>
  )
}

/** @param {string} text a pasted text may be long */
const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
