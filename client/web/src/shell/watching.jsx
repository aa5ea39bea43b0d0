/** The entrance for spectators. */
import { Button } from '../parts/controls/button.jsx'
import { usePageTitle, useSite } from '../parts/hooks.js'
import { lazyPage } from '../parts/page/lazy.jsx'
import { Page } from '../parts/page/page-head.jsx'
import { PasswordForm } from '../parts/room/password-form.jsx'
import { WatchPage } from '../watch/page.jsx'
import { t } from '../words/translate.js'

const Tournament = lazyPage(['race', 'more', 'tournament'], async () => (await import('./tournament-seat.jsx')).TournamentSeat)

const HELP = /** @type {const} */ ({
  'unknown-room': 'watch.door.unknownRoom',
  'room-gone': 'watch.door.roomGone',
  'not-watchable': 'watch.door.notWatchable',
  racing: 'watch.door.racing',
  kicked: 'watch.door.kicked',
})

/** @param {{code: string}} props */
export function Watching({ code }) {
  const { session, route, visit } = useSite()
  const view = session.view.value
  const isIn = view?.code === code && session.seat.value === 0
  const why = visit.why.value
  const asks = why?.code === 'wrong-password'
  const help = why && HELP[/** @type {keyof typeof HELP} */ (why.code)]

  usePageTitle(t('watch.title.watching', { code }))

  if (view && isIn && view.tournament) return <Tournament view={view} seat={0} />
  if (view && isIn) return <WatchPage view={view} seat={0} />
  return (
    <Page name="watch-door" main="narrow plain">
      <section class="card">
        <p class="label">{t('watch.door.watching')}</p>
        <h1 class="invite-code">{code}</h1>
        {asks ? (
          <PasswordForm />
        ) : why ? (
          <div class="wrong-box" role="alert" data-error={why.code}>
            <p>{why.message}</p>
            {help && <p class="hint">{t(help)}</p>}
          </div>
        ) : (
          <p role="status">{t('watch.door.connecting')}</p>
        )}
        <div class="row row-end">
          <Button kind="quiet" onClick={route.toFront} text={t('front.join.frontPage')} />
          {why && why.code !== 'unknown-room' && why.code !== 'room-gone' && (
            <Button kind={!asks && 'main'} onClick={() => route.toRoom(code)} text={t('watch.door.toRoom')} />
          )}
        </div>
      </section>
    </Page>
  )
}
