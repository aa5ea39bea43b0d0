import { useState } from 'preact/hooks'
import { ticketOf } from '../model/link-fragments.js'
import { Refusal } from '../net/commands.js'
import { Field, NameField } from '../parts/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { Head } from '../parts/page-head.jsx'
import './join.css'

/** What to do about a room that lets nobody in, besides trying again. @type {Record<string, string>} */
const HELP = {
  'unknown-room': 'Look at the code again, or open a room of your own.',
  full: 'Ask the host for more seats.',
  locked: 'Ask the host to unlock it.',
  started: 'Come back when the race is over.',
  kicked: 'Other rooms are open to you.',
  'wrong-password': 'The host knows it.',
  'not-listed': 'Look how your name is written on the list, or watch.',
  'name-taken': 'The host can release the name.',
  'links-only': 'You can watch.',
  'wrong-link': 'You can watch.',
  'link-used': 'If that was you, open the link in the same browser as before.',
  'too-late': 'You can watch it.',
}

const NEEDS_PASSWORD = 'This tournament asks for a password.'

/** Coming into a room without a seat in it. @param {{code: string}} props */
export function Join({ code }) {
  const { visit, prefs, route } = useSite()
  const [name, setName] = useState(prefs.name.value)
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState(false) // for a password
  const ticket = ticketOf(route.hash.value)
  const join = useAction(async () => {
    await visit.enter(name.trim(), password).catch((refusal) => {
      if (refusal.code === 'wrong-password') setAsked(true)
      if (refusal.code === 'wrong-password' && !password) return Promise.reject(new Refusal('password', NEEDS_PASSWORD))
      throw refusal
    })
    if (!ticket) prefs.name.value = name.trim()
  })
  const error = join.error ?? (join.busy ? null : visit.why.value)
  const help = error && HELP[error.code]

  return (
    <div class="page" data-page="join">
      <Head />
      <main class="narrow">
        <form
          class="card join-form"
          onSubmit={(event) => {
            event.preventDefault()
            join.go()
          }}
        >
          <p class="label">Room</p>
          <h1 class="invite-code">{code}</h1>
          {ticket ? (
            <p>This is a personal link: you come in under your name on the host’s list.</p>
          ) : (
            <NameField value={name} onInput={setName} required error={error?.code === 'bad-name' ? error.message : null} />
          )}
          {(asked || visit.why.value?.code === 'wrong-password') && (
            <Field
              label="Password"
              value={password}
              onInput={setPassword}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              maxlength={100}
              required
            />
          )}
          {error && error.code !== 'bad-name' && (
            <div class="wrong-box" role="alert" data-error={error.code}>
              <p>{error.message}</p>
              {help && <p class="hint">{help}</p>}
            </div>
          )}
          <div class="row row-end">
            <button type="button" class="button button-quiet" onClick={route.toFront}>
              Front page
            </button>
            <button
              type="button"
              class="button button-large"
              onClick={() => {
                if (name.trim()) prefs.name.value = name.trim()
                route.toWatch(code)
              }}
            >
              <Icon name="eye" /> Watch
            </button>
            <button class="button button-main button-large" disabled={join.busy}>
              {join.busy ? 'Joining …' : 'Join'}
            </button>
          </div>
        </form>
      </main>
    </div>
  )
}
