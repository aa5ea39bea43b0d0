/** Somebody is about to host a tournament. */
import { useEffect, useState } from 'preact/hooks'
import { BLANK, faultsOf, PRESETS, passwordOf, planOf, settingsOf, withPreset } from '../model/tournament/plan-draft.js'
import { Field, NameField, Switch, Wrong } from '../parts/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Head } from '../parts/page-head.jsx'
import { PlanFields } from './plan-fields.jsx'
import './new-tournament.css'

/** @typedef {import('../model/tournament/plan-draft.js').Draft} Draft */

export function HostTournament() {
  const { session, prefs, route, visit } = useSite()
  const [preset, setPreset] = useState('points-evening')
  const [draft, setDraft] = useState({ ...BLANK, games: [prefs.game.value] })
  const [tried, setTried] = useState(false)
  const change = (/** @type {Partial<Draft>} */ some) => setDraft((now) => ({ ...now, ...some }))
  const create = useAction(async () => {
    await visit.create(prefs.name.value.trim(), settingsOf(draft), { plan: planOf(draft), password: passwordOf(draft) })
    if (draft.plays) await session.takePart(true)
  })
  const faults = tried ? faultsOf(draft, session.clock.now()) : {}
  const badName = create.error?.code === 'bad-name' ? create.error.message : null

  useEffect(() => {
    document.title = 'Host a tournament · Forty Thieves Race'
    return () => {
      document.title = 'Forty Thieves Race'
    }
  }, [])

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault()
    setTried(true)
    if (!Object.keys(faultsOf(draft, session.clock.now())).length) create.go()
  }

  return (
    <div class="page" data-page="host">
      <Head />
      <main class="host-main">
        <form class="card host-form" onSubmit={submit} aria-label="Host a tournament">
          <h1>Host a tournament</h1>
          <p class="hint">Everybody races on the same deal in each round. Pick what is nearest; all of it can be changed.</p>
          <fieldset class="presets">
            <legend>What kind of event?</legend>
            {PRESETS.map(({ key, name, line, changes }) => (
              <label key={key} class="preset" data-preset={key}>
                <input
                  type="radio"
                  name="preset"
                  checked={preset === key}
                  onChange={() => {
                    setPreset(key)
                    setDraft(withPreset(draft, changes, prefs.game.value))
                  }}
                />
                <span class="preset-inside">
                  <span class="preset-name">{name}</span>
                  <span class="hint">{line}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <div class="plan-grid">
            <NameField value={prefs.name.value} onInput={(name) => (prefs.name.value = name)} required error={badName} />
            <Field
              label="Name of the event"
              value={draft.name}
              onInput={(name) => change({ name })}
              maxlength={60}
              placeholder="Club night"
              autocomplete="off"
              dir="auto"
            />
          </div>
          <PlanFields draft={draft} onChange={change} faults={faults} />
          <div class="plan-grid">
            <Switch
              label="I play along"
              hint="You can still be the host"
              on={draft.plays}
              onChange={(plays) => change({ plays })}
            />
            <Switch
              label="Public"
              hint="On the front page, for everybody"
              on={draft.public}
              onChange={(on) => change({ public: on })}
            />
          </div>
          {create.error && !badName && <Wrong>{create.error.message}</Wrong>}
          {Object.keys(faults).length > 0 && <Wrong>Something above is not right yet.</Wrong>}
          <div class="row row-end">
            <button type="button" class="button button-quiet" onClick={route.toFront}>
              Front page
            </button>
            <button class="button button-main button-large" disabled={create.busy}>
              Open the tournament
            </button>
          </div>
        </form>
      </main>
    </div>
  )
}
