/** A person in the room of a tournament, with the actions of a host. */
import { useState } from 'preact/hooks'
import { opponentIn } from '../model/race/room-view.js'
import { lastRaceOf } from '../model/tournament/arena-view.js'
import { correctable, givenOf, pointsGiven, swappable, waysOf } from '../model/tournament/desk.js'
import { nameOf, personName, presenceOf } from '../model/tournament/rounds.js'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Form, NumberField, OtherNameField, option, Select, Wrong } from '../parts/controls/form-fields.jsx'
import { useCommand } from '../parts/hooks.js'
import { Rich } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import { AskWhy, RaceField, raceNumber } from './ask-why.jsx'
import { HalfByes } from './half-byes.jsx'
import { Note } from './standings.jsx'
import { HostTeam } from './team-choice.jsx'
import './person-form.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { How } from '../model/tournament/desk.js' */

/** @param {{name: string, who: number}} props */
function Rename({ name, who }) {
  const [typed, setTyped] = useState(name)
  const rename = useCommand('rename_entrant')
  return (
    <Form class="person-row" onSubmit={() => rename.go(who, typed.trim())}>
      <OtherNameField label={t('race.results.name')} value={typed} onInput={setTyped} error={rename.error?.message} />
      <Button
        type="submit"
        text={t('tournament.person.rename')}
        disabled={rename.busy || !typed.trim() || typed.trim() === name}
      />
    </Form>
  )
}

/** In a round that is drawn. @param {{tournament: Tournament, who: number}} props */
function Swap({ tournament, who }) {
  const swap = useCommand('swap')
  const others = swappable(tournament, who)
  const [chosen, setChosen] = useState(0)
  const other = others.includes(chosen) ? chosen : (others[0] ?? 0)
  if (!others.length) return null
  return (
    <div class="person-row">
      <Select
        label={t('tournament.person.swap')}
        value={other}
        options={others.map((one) => option(one, nameOf(tournament, one)))}
        onPick={setChosen}
      />
      <Button
        text={t('tournament.person.swapYes')}
        {...swap.button(who, other, opponentIn(tournament.rounds?.[tournament.round], who))}
      />
      {swap.error && <Wrong>{swap.error.message}</Wrong>}
    </div>
  )
}

/**
 * Corrects the result of a finished round, or the points of a race of an arena.
 * @param {{tournament: Tournament, who: number, round?: number, isOpen?: boolean, onDone?: () => void}} props
 *   round: not in an arena; onDone: when it was corrected, or the host cancels
 */
function Correct({ tournament, who, round = 0, isOpen, onDone }) {
  const correct = useCommand('correct')
  const [race, setRace] = useState(() => String(lastRaceOf(tournament, who) ?? ''))
  const [points, setPoints] = useState('')
  const [how, setHow] = useState(/** @type {How} */ ('won'))
  const other = opponentIn(tournament.rounds?.[round], who)
  const number = round || raceNumber(race)
  const value = pointsGiven(points)
  const isWrong = !other && Number.isNaN(value)
  const label = round ? t('tournament.person.correct', { round }) : t('tournament.person.correctRace')
  return (
    <>
      <AskWhy
        label={label}
        question={label}
        yes={t('tournament.person.correctYes')}
        needed
        isOpen={isOpen}
        ready={!isWrong && !Number.isNaN(number)}
        disabled={correct.busy}
        onNo={onDone}
        onYes={async (reason) =>
          (await correct.go(number, other ? givenOf(who, other, how) : [[who, value]], reason)) && onDone?.()
        }
      >
        {!round && <RaceField tournament={tournament} value={race} onInput={setRace} />}
        {other ? (
          <Select
            label={t('race.results.result')}
            value={how}
            options={waysOf(tournament, round).map((one) =>
              option(one, t('tournament.person.resultOption', { how: one, name: nameOf(tournament, other) })),
            )}
            onPick={setHow}
          />
        ) : (
          <>
            <NumberField
              label={t('tournament.person.resultPoints')}
              value={points}
              onInput={setPoints}
              inputmode="decimal"
              error={isWrong ? t('tournament.fault.result') : null}
            />
            <p class="hint">{t('tournament.person.asRaced')}</p>
          </>
        )}
      </AskWhy>
      {correct.error && <Wrong>{correct.error.message}</Wrong>}
    </>
  )
}

/** Replays the match of the last round. @param {{tournament: Tournament, who: number}} props */
function Replay({ tournament, who }) {
  const replay = useCommand('replay_match')
  const { round, rounds = {}, phase, entrants = {} } = tournament
  const other = opponentIn(rounds[round], who)
  const canRace = [who, other].every((seat) => entrants[seat]?.state === 'in' && rounds[round]?.results?.[seat])
  if (!other || !canRace || phase === 'drawn' || phase === 'racing' || rounds[round].state === 'skipped') return null
  return (
    <>
      <AskWhy
        label={t('tournament.person.replay', { name: nameOf(tournament, other) })}
        question={t('tournament.person.replayQuestion')}
        yes={t('tournament.person.replayYes')}
        needed
        disabled={replay.busy}
        onYes={(reason) => replay.go(who, reason)}
      />
      {replay.error && <Wrong>{replay.error.message}</Wrong>}
    </>
  )
}

/** The correction of one result. @param {{tournament: Tournament, who: number, round: number, onClose: () => void}} props */
export const CorrectForm = ({ tournament, who, round, onClose }) => (
  <Dialog title={nameOf(tournament, who)} onClose={onClose}>
    <div class="person-form">
      <Correct tournament={tournament} who={who} round={round} isOpen onDone={onClose} />
    </div>
  </Dialog>
)

/** @param {{view: View, tournament: Tournament, seat: number, who: number, onClose: () => void}} props */
export function PersonForm({ view, tournament, seat, who, onClose }) {
  const judge = useCommand('judge')
  const withdraw = useCommand('withdraw')
  const coHost = useCommand('co_host')
  const kick = useCommand('kick')
  const checkIn = useCommand('check_in')
  const isMissing = presenceOf(tournament).missing.includes(who)
  const entrant = tournament.entrants?.[who]
  const person = view.people[who]
  const name = personName(view, who)
  const isOrganiser = view.creator === seat
  const isCoHost = tournament.co_hosts?.includes(who) ?? false
  // A tournament stays with its creator.
  const isMine = who !== view.creator || isOrganiser
  const canRemove = view.host === seat && isMine && (isOrganiser || !isCoHost)
  const error = judge.error ?? withdraw.error ?? coHost.error ?? kick.error ?? checkIn.error
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="person-form">
        {!isMine && (
          <p>
            <Rich id="tournament.person.organisers" with={{ name: <bdi>{name}</bdi> }} />
          </p>
        )}
        {isMine && entrant && <Rename key={name} name={name} who={who} />}
        {entrant && <HostTeam tournament={tournament} who={who} />}
        {entrant && <Swap tournament={tournament} who={who} />}
        {isMissing && <Button kind="main" text={t('tournament.checkIn.byHost')} {...checkIn.button(who)} />}
        {entrant && <HalfByes tournament={tournament} who={who} byHost />}
        {entrant && <Replay tournament={tournament} who={who} />}
        {entrant &&
          correctable(tournament, who).map((round) => <Correct key={round} tournament={tournament} who={who} round={round} />)}
        {tournament.arena?.sheets?.[who] && <Correct tournament={tournament} who={who} />}
        {isMine && entrant?.state === 'in' && (
          <ConfirmButton
            text={t('tournament.person.withdraw')}
            question={t('tournament.person.withdrawQuestion')}
            onYes={() => withdraw.go(who)}
          />
        )}
        {isMine && entrant && entrant.state !== 'disqualified' && (
          <AskWhy
            label={t('tournament.person.disqualify')}
            question={t('tournament.person.disqualifyQuestion', { name })}
            needed
            mayHold
            onYes={(reason, hold) => judge.go(who, true, reason, hold)}
          />
        )}
        {isMine && entrant?.state === 'disqualified' && (
          <>
            <Note entrant={entrant} />
            <AskWhy
              label={t('tournament.person.reinstate')}
              question={t('tournament.person.reinstateQuestion', { name })}
              needed
              onYes={(reason) => judge.go(who, false, reason)}
            />
          </>
        )}
        {isOrganiser && (person || isCoHost) && who !== seat && (
          <Button
            text={isCoHost ? t('tournament.person.notCoHost') : t('tournament.person.coHost')}
            {...coHost.button(who, !isCoHost)}
          />
        )}
        {canRemove && person && who !== seat && (
          <ConfirmButton
            icon="close"
            text={t('tournament.person.remove')}
            question={t('tournament.person.removeQuestion')}
            yes={t('race.chat.remove')}
            mayHold
            onYes={(hold) => kick.go(who, hold)}
          />
        )}
        {error && <Wrong>{error.message}</Wrong>}
      </div>
    </Dialog>
  )
}
