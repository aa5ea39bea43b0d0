/** The host's desk: what hosts and co-hosts of a tournament may do. */
import { useState } from 'preact/hooks'
import { counted } from '../model/format.js'
import { isHosting } from '../model/room-view.js'
import { changesOf, draftOf, faultsOf, localTime, passwordOf } from '../model/tournament/plan-draft.js'
import { countIn, nextRound, roundsOf, standingOf } from '../model/tournament/rounds.js'
import { scoreText } from '../model/tournament/words.js'
import { Also, Ask, HOLD } from '../parts/confirm-button.jsx'
import { Dialog } from '../parts/dialog.jsx'
import { Download } from '../parts/download-button.jsx'
import { Field, Wrong } from '../parts/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { Review } from '../parts/review.jsx'
import { EntryList } from './entry-list.jsx'
import { LongTable } from './long-table.jsx'
import { PlanFields, WhenField } from './plan-fields.jsx'
import { Note } from './standings.jsx'
import './host-desk.css'

/**
 * @typedef {import('../model/room-view.js').View} View
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 */

/**
 * A button for what everybody sees a reason of; it asks for one first.
 *
 * @param {object} props
 * @param {string} props.label @param {string} props.yes
 * @param {string} props.question
 * @param {boolean} [props.needed] a reason has to be given
 * @param {string | undefined} [props.also] what can be done besides, off at first
 * @param {(reason: string, also: boolean) => void} props.onYes
 * @param {string} [props.class]
 * @param {boolean} [props.disabled]
 */
function AskWhy({ label, yes, question, needed = false, also, onYes, disabled, ...rest }) {
  const [isAlso, setIsAlso] = useState(false)
  const [reason, setReason] = useState(/** @type {string | null} */ (null))
  if (reason === null) {
    return (
      <button type="button" class={rest.class ?? 'button'} disabled={disabled} onClick={() => setReason('')}>
        {label}
      </button>
    )
  }
  return (
    <form
      class="ask-why"
      aria-label={question}
      onSubmit={(event) => {
        event.preventDefault()
        setReason(null)
        onYes(reason.trim(), isAlso)
      }}
    >
      <p>{question}</p>
      <Field
        label={needed ? 'Why? Everybody sees it' : 'Why? Everybody sees it, if you say it'}
        value={reason}
        onInput={setReason}
        required={needed}
        maxlength={200}
        dir="auto"
      />
      {also && <Also words={also} on={isAlso} onChange={setIsAlso} />}
      <div class="row">
        <button class="button button-danger button-small" disabled={needed && !reason.trim()}>
          {yes}
        </button>
        <button type="button" class="button button-small" onClick={() => setReason(null)}>
          No
        </button>
      </div>
    </form>
  )
}

/** What may be done about the rounds just now. @param {{tournament: Tournament}} props */
function RoundTools({ tournament }) {
  const { session } = useSite()
  const { phase, round, paused, plan, rounds = {}, next_at: nextAt, again } = tournament
  const run = useAction(session.round)
  const timer = useAction(session.timer)
  const [when, setWhen] = useState(/** @type {string | null} */ (null))
  const last = rounds[round]
  const isOn = phase === 'drawn' || phase === 'racing'
  const isRaced = last && !isOn && last.state !== 'skipped' && !again
  // In a knock-out the last one who is left is to be declared the winner.
  const tooFew = countIn(tournament) < 2 && !(plan.format === 'knockout' && round > 0)
  const isAnnulled = again && !last?.races?.length
  const next = nextRound(tournament)
  const error = run.error ?? timer.error
  const canStart = phase === 'entry' || phase === 'pause'
  return (
    <div class="desk-tools">
      <div class="row">
        {canStart && (
          <button
            type="button"
            class="button button-main button-large"
            disabled={run.busy || tooFew}
            onClick={() => run.go('start')}
          >
            Start round {next} now
          </button>
        )}
        {phase !== 'over' && (
          <button
            type="button"
            class="button"
            aria-pressed={paused ?? false}
            disabled={run.busy}
            onClick={() => run.go(paused ? 'resume' : 'pause')}
          >
            <Icon name={paused ? 'play' : 'pause'} /> {paused ? 'Go on' : 'Pause'}
          </button>
        )}
        {canStart && when === null && (
          <button type="button" class="button" onClick={() => setWhen(localTime(nextAt ?? session.clock.now() + 600_000))}>
            At a time …
          </button>
        )}
        {canStart && nextAt != null && (
          <button type="button" class="button" disabled={timer.busy} onClick={() => timer.go(null)}>
            By hand
          </button>
        )}
        {isRaced && last.state !== 'confirmed' && (
          <button type="button" class="button" disabled={run.busy} onClick={() => run.go('confirm')}>
            <Icon name="check" /> Confirm round {round}
          </button>
        )}
      </div>
      {canStart && tooFew && <p class="hint">A round needs two entrants; {countIn(tournament)} so far.</p>}
      {when !== null && (
        <form
          class="desk-when"
          onSubmit={async (event) => {
            event.preventDefault()
            if (await timer.go(Date.parse(when))) setWhen(null)
          }}
        >
          <WhenField label={`Round ${next} begins at`} value={when} onInput={setWhen} />
          <button class="button" disabled={timer.busy || !when}>
            Set
          </button>
          <button type="button" class="button button-quiet" onClick={() => setWhen(null)}>
            Cancel
          </button>
        </form>
      )}
      {round > 0 && last?.state !== 'skipped' && (
        <div class="row desk-serious">
          {!isAnnulled && (
            <AskWhy
              class="button button-small"
              label={`Play round ${round} again`}
              question={`Round ${round} counts no more, and is raced again with the same pairs on a new deal.`}
              yes="Play it again"
              disabled={run.busy}
              onYes={(reason) => run.go('replay', reason)}
            />
          )}
          {plan.format !== 'knockout' && (
            <AskWhy
              class="button button-small"
              label={`Skip round ${round}`}
              question={`Round ${round} counts nothing, as if it had not been drawn.`}
              yes="Skip it"
              disabled={run.busy}
              onYes={(reason) => run.go('skip', reason)}
            />
          )}
        </div>
      )}
      {error && <Wrong>{error.message}</Wrong>}
    </div>
  )
}

/** @param {{view: View, tournament: Tournament, onClose: () => void}} props */
function PlanForm({ view, tournament, onClose }) {
  const { session } = useSite()
  const [before] = useState(() => draftOf(tournament.plan, view.settings))
  const [draft, setDraft] = useState(before)
  const save = useAction(session.plan)
  const changes = changesOf(before, draft)
  const password = passwordOf(draft)
  const isChanged = Object.keys(changes).length > 0 || password !== ''
  // A list or a password that is not typed again stays as it is, and a time that has passed concerns nobody any more.
  const faults = Object.fromEntries(
    Object.entries(faultsOf(draft, session.clock.now())).filter(
      ([key]) =>
        key === 'points' ||
        (key === 'starts_at' && draft.starts_at !== before.starts_at) ||
        (key === 'listed' && before.entry !== 'list') ||
        (key === 'password' && before.entry !== 'password'),
    ),
  )
  return (
    <Dialog title="The plan" onClose={onClose} wide>
      <form
        class="plan-form"
        onSubmit={async (event) => {
          event.preventDefault()
          if (Object.keys(faults).length) return
          if (!isChanged || (await save.go(changes, password))) onClose()
        }}
      >
        <Field
          label="Name of the event"
          value={draft.name}
          onInput={(name) => setDraft({ ...draft, name })}
          maxlength={60}
          dir="auto"
        />
        <PlanFields
          draft={draft}
          onChange={(some) => setDraft((now) => ({ ...now, ...some }))}
          faults={faults}
          isOpen
          kept={before.entry}
          isBegun={tournament.round > 0}
        />
        {save.error && <Wrong>{save.error.message}</Wrong>}
        <div class="dialog-foot">
          <p class="hint">Everybody sees that you changed the plan.</p>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button button-main" disabled={save.busy || !isChanged}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Somebody in the room, and what a host may do about them. @param {{view: View, tournament: Tournament, seat: number, who: number, onClose: () => void}} props */
function PersonForm({ view, tournament, seat, who, onClose }) {
  const { session } = useSite()
  const judge = useAction(session.judge)
  const withdraw = useAction(session.withdraw)
  const coHost = useAction(session.coHost)
  const kick = useAction(session.kick)
  const entrant = tournament.entrants?.[who]
  const person = view.people[who]
  const name = entrant?.name ?? person?.name ?? `Seat ${who}`
  const isOrganiser = view.creator === seat
  const isCoHost = tournament.co_hosts?.includes(who) ?? false
  // A tournament stays with the one who opened it, whoever helps.
  const isMine = who !== view.creator || isOrganiser
  const canRemove = view.host === seat && isMine && (isOrganiser || !isCoHost)
  const error = judge.error ?? withdraw.error ?? coHost.error ?? kick.error
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="person-form">
        {!isMine && <p>{name} opened this tournament: nobody else can withdraw, disqualify or remove them.</p>}
        {isMine && entrant?.state === 'in' && (
          <Ask class="button" question="Withdraw? They may come back." yes="Withdraw" onYes={() => withdraw.go(who)}>
            Withdraw
          </Ask>
        )}
        {isMine && entrant && entrant.state !== 'disqualified' && (
          <AskWhy
            label="Disqualify"
            question={`${name} is out of all comparisons, in all rounds. This can be taken back.`}
            yes="Disqualify"
            needed
            also={HOLD}
            onYes={(reason, hold) => judge.go(who, true, reason, hold)}
          />
        )}
        {isMine && entrant?.state === 'disqualified' && (
          <>
            <Note entrant={entrant} />
            <AskWhy
              label="Take the disqualification back"
              question={`${name} is in again, and all that was raced counts.`}
              yes="Take it back"
              needed
              onYes={(reason) => judge.go(who, false, reason)}
            />
          </>
        )}
        {isOrganiser && (person || isCoHost) && who !== seat && (
          <button type="button" class="button" disabled={coHost.busy} onClick={() => coHost.go(who, !isCoHost)}>
            {isCoHost ? 'No longer a co-host' : 'Make a co-host'}
          </button>
        )}
        {canRemove && person && who !== seat && (
          <Ask class="button" question="Remove for good?" yes="Remove" also={HOLD} onYes={(hold) => kick.go(who, hold)}>
            <Icon name="close" /> Remove from the room
          </Ask>
        )}
        {error && <Wrong>{error.message}</Wrong>}
      </div>
    </Dialog>
  )
}

/** @param {View} view @param {number} who */
const hostingNote = (view, who) =>
  who === view.creator ? 'organiser' : who === view.host ? 'stands in as host' : isHosting(view, who) ? 'co-host' : ''

/** Everybody: entrants, and who is just in the room. @param {View} view @param {Tournament} tournament */
function everybody(view, { entrants = {} }) {
  const seats = new Set([...Object.keys(entrants), ...Object.keys(view.people)].map(Number))
  return [...seats].sort((a, b) => a - b)
}

/** @param {{view: View, tournament: Tournament, onPick: (seat: number) => void}} props */
function PeopleTable({ view, tournament, onPick }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const nameAt = (/** @type {number} */ who) => tournament.entrants?.[who]?.name ?? view.people[who]?.name ?? ''
  const all = everybody(view, tournament)
  const rows = wanted ? all.filter((who) => nameAt(who).toLowerCase().includes(wanted)) : all
  return (
    <>
      {all.length > 8 && <Field label="Find" value={text} onInput={setText} autocomplete="off" />}
      <LongTable
        label="People"
        part="desk-people"
        rows={rows}
        columns={3}
        head={
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Score</th>
            <th scope="col">
              <span class="heard">Tools</span>
            </th>
          </tr>
        }
        row={(who, at) => {
          const entrant = tournament.entrants?.[who]
          const person = view.people[who]
          const standing = standingOf(tournament, who)
          return (
            <tr key={who} data-seat={who} aria-rowindex={at + 2}>
              <th scope="row">
                <bdi>{nameAt(who)}</bdi>
                {entrant ? <Note entrant={entrant} /> : <small class="entrant-note">no entrant</small>}
                {hostingNote(view, who) && <small class="entrant-note">{hostingNote(view, who)}</small>}
                {!person?.here && !person?.bot && <small class="entrant-note">away</small>}
              </th>
              <td>{standing ? scoreText(standing[2]) : '–'}</td>
              <td>
                <button
                  type="button"
                  class="button button-quiet button-small"
                  aria-label={`Tools for ${nameAt(who)}`}
                  onClick={() => onPick(who)}
                >
                  <Icon name="options" />
                </button>
              </td>
            </tr>
          )
        }}
      />
    </>
  )
}

/** @param {{code: string, hasTimes: boolean}} props */
export const Files = ({ code, hasTimes }) => {
  const base = `/api/tournaments/${code}`
  /** @type {[string, string][]} */
  const files = [
    [`${base}.csv`, 'Standings (CSV)'],
    [`${base}-results.csv`, 'Results (CSV)'],
    [`${base}.json`, 'All (JSON)'],
    [`${base}.bundle.json`, 'With records'],
  ]
  if (hasTimes) files.push([`${base}.ics`, 'Calendar'])
  return (
    <p class="row files" data-part="files">
      {files.map(([path, text]) => (
        <Download key={path} path={path} name={path.replace(/^.*\//, 'forty-thieves-')}>
          {text}
        </Download>
      ))}
      <a class="button button-small" href={`/r/${code}/s`}>
        <Icon name="check" /> Check the standings
      </a>
    </p>
  )
}

/** @param {{view: View, tournament: Tournament, seat: number}} props */
export function Desk({ view, tournament, seat }) {
  const { session } = useSite()
  const [open, setOpen] = useState(/** @type {'plan' | 'people' | 'list' | null} */ (null))
  const [who, setWho] = useState(0)
  const lock = useAction(session.lock)
  const count = Object.keys(tournament.entrants ?? {}).length
  const raced =
    roundsOf(tournament)
      .flatMap(([, { races, results }]) => (results ? (races ?? []) : []))
      .at(-1) ?? 0
  const toConfirm = roundsOf(tournament).filter(([, { state }]) => state === 'played').length
  return (
    <section class="card desk" aria-label="The host’s desk" data-part="desk">
      <div class="card-head">
        <h2>The host’s desk</h2>
        <span class="row">
          <button type="button" class="button button-small" onClick={() => setOpen('plan')}>
            Plan
          </button>
          <button
            type="button"
            class="button button-small"
            onClick={() => setOpen(open === 'people' ? null : 'people')}
            aria-expanded={open === 'people'}
          >
            <Icon name="people" /> {counted(count, 'entrant')}
          </button>
          {tournament.plan.entry === 'list' && (
            <button type="button" class="button button-small" onClick={() => setOpen('list')}>
              List
            </button>
          )}
          <button
            type="button"
            class="button button-small"
            aria-pressed={view.locked ?? false}
            disabled={lock.busy}
            onClick={() => lock.go(!view.locked)}
          >
            <Icon name={view.locked ? 'lock' : 'unlock'} /> {view.locked ? 'Locked' : 'Lock'}
          </button>
          <a class="button button-small" href={`/r/${view.code}/p`} target="_blank" rel="noopener">
            <Icon name="eye" /> Projector
          </a>
        </span>
      </div>
      <RoundTools tournament={tournament} />
      {view.host === seat && raced > 0 && (
        <Review race={raced} nameOf={(who) => tournament.entrants?.[who]?.name ?? `Seat ${who}`} />
      )}
      {toConfirm > 0 && tournament.phase === 'over' && (
        <p class="hint">{counted(toConfirm, 'round')} not confirmed yet: the standings are provisional.</p>
      )}
      {open === 'people' && <PeopleTable view={view} tournament={tournament} onPick={setWho} />}
      {open === 'list' && <EntryList view={view} tournament={tournament} onClose={() => setOpen(null)} />}
      {open === 'plan' && <PlanForm view={view} tournament={tournament} onClose={() => setOpen(null)} />}
      {who > 0 && <PersonForm view={view} tournament={tournament} seat={seat} who={who} onClose={() => setWho(0)} />}
      {lock.error && <Wrong>{lock.error.message}</Wrong>}
    </section>
  )
}
