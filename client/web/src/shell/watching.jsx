/** The way in for those who come to watch. */
import { useEffect, useState } from 'preact/hooks'
import { useSite } from '../parts/hooks.js'
import { later } from '../parts/lazy-page.jsx'
import { Head } from '../parts/page-head.jsx'
import { PasswordForm } from '../parts/password-form.jsx'
import { WatchPage } from '../watch/page.jsx'

const Tournament = later(async () => (await import('./tournament-seat.jsx')).TournamentSeat)

/** @type {Record<string, string>} */
const HELP = {
  'unknown-room': 'Look at the link again. Rooms are forgotten when nothing has happened in them for long.',
  'room-gone': 'Rooms are forgotten when nothing has happened in them for long.',
  'not-watchable': 'You can come in and race yourself, if there is a seat.',
  racing: 'You race there yourself. When you are done, you can watch the others.',
  kicked: 'Other rooms are open to you.',
}

/** @param {{code: string}} props */
export function Watching({ code }) {
  const { session, route, visit } = useSite()
  const [password, setPassword] = useState('')
  const view = session.view.value
  const isIn = view?.code === code && session.seat.value === 0
  const why = visit.why.value

  useEffect(() => {
    document.title = `Watching ${code} · Forty Thieves Race`
    return () => {
      document.title = 'Forty Thieves Race'
    }
  }, [code])

  if (view && isIn && view.tournament) return <Tournament view={view} seat={0} />
  if (view && isIn) return <WatchPage view={view} seat={0} />
  return (
    <div class="page" data-page="watch-door">
      <Head />
      <main class="narrow plain">
        <section class="card">
          <p class="label">Watching</p>
          <h1 class="invite-code">{code}</h1>
          {why?.code === 'wrong-password' ? (
            <PasswordForm
              wrong={password !== ''}
              onSay={(said) => {
                setPassword(said)
                visit.watch(said)
              }}
            />
          ) : why ? (
            <div class="wrong-box" role="alert" data-error={why.code}>
              <p>{why.message}</p>
              {HELP[why.code] && <p class="hint">{HELP[why.code]}</p>}
            </div>
          ) : (
            <p role="status">Coming in …</p>
          )}
          <div class="row row-end">
            <button type="button" class="button button-quiet" onClick={route.toFront}>
              Front page
            </button>
            {why && why.code !== 'unknown-room' && why.code !== 'room-gone' && (
              <button
                type="button"
                class={why.code === 'wrong-password' ? 'button' : 'button button-main'}
                onClick={() => route.toRoom(code)}
              >
                To the room
              </button>
            )}
          </div>
        </section>
      </main>
    </div>
  )
}
