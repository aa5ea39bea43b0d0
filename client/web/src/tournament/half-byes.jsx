/** To sit out a round of a Swiss for half a point: asked for by an entrant, or by a host for one. */
import { useState } from 'preact/hooks'
import { askable, askedBy } from '../model/tournament/rounds.js'
import { Button } from '../parts/controls/button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { option, Select, Wrong } from '../parts/controls/form-fields.jsx'
import { useCommand } from '../parts/hooks.js'
import { t } from '../words/translate.js'
import './half-byes.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */

/** @param {{tournament: Tournament, who: number, byHost?: boolean}} props */
export function HalfByes({ tournament, who, byHost = false }) {
  const ask = useCommand('half_bye')
  const [chosen, setChosen] = useState(0)
  const [asked, left] = [askedBy(tournament, who), askable(tournament, who)]
  const number = left.includes(chosen) ? chosen : (left[0] ?? 0)
  if (!asked.length && !left.length) return null
  return (
    <div class="half-byes" data-part="half-byes">
      {asked.map((round) => (
        <div key={round} class="half-bye">
          <span>{t('tournament.halfBye.asked', { round, who: byHost ? 'host' : 'entrant' })}</span>
          <Button kind="small" text={t('tournament.halfBye.takeBack')} {...ask.button(who, round, false)} />
        </div>
      ))}
      {number > 0 && (
        <div class="half-bye">
          <Select
            label={t('tournament.halfBye.which', { who: byHost ? 'host' : 'entrant' })}
            value={number}
            options={left.map((round) => option(round, t('tournament.standings.roundNumber', { number: round })))}
            onPick={setChosen}
          />
          <Button text={byHost ? t('tournament.halfBye.give') : t('tournament.halfBye.ask')} {...ask.button(who, number, true)} />
        </div>
      )}
      {ask.error && <Wrong>{ask.error.message}</Wrong>}
    </div>
  )
}

/** Whether there is anything to ask for or to take back. @param {Tournament} tournament @param {number} seat */
export const maySitOut = (tournament, seat) => askedBy(tournament, seat).length > 0 || askable(tournament, seat).length > 0

/** The half-point byes of an entrant. @param {{tournament: Tournament, seat: number, onClose: () => void}} props */
export const SitOut = ({ tournament, seat, onClose }) => (
  <Dialog title={t('tournament.halfBye.title')} onClose={onClose}>
    <p class="hint">{t('tournament.halfBye.hint')}</p>
    <HalfByes tournament={tournament} who={seat} />
  </Dialog>
)
