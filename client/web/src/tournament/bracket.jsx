import { useEffect, useRef } from 'preact/hooks'
import { bracketsOf } from '../model/tournament/bracket.js'
import { nameOf } from '../model/tournament/rounds.js'
import { roundText } from '../model/tournament/words.js'
import { t } from '../words/translate.js'
import './bracket.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */
/** @import { Level, Match, Side } from '../model/tournament/bracket.js' */

/** @typedef {{title: string, levels: Level[], third: Match | null}} Tree a bracket with its title */

/** @param {{tournament: Tournament, side: Side, own: boolean, live: any}} props `live`: the progress of a racer */
const Side = ({ tournament, side, own, live }) => (
  <span class="side" data-won={side.won || undefined} data-own={own || undefined} data-empty={side.seat === null || undefined}>
    <bdi>{side.seat !== null ? nameOf(tournament, side.seat) : side.empty ? t('tournament.bye') : '…'}</bdi>
    {live && <b class="side-live">{live}</b>}
    {side.won && <span class="heard"> {t('tournament.bracket.goesOn')}</span>}
  </span>
)

/** @param {{tournament: Tournament, match: Match, seat: number, live: (seat: number) => any}} props */
function MatchBox({ tournament, match, seat, live }) {
  const nobody = match.sides.every((side) => side.empty)
  return (
    <li class="match" data-on={match.isOn || undefined} data-nobody={nobody || undefined}>
      {!nobody && (
        <span class="match-box">
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
 * Some levels of a bracket: a list for each level, drawn as a tree.
 * @param {{tournament: Tournament, seat: number, levels: Level[], third?: Match | null,
 *   live?: ((seat: number) => any) | undefined}} props live: the progress of a racer
 */
export const Levels = ({ tournament, seat, levels, third = null, live = () => '' }) => (
  <ol class="bracket" data-part="bracket" data-first={levels[0]?.matches.length}>
    {[...levels, ...(third ? [{ name: null, matches: [third] }] : [])].map(({ name, matches }, i) => (
      <li
        key={i}
        class={name ? 'level' : 'level level-third'}
        data-last={i === levels.length - 1 || undefined}
        data-straight={levels[i + 1]?.matches.length === matches.length || undefined}
      >
        <h3>{name ? roundText(name) : t('tournament.bracket.third')}</h3>
        <ol>
          {matches.map((match, at) => (
            <MatchBox key={at} tournament={tournament} match={match} seat={seat} live={live} />
          ))}
        </ol>
      </li>
    ))}
  </ol>
)

/**
 * Scrolls only the bracket, to the latest own match; else to the first running match, or to the last decided one.
 * @param {HTMLElement | null} frame
 */
function toLatest(frame) {
  const [own, isOn, decided] = ['.match [data-own]', '.match[data-on]', '.match [data-won]'].map((which) => [
    ...(frame?.querySelectorAll(which) ?? []),
  ])
  const latest = own.at(-1) ?? isOn[0] ?? decided.at(-1)
  if (!frame || !latest) return
  const [outer, inner] = [frame.getBoundingClientRect(), latest.getBoundingClientRect()]
  frame.scrollBy(inner.left - outer.left - 20, inner.top - outer.top - (outer.height - inner.height) / 2)
}

/** The brackets of a tournament: one of a knock-out, two of a double elimination. @param {Tournament} tournament @returns {Tree[]} */
export function treesOf(tournament) {
  const { winners = [], losers = [], third = null } = bracketsOf(tournament) ?? {}
  if (tournament.plan.format !== 'double')
    return winners.length ? [{ title: t('tournament.room.bracket'), levels: winners, third }] : []
  const trees = [
    { title: t('tournament.bracket.winners'), levels: winners, third },
    { title: t('tournament.bracket.losers'), levels: losers, third },
  ]
  return trees.filter(({ levels }) => levels.length)
}

/**
 * A bracket, which scrolls.
 * @param {{tournament: Tournament, tree: Tree, seat: number, live?: ((seat: number) => any) | undefined}} props
 *   `live`: the progress of a racer
 */
export function Bracket({ tournament, tree: { title, levels, third }, seat, live }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null))
  useEffect(() => toLatest(frame.current), [tournament.round, tournament.phase])
  return (
    <div class="bracket-frame" ref={frame} tabindex={0} role="region" aria-label={title}>
      <Levels tournament={tournament} seat={seat} levels={levels} third={third} live={live} />
    </div>
  )
}
