import { useMemo, useState } from 'preact/hooks'
import { closest, marginText, roomScore } from '../model/end-words.js'
import { counted, finishText, placeText } from '../model/format.js'
import { whyOver } from '../model/race-end.js'
import { rematchers, standings } from '../model/room-view.js'
import { shareText } from '../model/share-text.js'
import { gameName, STATES } from '../model/words.js'
import { Table } from '../parts/card-table.jsx'
import { Cascade, PlaceBadge } from '../parts/celebration.jsx'
import { ChatCard } from '../parts/chat.jsx'
import { CopyButton } from '../parts/copy-button.jsx'
import { Proof } from '../parts/deal-proof.jsx'
import { Wrong } from '../parts/form-fields.jsx'
import { useAction, useShown, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { useOrigin } from '../parts/invite.jsx'
import { Head } from '../parts/page-head.jsx'
import { RematchWords } from '../parts/rematch.jsx'
import { Review } from '../parts/review.jsx'
import { useGhost } from '../parts/use-ghost.js'
import '../parts/podium.css'
import '../parts/results.css'
import './end.css'

/** @typedef {import('../model/room-view.js').View} View */
/** @typedef {import('../model/room-view.js').Lane} Lane */

/** How many wins are counted on the page. */
const SCORES = 6

/** @param {Lane} lane */
const resultOf = (lane) => (lane.state === 'solved' && lane.ms !== null ? finishText(lane.ms) : counted(lane.home, 'card'))

/** The first three places; equal places stand equally high. @param {{lanes: Lane[], seat: number}} props */
function Podium({ lanes, seat }) {
  const best = lanes.filter((lane) => lane.place !== null && lane.place <= 3).slice(0, 3)
  return (
    <ol class="podium" data-part="podium">
      {best.map((lane, index) => (
        <li key={lane.seat} class="step" data-step={index + 1} data-place={lane.place} data-own={lane.seat === seat || undefined}>
          <bdi class="step-name">{lane.name}</bdi>
          <span class="step-result">{resultOf(lane)}</span>
          <span class="step-block">{placeText(lane.place ?? 0)}</span>
        </li>
      ))}
    </ol>
  )
}

/** @param {{lanes: Lane[], seat: number}} props */
export const Results = ({ lanes, seat }) => (
  <div class="results-scroll" tabindex={0} role="region" aria-label="Results">
    <table class="results">
      <thead>
        <tr>
          <th scope="col" class="results-place">
            Place
          </th>
          <th scope="col">Name</th>
          <th scope="col">Result</th>
          <th scope="col">Time</th>
          <th scope="col">Home</th>
          <th scope="col">Moves</th>
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <tr key={lane.seat} data-seat={lane.seat} data-own={lane.seat === seat || undefined}>
            <td>{lane.place ?? '–'}</td>
            <th scope="row">
              <bdi>{lane.name}</bdi>
            </th>
            <td>{STATES[lane.state]}</td>
            <td>{lane.ms === null ? '–' : finishText(lane.ms)}</td>
            <td>{lane.home}</td>
            <td>{lane.moves}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** How often each of them has won here. @param {{view: View}} props */
function Score({ view }) {
  const scores = view.tournament ? [] : roomScore(view)
  if (!scores.length) return null
  return (
    <ul class="room-score" data-part="score" aria-label="Races won in this room">
      {scores.slice(0, SCORES).map(({ seat, name, wins }) => (
        <li key={seat}>
          <bdi>{name}</bdi> <b>{wins}</b>
        </li>
      ))}
    </ul>
  )
}

/** One's own result as a few lines for friends, without a card. @param {{ended: View, lanes: Lane[], seat: number}} props */
function ShareResult({ ended, lanes, seat }) {
  const { race, settings, code } = ended
  const link = `${useOrigin()}/r/${code}/${race.number}`
  const own = lanes.find((lane) => lane.seat === seat)
  const board = useShown(race.number).value?.board ?? null
  const text = useMemo(
    () => (own ? shareText({ game: settings.game, own, racers: lanes.length, board, link }) : ''),
    [ended, board, link],
  )
  return own ? <CopyButton text={text} label="Copy result" class="button button-large" /> : null
}

/** @param {Lane[]} lanes @param {number} seat */
function headline(lanes, seat) {
  const winners = lanes.filter((lane) => lane.place === 1)
  const own = lanes.find((lane) => lane.seat === seat)
  if (lanes.length === 1 && own) return own.state === 'solved' ? 'Solved!' : `${counted(own.home, 'card')} home`
  if (own?.place === 1) return winners.length > 1 ? 'You share the first place' : 'You won!'
  if (own?.place) return `You finished ${placeText(own.place)}`
  return 'The race is over'
}

/**
 * After a race: who won, whether it was fair, and once more.
 *
 * @param {object} props
 * @param {View} props.ended the room as it was when this race was over
 * @param {View} props.view the room as it is now
 * @param {number} props.seat
 * @param {() => void} props.onRoom
 */
export function End({ ended, view, seat, onRoom }) {
  const { session, route } = useSite()
  const [board, setBoard] = useState(false)
  const isNext = view.race.number !== ended.race.number
  const again = useAction(async () => {
    await (isNext ? session.ready() : session.rematch())
    onRoom()
  })
  const lanes = standings(ended, {})
  const why = whyOver(ended, seat)
  const margin = marginText(lanes)
  const close = closest(lanes)
  const place = lanes.length > 1 ? lanes.find((lane) => lane.seat === seat)?.place : null
  const shown = useShown(ended.race.number)
  const ghost = useGhost(ended)?.lane(Infinity)
  const asked = isNext ? rematchers(view, seat) : []

  return (
    <div class="page" data-page="end">
      <Head />
      <Cascade view={ended} seat={seat} />
      <main class="end">
        <section class="card end-top on-felt">
          <p class="label">
            {gameName(ended.settings.game)} · race {ended.race.number}
            {ended.race.practice && <> · practice on {ended.race.practice}</>}
          </p>
          {place && <PlaceBadge place={place} />}
          <h1>{headline(lanes, seat)}</h1>
          {why && <p class="margin-words">{why}</p>}
          {lanes.length > 1 && <Podium lanes={lanes} seat={seat} />}
          {margin && <p class="margin-words">{margin}</p>}
          {close && (
            <p class="margin-words">
              Closest: <bdi>{close.ahead}</bdi> and <bdi>{close.behind}</bdi>, {close.text} apart.
            </p>
          )}
          <Score view={ended} />
          {ghost && (
            <p class="ghost-words">
              <Icon name="ghost" />
              <span>
                The ghost of <bdi>{ghost.name}</bdi>: {STATES[ghost.state]}
                {ghost.state === 'solved' ? ` in ${resultOf(ghost)}` : `, ${resultOf(ghost)} home`}.
              </span>
            </p>
          )}
          <RematchWords names={asked} />
          <div class="row">
            <button type="button" class="button button-large" onClick={onRoom}>
              Back to the room
            </button>
            <button
              type="button"
              class="button button-large"
              onClick={() => route.toReplay(ended.code, ended.race.number, { endKnown: true })}
            >
              <Icon name="play" /> Replay
            </button>
            <ShareResult ended={ended} lanes={lanes} seat={seat} />
            <button type="button" class="button button-main button-large" disabled={again.busy} onClick={() => again.go()}>
              Rematch
            </button>
          </div>
          {again.error && <Wrong>{again.error.message}</Wrong>}
        </section>
        <div class="end-main">
          <section class="card" aria-label="All results">
            <Results lanes={lanes} seat={seat} />
          </section>
          {shown.value && (
            <section class="card" aria-label="Your board">
              <div class="card-head">
                <h2>Your board</h2>
                <button type="button" class="button button-small" aria-expanded={board} onClick={() => setBoard(!board)}>
                  {board ? 'Hide' : 'Show'}
                </button>
              </div>
              {board && (
                <div class="end-board">
                  <Table shown={shown} game={ended.settings.game} interactive={false} undo="none" />
                </div>
              )}
            </section>
          )}
          <Proof view={ended} start={shown.value?.start ?? null} />
          {view.host === seat && lanes.length > 1 && (
            <Review race={ended.race.number} nameOf={(who) => ended.race.racers?.[who]?.name ?? `Seat ${who}`} />
          )}
        </div>
        <ChatCard view={view} seat={seat} />
      </main>
    </div>
  )
}
