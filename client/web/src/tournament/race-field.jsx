import { listText } from '../model/format.js'
import { endedOf } from '../model/tournament/arena-view.js'
import { nameOf } from '../model/tournament/rounds.js'
import { NumberField } from '../parts/controls/form-fields.jsx'
import { t } from '../words/translate.js'

/** @import { Tournament } from '../protocol/protocol.d.ts' */

/** The number of a race of an arena, as typed; NaN: it is none. @param {string} text */
export const raceNumber = (text) => (/^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : Number.NaN)

/**
 * A race of an arena by its number; for the last ones, with their racers.
 * @param {{tournament: Tournament, value: string, onInput: (text: string) => void}} props
 */
export function RaceField({ tournament, value, onInput }) {
  const number = raceNumber(value)
  const known = endedOf(tournament).find((race) => race.number === number)
  return (
    <>
      <NumberField
        label={t('tournament.desk.raceNumber')}
        value={value}
        onInput={onInput}
        error={value && Number.isNaN(number) ? t('tournament.fault.race') : null}
      />
      {known && (
        <p class="hint">
          {t('tournament.arena.raceOf', { number, names: listText(known.racers.map(([who]) => nameOf(tournament, who))) })}
        </p>
      )}
    </>
  )
}
