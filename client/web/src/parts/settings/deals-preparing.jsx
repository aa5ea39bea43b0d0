import { isWinnable } from '../../model/game-texts.js'
import { countReady, roundWaitsForDeals, waitsForDeals } from '../../model/race/ready-deals.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { useCommand, useNow, usePolled } from '../hooks.js'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Ready } from '../../model/race/ready-deals.js' */
/** @import { Refusal } from '../../net/refusal.js' */

const LOOK_EVERY = 3000 // ms between two requests for the number of ready deals

/**
 * Tells that the next race waits for winnable deals, how many are ready, and how the host can avoid the wait.
 * @param {{view: View, isHost: boolean, error?: Refusal | null}} props error: why the race does not start
 */
export function DealsPreparing({ view, isHost, error }) {
  const isRoundShort = useNow(500, (now) => roundWaitsForDeals(view, now))
  const isRefused = error?.code.startsWith('winnable-') && isWinnable(view.settings.deal)
  return (
    <>
      {(isRefused || isRoundShort || waitsForDeals(view)) && <Preparing view={view} isHost={isHost} />}
      {error && error.code !== 'winnable-preparing' && <Wrong>{error.message}</Wrong>}
    </>
  )
}

/** @param {{view: View, isHost: boolean}} props */
function Preparing({ view, isHost }) {
  const found = /** @type {Ready | null} */ (usePolled('/api/winnable', LOOK_EVERY))
  const change = useCommand('settings')
  const ready = found ? countReady(found, view.settings) : 0
  return (
    <div class="row preparing" data-part="preparing">
      <p role="status">
        {found && ready < found.needed ? t('solver.deal.preparing', { ready, needed: found.needed }) : t('solver.deal.waiting')}
      </p>
      {isHost && (
        <>
          <Button {...change.button({ deal: 'secret' })} text={t('solver.deal.instead')} />
          <p>{t(view.tournament ? 'solver.deal.insteadRound' : 'solver.deal.insteadHint')}</p>
        </>
      )}
      {change.error && <Wrong>{change.error.message}</Wrong>}
    </div>
  )
}
