import { useState } from 'preact/hooks'
import { gameName } from '../model/game-texts.js'
import { nameOf, pairsFor, resultsOf, roundFor, roundsOf } from '../model/tournament/rounds.js'
import { hasBoards } from '../model/tournament/team-view.js'
import { resultText, roundHead, roundName, roundText, scoreText } from '../model/tournament/words.js'
import { Icon } from '../parts/controls/icon.jsx'
import { useSite } from '../parts/hooks.js'
import { Rich } from '../words/sentence.jsx'
import { language, t } from '../words/translate.js'
import { Corrections } from './corrections.jsx'
import { LongTable } from './long-table.jsx'
import { ResultCells } from './result-cells.jsx'
import { Matches } from './team-standings.jsx'
import './played.css'

/** @import { Round, RoundResult, Tournament, View } from '../protocol/protocol.d.ts' */

/** The replays of a round; where a tie was played on there are several. @param {{code: string, races: number[]}} props */
function Replays({ code, races }) {
  const { route } = useSite()
  return (
    <>
      {races.map((race, i) => (
        <a
          key={race}
          class="button button-small"
          href={`/r/${code}/${race}`}
          onClick={(event) => {
            event.preventDefault()
            route.toReplay(code, race, { endKnown: true })
          }}
        >
          <Icon name="play" />{' '}
          {i === 0
            ? t('race.room.replay')
            : races.length > 2
              ? t('tournament.rounds.tieBreakNumber', { number: i })
              : t('tournament.rounds.tieBreak')}
        </a>
      ))}
    </>
  )
}

/** Within a pair. @param {RoundResult} result @param {RoundResult | undefined} other */
const inPair = ([place], other) => (place === 1 ? (other?.[0] === 1 ? 'tied' : 'won') : place === 2 ? 'lost' : null)

/** @param {ReturnType<typeof inPair>} how */
const inPairText = (how) => (how ? t(`tournament.rounds.inPair.${how}`) : '–')

/** @param {{tournament: Tournament, round: Round, seat: number}} props */
function Results({ tournament, round, seat }) {
  const pairs = pairsFor(round, seat)
  const rows = resultsOf({ ...round, pairs })
  const hasPairs = pairs.length > 0
  const otherOf = new Map(pairs.flatMap(([a, b]) => [/** @type {const} */ ([a, b]), /** @type {const} */ ([b, a])]))
  const startsPair = new Set(rows.filter(([who], at) => at === 0 || otherOf.get(who) !== rows[at - 1][0]).map(([who]) => who))
  return (
    <LongTable
      label={t('tournament.rounds.label')}
      part="round-results"
      rows={rows}
      columns={7}
      own={rows.findIndex(([who]) => who === seat)}
      head={
        <tr>
          <th scope="col" class="results-place">
            {hasPairs ? t('tournament.rounds.pair') : t('race.results.place')}
          </th>
          <th scope="col" class="name">
            {t('race.results.name')}
          </th>
          <th scope="col">{t('race.results.result')}</th>
          <th scope="col">{t('race.results.time')}</th>
          <th scope="col">{t('race.results.home')}</th>
          <th scope="col">{t('race.results.moves')}</th>
          <th scope="col">{roundHead(tournament.plan)}</th>
        </tr>
      }
      row={([who, result], at) => {
        const other = otherOf.get(who)
        return (
          <tr
            key={who}
            data-seat={who}
            data-own={who === seat || undefined}
            data-first={(hasPairs && startsPair.has(who)) || undefined}
            aria-rowindex={at + 2}
          >
            <td>
              {hasPairs
                ? inPairText(inPair(result, other === undefined ? undefined : round.results?.[other]))
                : (result[0] ?? '–')}
            </td>
            <th scope="row">
              <bdi>{nameOf(tournament, who)}</bdi>
              {other !== undefined && (
                <small class="entrant-note">
                  <Rich id="tournament.againstNote" with={{ name: <bdi>{nameOf(tournament, other)}</bdi> }} />
                </small>
              )}
            </th>
            <ResultCells result={result} />
          </tr>
        )
      }}
    />
  )
}

/** The pairs, before there are results. @param {{tournament: Tournament, round: Round, seat: number}} props */
export function Pairings({ tournament, round, seat }) {
  if (!round.pairs?.length) return null
  return (
    <ol class="pairings" data-part="pairings" aria-label={t('tournament.pairings')}>
      {pairsFor(round, seat).map(([a, b]) => (
        <li key={a} data-own={a === seat || b === seat || undefined}>
          <Rich
            id="tournament.pairing"
            with={{ one: <bdi>{nameOf(tournament, a)}</bdi>, other: <bdi>{nameOf(tournament, b)}</bdi> }}
          />
        </li>
      ))}
    </ol>
  )
}

/** The number of named byes. */
const BYES = 24

/** @param {{tournament: Tournament, byes: number[] | undefined, id: 'tournament.rounds.byes' | 'tournament.rounds.wait' | 'tournament.rounds.halfByes'}} props */
function Byes({ tournament, byes = [], id }) {
  const [all, setAll] = useState(false)
  if (!byes.length) return null
  const isCut = byes.length > BYES && !all
  const shown = isCut ? byes.slice(0, BYES) : byes
  const listed = new Intl.ListFormat(language(), { type: isCut ? 'unit' : 'conjunction' }).formatToParts(
    shown.map((who) => nameOf(tournament, who)),
  )
  const names = listed.map(({ type, value }, i) => (type === 'element' ? <bdi key={i}>{value}</bdi> : value))
  return (
    <p class="hint">
      <Rich id={id} with={{ count: byes.length, names }} />
      {isCut && (
        <>
          {' … '}
          <button type="button" class="button button-quiet button-small" onClick={() => setAll(true)}>
            {t('tournament.room.all', { count: byes.length })}
          </button>
        </>
      )}
    </p>
  )
}

/** The round that is shown is among those that one sees, also of many. @param {HTMLLabelElement | null} tab */
function inView(tab) {
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft + tab.offsetWidth - tab.parentElement.clientWidth / 2
}

/** All rounds so far, one at a time. @param {{view: View, tournament: Tournament, seat: number}} props */
export function Rounds({ view, tournament, seat }) {
  const rounds = roundsOf(tournament)
  const [chosen, setChosen] = useState(0)
  const shown = rounds.find(([number]) => number === chosen) ?? rounds.at(-1)
  if (!shown) return null
  const [number, round] = shown
  const isPlayed = Object.keys(round.results ?? {}).length > 0
  const isAnnulled = tournament.again && number === tournament.round && !round.races?.length
  return (
    <section class="card rounds" aria-label={t('tournament.setting.rounds')} data-part="rounds">
      <div class="card-head">
        <h2>{t('tournament.setting.rounds')}</h2>
        {rounds.length > 1 && (
          <div class="segments round-tabs">
            {rounds.map(([one]) => (
              <label key={one} ref={one === number ? inView : null}>
                <input type="radio" name="round" checked={one === number} onChange={() => setChosen(one)} />
                <span>
                  <span class="heard">{t('tournament.standings.roundNumber', { number: one })}</span>
                  <span aria-hidden="true">{one}</span>
                </span>
              </label>
            ))}
          </div>
        )}
      </div>
      <p class="round-head">
        <b>{roundText(roundName(tournament, number))}</b>{' '}
        <span class="hint">
          {gameName(round.game)} · {t(`tournament.rounds.state.${isAnnulled ? 'again' : round.state}`)}
        </span>
        <Replays code={view.code} races={round.races ?? []} />
      </p>
      {hasBoards(tournament.plan) && <Matches tournament={{ ...tournament, round: number }} seat={seat} />}
      {isPlayed ? (
        <Results key={number} tournament={tournament} round={round} seat={seat} />
      ) : (
        !hasBoards(tournament.plan) && <Pairings tournament={tournament} round={round} seat={seat} />
      )}
      {!hasBoards(tournament.plan) && (
        <Byes id={round.lost ? 'tournament.rounds.wait' : 'tournament.rounds.byes'} tournament={tournament} byes={round.byes} />
      )}
      <Byes id="tournament.rounds.halfByes" tournament={tournament} byes={round.half_byes} />
      <Corrections tournament={tournament} round={round} />
    </section>
  )
}

/** How a round went for oneself: in a pair, or among all. @param {{tournament: Tournament, round: Round, result: RoundResult, met: number}} props */
function OwnResult({ tournament, round, result, met }) {
  const text = <b>{resultText(result)}</b>
  if (met > 0) {
    const how = inPair(result, round.results?.[met]) ?? ''
    return <Rich id="tournament.rounds.against" with={{ how, result: text, name: <bdi>{nameOf(tournament, met)}</bdi> }} />
  }
  return result[0] === null ? text : <Rich id="tournament.rounds.placed" with={{ result: text, place: result[0] }} />
}

/** The own rounds, with their replays. @param {{view: View, tournament: Tournament, seat: number}} props */
export function OwnRounds({ view, tournament, seat }) {
  const { route } = useSite()
  const played = roundsOf(tournament).filter(([, round]) => round.state !== 'drawn' && round.state !== 'racing')
  // No text for rounds after the own last one, nor for a host outside the tournament.
  const rounds = played.slice(0, played.findLastIndex(([, round]) => roundFor(round, seat).is !== 'out') + 1)
  if (!rounds.length) return null
  return (
    <section class="card own-rounds" aria-label={t('tournament.rounds.mine')} data-part="own-rounds">
      <h2>{t('tournament.rounds.mine')}</h2>
      <ol>
        {rounds.map(([number, round]) => {
          const mine = roundFor(round, seat)
          const race = round.races?.[0]
          return (
            <li key={number}>
              <span class="own-round">{number}</span>
              <span class="own-what">
                {mine.is === 'raced' ? (
                  <OwnResult tournament={tournament} round={round} result={mine.result} met={mine.met} />
                ) : (
                  t(`tournament.rounds.own.${mine.is}`)
                )}
                {round.state === 'skipped' && ` · ${t('tournament.rounds.skipped')}`}
              </span>
              <span class="own-points">
                {mine.is === 'raced' ? scoreText(mine.result[5]) : mine.is === 'half' ? scoreText(0.5) : ''}
              </span>
              {race !== undefined && (
                <a
                  class="button button-quiet button-icon"
                  aria-label={t('tournament.rounds.replayOf', { number })}
                  title={t('race.room.replay')}
                  href={`/r/${view.code}/${race}`}
                  onClick={(event) => {
                    event.preventDefault()
                    route.toReplay(view.code, race, { endKnown: true })
                  }}
                >
                  <Icon name="play" />
                </a>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
