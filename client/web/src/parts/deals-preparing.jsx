import { countReady } from '../model/winnable.js'
import { t } from '../words/index.js'
import { Wrong } from './form-fields.jsx'
import { useAction, useSite } from './hooks.js'
import { useReadyDeals } from './use-ready-deals.js'
import './deals-preparing.css'

/** Ms between two looks at how many are ready. */
const LOOK_EVERY = 3000

/**
 * That a race waits for deals that can be won, how many are ready, and the host's way out.
 *
 * @param {{view: import('../model/room-view.js').View, isHost: boolean}} props
 */
export function DealsPreparing({ view, isHost }) {
  const { session } = useSite()
  const found = useReadyDeals(LOOK_EVERY)
  const change = useAction(() => session.settings({ deal: 'secret' }))
  const ready = found ? countReady(found, view.settings) : 0
  return (
    <div class="preparing" data-part="preparing">
      <p role="status">
        {found && ready < found.needed ? t('solver.deal.preparing', { ready, needed: found.needed }) : t('solver.deal.waiting')}
      </p>
      {isHost && (
        <>
          <button type="button" class="button" disabled={change.busy} onClick={() => change.go()}>
            {t('solver.deal.instead')}
          </button>
          <p class="preparing-hint">{t(view.tournament ? 'solver.deal.insteadRound' : 'solver.deal.insteadHint')}</p>
        </>
      )}
      {change.error && <Wrong>{change.error.message}</Wrong>}
    </div>
  )
}
