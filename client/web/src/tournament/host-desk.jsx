/** The host's desk: the actions of hosts and co-hosts. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { listText } from '../model/format.js'
import { endedOf, isArena, isOpen } from '../model/tournament/arena-view.js'
import { isCupRound } from '../model/tournament/group-tables.js'
import { KINDS } from '../model/tournament/kinds.js'
import { TITLE_LENGTH } from '../model/tournament/plan-constants.js'
import { changesOf, draftOf, faultsOf, localTime, passwordOf, startFault } from '../model/tournament/plan-draft.js'
import { checkInOf, countIn, nameOf, nextRound, personName, presenceOf, roundsOf } from '../model/tournament/rounds.js'
import { checkInText, deedSaying } from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton, focus } from '../parts/controls/confirm-button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Field, Form, Wrong } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { useAction, useCommand, useLater, useNow, useSite } from '../parts/hooks.js'
import { lazyPart } from '../parts/page/lazy.jsx'
import { AddBot } from '../parts/room/add-bot.jsx'
import { Said } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import { AnnounceForm } from './announcement.jsx'
import { AskWhy, RaceField, raceNumber } from './ask-why.jsx'
import { DeskPeople } from './desk-people.jsx'
import { EntryList } from './entry-list.jsx'
import { PersonForm } from './person-form.jsx'
import { PlanFields, WhenField } from './plan-fields.jsx'
import './host-desk.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */

const Review = lazyPart(['more'], async () => (await import('../parts/results/review.jsx')).Review)

/** @param {boolean} paused @param {boolean} arena */
function pauseText(paused, arena) {
  if (arena) return paused ? t('tournament.desk.resumeArena') : t('tournament.desk.pauseArena')
  return paused ? t('tournament.desk.resume') : t('tournament.desk.pause')
}

const SINGLY = 1 // up to this number, rounds are confirmed one by one, else together

/**
 * Starts a round, and asks first if entrants would be out of it because they have not checked in.
 * @param {{text: string, missing: number, tooFew: boolean, busy: boolean, onStart: () => void}} props
 */
function Start({ text, missing, tooFew, busy, onStart }) {
  const disabled = busy || tooFew
  if (!missing) return <Button kind={!tooFew && 'main large'} text={text} disabled={disabled} onClick={onStart} />
  const question = t('tournament.checkIn.missing', { count: missing })
  return <ConfirmButton kind="main large" text={text} question={question} disabled={disabled} onYes={onStart} />
}

/**
 * Buttons for actions on a round, with a public reason. An action has three texts, such as `end`, `endQuestion` and `endYes`.
 * @param {ReturnType<typeof useCommand<'round'>>} run
 */
const askRound =
  (run) =>
  /**
   * @param {Parameters<typeof run.go>[0]} what @param {'end' | 'unfinished' | 'again' | 'skip' | 'endArena' | 'skipRace'} words
   * @param {object} parameters of the texts @param {object} [more]
   */
  (what, words, parameters, more) => {
    const textOf = (/** @type {string} */ key) => /** @type {any} */ (t)(key, parameters)
    return (
      <AskWhy
        kind="small"
        label={textOf(`tournament.ask.${words}`)}
        question={textOf(`tournament.ask.${words}Question`)}
        yes={t(`tournament.ask.${words}Yes`)}
        disabled={run.busy}
        onYes={(reason) => run.go(what, reason)}
        {...more}
      />
    )
  }

const SETTLES = 1000 // ms

/**
 * For buttons that replace each other: whether they have been the same for a while, so that a pointer means the one it is on.
 * @param {string} key changes with the buttons
 */
function useSettled(key) {
  const [settled, setSettled] = useState(key)
  useLater(() => setSettled(key), SETTLES, [key])
  return settled === key
}

/** The possible actions for the rounds. @param {{view: View, tournament: Tournament}} props */
function RoundTools({ view, tournament }) {
  const { session } = useSite()
  const { phase, round, paused, plan, rounds = {}, next_at: nextAt, again, unfinished = [] } = tournament
  const run = useCommand('round')
  const timer = useCommand('timer')
  const arena = isArena(tournament)
  const ask = askRound(run)
  const { hasRounds, hasSchedule } = KINDS[plan.format]
  const [when, setWhen] = useState(/** @type {string | null | undefined} */ (undefined))
  const atTime = useRef(/** @type {HTMLButtonElement | null} */ (null))
  // Only when the field disappears: the button also depends on the rounds.
  useEffect(() => {
    if (when === null) atTime.current?.focus()
  }, [when])
  const last = rounds[round]
  // A replayed round, or one with a tie to race, is not decided.
  const open = roundsOf(tournament).filter(([number, { state }]) => state === 'played' && !(again && number === round))
  // In a knock-out, the host declares the last entrant the winner.
  const tooFew = hasRounds && countIn(tournament) < 2 && !(round > 0 && isCupRound(tournament, round))
  const isAnnulled = again && !last?.races?.length
  const next = nextRound(tournament)
  const isStarted = useNow(1000, (now) => now >= (view.race.starts_at ?? Infinity))
  const isCheckIn = useNow(1000, (now) => checkInOf(tournament, now)?.is === 'open')
  const confirmAll = useAction(async () => {
    for (const [number] of open) await session.ask('round', 'confirm', '', number)
  })
  const error = run.error ?? timer.error ?? confirmAll.error
  const canStart = phase === 'entry' || phase === 'pause'
  const fault = when ? startFault(when, session.clock.now()) : null
  const racing = Object.values(view.race.racers ?? {}).filter(({ state }) => state === 'racing')
  const pairs = listText(unfinished.map(([one, other]) => `${nameOf(tournament, one)} – ${nameOf(tournament, other)}`))
  const isSettled = useSettled(`${phase} ${round} ${paused} ${open.length} ${isStarted}`)
  return (
    <div class="desk-tools" style={isSettled ? undefined : { pointerEvents: 'none' }}>
      <div class="row">
        {canStart && (
          <Start
            text={arena ? t('tournament.desk.openArena') : t('tournament.desk.start', { round: next })}
            missing={isCheckIn ? presenceOf(tournament).missing.length : 0}
            tooFew={tooFew}
            busy={run.busy}
            onStart={() => run.go('start')}
          />
        )}
        {phase !== 'over' && (
          <Button aria-pressed={paused ?? false} {...run.button(paused ? 'resume' : 'pause')}>
            <Icon name={paused ? 'play' : 'pause'} /> {pauseText(paused ?? false, arena)}
          </Button>
        )}
        {canStart && when == null && (
          <Button
            text={t('tournament.desk.atTime')}
            ref={atTime}
            onClick={() => setWhen(localTime(nextAt ?? session.clock.now() + 600_000))}
          />
        )}
        {canStart && nextAt != null && <Button text={t('tournament.desk.byHand')} {...timer.button(null)} />}
        {open.length > SINGLY && (
          <Button icon="check" text={t('tournament.desk.confirmAll', { count: open.length })} {...confirmAll.button()} />
        )}
        {(open.length > SINGLY ? [] : open).map(([number]) => (
          <Button
            key={number}
            icon="check"
            text={t('tournament.desk.confirm', { round: number })}
            {...run.button('confirm', '', number)}
          />
        ))}
      </div>
      {paused && phase === 'racing' && !arena && <p class="hint">{t('tournament.desk.pausedHint')}</p>}
      {arena && phase !== 'entry' && <ArenaTools tournament={tournament} />}
      {canStart && tooFew && <p class="hint">{t('tournament.desk.tooFew', { count: countIn(tournament) })}</p>}
      {when != null && (
        <Form class="desk-when" onSubmit={async () => !fault && (await timer.go(Date.parse(when))) && setWhen(null)}>
          <WhenField
            ref={focus}
            label={arena ? t('tournament.desk.opensAt') : t('tournament.desk.startsAt', { round: next })}
            value={when}
            onInput={setWhen}
            error={fault ? t(`tournament.fault.${fault}`) : undefined}
          />
          <Button type="submit" text={t('tournament.desk.set')} disabled={timer.busy || !when || fault !== null} />
          <Button kind="quiet" text={t('front.cancel')} onClick={() => setWhen(null)} />
        </Form>
      )}
      {round > 0 && last?.state !== 'skipped' && (
        <div class="row desk-serious">
          {phase === 'racing' &&
            isStarted &&
            ask('end', 'end', { round, count: racing.length, format: plan.format === 'points' ? 'points' : 'pairs' })}
          {unfinished.length > 0 && ask('replay_unfinished', 'unfinished', { count: unfinished.length, pairs })}
          {!isAnnulled && ask('replay', 'again', { round })}
          {!hasSchedule && ask('skip', 'skip', { round })}
        </div>
      )}
      {error && <Wrong>{error.message}</Wrong>}
    </div>
  )
}

/** The state of check-in. @param {{tournament: Tournament}} props */
function CheckInState({ tournament }) {
  const text = useNow(500, (now) => checkInText(checkInOf(tournament, now), now))
  if (!text) return null
  const { here, missing } = presenceOf(tournament)
  return (
    <p class="hint desk-check-in" data-part="desk-check-in">
      {text} · {t('tournament.checkIn.count', { here: here.length, count: here.length + missing.length })}
    </p>
  )
}

/** The actions for an arena: end it early, and skip a race. @param {{tournament: Tournament}} props */
function ArenaTools({ tournament }) {
  const run = useCommand('round')
  const ask = askRound(run)
  const [race, setRace] = useState('')
  const isClosed = useNow(1000, (now) => (tournament.arena?.closes_at ?? Infinity) <= now)
  return (
    <div class="row desk-serious">
      {tournament.phase === 'racing' && !isClosed && ask('end', 'endArena', {})}
      {endedOf(tournament).length > 0 &&
        ask(
          'skip',
          'skipRace',
          {},
          {
            ready: !Number.isNaN(raceNumber(race)),
            onYes: (/** @type {string} */ reason) => run.go('skip', reason, raceNumber(race)),
            children: <RaceField tournament={tournament} value={race} onInput={setRace} />,
          },
        )}
      {run.error && <Wrong>{run.error.message}</Wrong>}
    </div>
  )
}

/** The last action of a host, while it can be taken back. @param {{view: View, tournament: Tournament}} props */
function LastDeed({ view, tournament }) {
  const undo = useCommand('undo_deed')
  const { undo: at, desk = [] } = tournament
  const deed = at == null ? undefined : desk.filter((one) => one[0] === at && one[1] !== null).at(-1)
  if (at == null || !deed) return null
  return (
    <div class="row desk-last" data-part="last-deed">
      <span class="hint">
        <Said saying={deedSaying(deed, (who) => personName(view, who), isArena(tournament))} />
      </span>
      <Button kind="small" icon="undo" text={t('tournament.desk.undo')} {...undo.button(at)} />
      {undo.error && <Wrong>{undo.error.message}</Wrong>}
    </div>
  )
}

/** @param {{view: View, tournament: Tournament, onClose: () => void}} props */
function PlanForm({ view, tournament, onClose }) {
  const { session } = useSite()
  const [before] = useState(() => draftOf(tournament.plan, view.settings))
  const [draft, setDraft] = useState(before)
  const save = useAction(async () => {
    if (isPlanChanged) await session.ask('plan', changes, ...(password ? [password] : []))
    // The deal is a setting of the room, as in a room of friends.
    if (isDealChanged) await session.ask('settings', { deal: draft.deal })
  })
  const changes = changesOf(before, draft)
  const password = passwordOf(draft)
  const isPlanChanged = Object.keys(changes).length > 0 || password !== ''
  const isDealChanged = draft.deal !== before.deal
  const isChanged = isPlanChanged || isDealChanged
  // A list or a password without new text is unchanged, and a time in the past is left out.
  /** @type {Record<string, boolean>} */
  const settled = {
    starts_at: draft.starts_at === before.starts_at,
    listed: before.entry === 'list' && !draft.listed.trim(),
    password: before.entry === 'password',
  }
  const found = Object.entries(faultsOf(draft, session.clock.now()))
  const faults = Object.fromEntries(found.filter(([key]) => !settled[key]))
  return (
    <Dialog title={t('tournament.plan.title')} onClose={onClose} wide>
      <Form
        class="plan-form"
        onSubmit={async () => {
          if (!Object.keys(faults).length && (!isChanged || (await save.go()))) onClose()
        }}
      >
        <Field
          label={t('tournament.new.eventName')}
          value={draft.name}
          onInput={(name) => setDraft({ ...draft, name })}
          maxlength={TITLE_LENGTH}
          dir="auto"
        />
        <PlanFields
          draft={draft}
          onChange={(some) => setDraft((now) => ({ ...now, ...some }))}
          faults={faults}
          isOpen
          kept={before.entry}
          isBegun={tournament.round > 0 || isOpen(tournament)}
          hasDeal={session.isHost.value}
        />
        {save.error && <Wrong>{save.error.message}</Wrong>}
        <div class="dialog-foot">
          <p class="hint">{t('tournament.desk.planSeen')}</p>
          <Button text={t('front.cancel')} onClick={onClose} />
          <Button type="submit" kind="main" text={t('front.save')} disabled={save.busy || !isChanged} />
        </div>
      </Form>
    </Dialog>
  )
}

/** Bots enter like people, for example to fill an odd number. @param {{tournament: Tournament}} props */
const Bots = ({ tournament }) => (
  <div class="row" data-part="bots">
    <AddBot />
    {KINDS[tournament.plan.format].hasPairs && countIn(tournament) % 2 === 1 && (
      <span class="hint">{t('tournament.desk.odd')}</span>
    )}
  </div>
)

/** @param {{view: View, tournament: Tournament, seat: number}} props */
export function Desk({ view, tournament, seat }) {
  const [open, setOpen] = useState(/** @type {'plan' | 'announce' | 'list' | null} */ (null))
  const [who, setWho] = useState(0)
  const { session } = useSite()
  const lock = useCommand('lock')
  const registration = useCommand('registration')
  const raced =
    endedOf(tournament)[0]?.number ??
    roundsOf(tournament)
      .flatMap(([, { races, results }]) => (results ? (races ?? []) : []))
      .at(-1) ??
    0
  const desk = useRef(/** @type {HTMLElement | null} */ (null))
  // The actions change with the tournament: if the focused button disappears, the desk gets the focus.
  const focused = document.activeElement
  const isAtDesk = desk.current?.contains(focused)
  useEffect(() => {
    if (isAtDesk && !focused?.isConnected && document.activeElement === document.body) desk.current?.focus()
  })
  const toConfirm = roundsOf(tournament).filter(([, { state }]) => state === 'played').length
  return (
    <section class="card desk" ref={desk} tabIndex={-1} aria-label={t('tournament.desk.title')} data-part="desk">
      <div class="card-head">
        <h2>{t('tournament.desk.title')}</h2>
        <span class="row">
          <Button kind="small" text={t('tournament.plan.title')} onClick={() => setOpen('plan')} />
          <Button kind="small" icon="speaker" text={t('tournament.desk.announce')} onClick={() => setOpen('announce')} />
          {tournament.plan.entry === 'list' && (
            <Button kind="small" text={t('tournament.list.title')} onClick={() => setOpen('list')} />
          )}
          {tournament.phase !== 'over' && (
            <Button
              kind="small"
              text={tournament.closed ? t('tournament.desk.openEntry') : t('tournament.desk.closeEntry')}
              {...registration.button(Boolean(tournament.closed))}
            />
          )}
          <Button kind="small" aria-pressed={view.locked ?? false} {...lock.button(!view.locked)}>
            <Icon name={view.locked ? 'lock' : 'unlock'} /> {view.locked ? t('race.room.locked') : t('race.room.lock')}
          </Button>
          <a class="button button-small" href={`/r/${view.code}/p`} target="_blank" rel="noopener">
            <Icon name="eye" /> {t('tournament.desk.projector')}
          </a>
        </span>
      </div>
      <RoundTools view={view} tournament={tournament} />
      <CheckInState tournament={tournament} />
      <LastDeed view={view} tournament={tournament} />
      {session.isHost.value && tournament.may_enter && <Bots tournament={tournament} />}
      <DeskPeople view={view} tournament={tournament} onPick={setWho} onList={() => setOpen('list')} />
      {view.host === seat && raced > 0 && <Review race={raced} nameOf={(who) => nameOf(tournament, who)} />}
      {toConfirm > 0 && tournament.phase === 'over' && <p class="hint">{t('tournament.desk.toConfirm', { count: toConfirm })}</p>}
      {open === 'announce' && <AnnounceForm tournament={tournament} onClose={() => setOpen(null)} />}
      {open === 'list' && <EntryList view={view} tournament={tournament} onClose={() => setOpen(null)} />}
      {open === 'plan' && <PlanForm view={view} tournament={tournament} onClose={() => setOpen(null)} />}
      {who > 0 && <PersonForm view={view} tournament={tournament} seat={seat} who={who} onClose={() => setWho(0)} />}
      {lock.error && <Wrong>{lock.error.message}</Wrong>}
      {registration.error && <Wrong>{registration.error.message}</Wrong>}
    </section>
  )
}
