import { bracketOf } from '../model/tournament/bracket.js'
import { nameOf } from '../model/tournament/rounds.js'
import './bracket.css'

/**
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 * @typedef {import('../model/tournament/bracket.js').Match} Match
 * @typedef {import('../model/tournament/bracket.js').Level} Level
 */

/**
 * @param {object} props
 * @param {Tournament} props.tournament
 * @param {import('../model/tournament/bracket.js').Side} props.side
 * @param {boolean} props.own
 * @param {string} props.live how far somebody is who is racing
 */
const Side = ({ tournament, side, own, live }) => (
  <span class="side" data-won={side.won || undefined} data-own={own || undefined} data-empty={side.seat === null || undefined}>
    <bdi>{side.seat !== null ? nameOf(tournament, side.seat) : side.empty ? 'bye' : '…'}</bdi>
    {live && <b class="side-live">{live}</b>}
    {side.won && <span class="heard"> goes on</span>}
  </span>
)

/** @param {{tournament: Tournament, match: Match, seat: number, live: (seat: number) => string, children?: any}} props */
function MatchBox({ tournament, match, seat, live, children }) {
  const nobody = match.sides.every((side) => side.empty)
  return (
    <li class="match" data-on={match.isOn || undefined} data-nobody={nobody || undefined}>
      {!nobody && (
        <span class="match-box">
          {children}
          {match.sides.map((side, i) => (
            <Side
              key={i}
              tournament={tournament}
              side={side}
              own={seat > 0 && side.seat === seat}
              live={match.isOn && side.seat !== null ? live(side.seat) : ''}
            />
          ))}
        </span>
      )}
    </li>
  )
}

/**
 * The bracket of a knock-out: a list a level, which is read as such, and drawn as a tree.
 *
 * @param {object} props
 * @param {Tournament} props.tournament
 * @param {number} props.seat
 * @param {(seat: number) => string} [props.live] how far somebody is who is racing
 * @param {number} [props.most] leave out the first levels, until one has so few matches
 */
export function Bracket({ tournament, seat, live = () => '', most = Infinity }) {
  const bracket = bracketOf(tournament)
  if (!bracket) return null
  const levels = bracket.levels.filter((level) => level.matches.length <= most)
  return (
    <div class="bracket-frame" tabindex={0} role="region" aria-label="Bracket">
      <ol class="bracket" data-part="bracket" data-first={levels[0]?.matches.length}>
        {levels.map((level, i) => (
          <li key={level.name} class="level" data-last={i === levels.length - 1 || undefined}>
            <h3>{level.name}</h3>
            <ol>
              {level.matches.map((match, at) => (
                <MatchBox key={at} tournament={tournament} match={match} seat={seat} live={live} />
              ))}
            </ol>
          </li>
        ))}
        {bracket.third && (
          <li class="level level-third">
            <h3>Third place</h3>
            <ol>
              <MatchBox tournament={tournament} match={bracket.third} seat={seat} live={live} />
            </ol>
          </li>
        )}
      </ol>
    </div>
  )
}
