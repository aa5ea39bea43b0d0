import { useState } from 'preact/hooks'
import { clockText, counted } from '../model/format.js'
import { ghostFragment } from '../model/link-fragments.js'
import { NameField, Select, Wrong } from '../parts/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'

/** @typedef {import('../record/race-record.js').Racer} Racer */

/**
 * The same deal once more, alone or with friends, against a ghost if one likes.
 *
 * @param {object} props
 * @param {import('../record/race-record.js').RaceRecord} props.record
 * @param {number} props.chosen whose ghost is offered first
 * @param {boolean} props.known whether the results may be told
 */
export function Again({ record, chosen, known }) {
  const { visit, prefs, session } = useSite()
  const [asking, setAsking] = useState(false)
  const view = session.view.value
  const others = view && session.seat.value > 0 ? Object.keys(view.people).length - 1 : 0
  const { code, race, game } = record
  const ghosts = record.racers.filter((racer) => racer.moves > 0)
  const [picked, setPicked] = useState(/** @type {number | null} */ (null))
  const seat = picked ?? (ghosts.some((racer) => racer.seat === chosen) ? chosen : (ghosts[0]?.seat ?? 0))
  const name = prefs.name.value

  const play = useAction(async () => {
    const { time_limit, undo } = record.settings
    const fragment = seat ? ghostFragment({ code, race, seat }) : ''
    await visit.create(name.trim(), { game, deal: `${code}/${race}`, time_limit, undo, hints: true }, { fragment })
  })

  /** @param {Racer} racer */
  const result = ({ state, when, home }) => (state === 'solved' ? clockText(when - record.starts_at) : counted(home, 'card'))
  const badName = play.error?.code === 'bad-name' ? play.error.message : null
  return (
    <section class="card again" aria-label="Play this deal" data-part="again">
      <h2>Play this deal</h2>
      <p class="hint">
        A room of your own with the same cards, alone or with friends. It counts as practice, because the deal is known.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // Whoever goes to another room is missed in this one.
          if (others && !asking) return setAsking(true)
          play.go()
        }}
      >
        <NameField value={name} onInput={(/** @type {string} */ to) => (prefs.name.value = to)} required error={badName} />
        <Select
          label="Ghost"
          value={seat}
          options={[
            ...ghosts.map(
              (racer) => /** @type {const} */ ([racer.seat, known ? `${racer.name} (${result(racer)})` : racer.name]),
            ),
            [0, 'No ghost'],
          ]}
          onPick={setPicked}
          hint={seat ? 'Runs along in a lane, as fast as in this race.' : ''}
        />
        {play.error && !badName && <Wrong>{play.error.message}</Wrong>}
        {asking && (
          <p class="hint" role="alert">
            You have a seat in room {view?.code} with {counted(others, 'other')}. Play this deal in another room all the same?
          </p>
        )}
        <div class="row">
          <button class="button button-main" disabled={play.busy}>
            <Icon name="ghost" /> {play.busy ? 'Opening the room …' : asking ? 'Yes, play it' : 'Play this deal'}
          </button>
          {asking && (
            <button type="button" class="button" onClick={() => setAsking(false)}>
              No
            </button>
          )}
        </div>
      </form>
    </section>
  )
}
