import { useState } from 'preact/hooks'
import { gameName } from '../model/game-texts.js'
import { isHosting } from '../model/race/room-view.js'
import { isCorrectable } from '../model/tournament/desk.js'
import { inPair } from '../model/tournament/moment.js'
import { nameOf, pairsFor, resultsOf, roundFor, roundsOf } from '../model/tournament/rounds.js'
import { hasBoards } from '../model/tournament/team-view.js'
import { resultText, roundHead, roundName, roundText, scoreText } from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { useSite } from '../parts/hooks.js'
import { lazyPart } from '../parts/page/lazy.jsx'
import { Link } from '../parts/page/link.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { Rich } from '../words/sentence.jsx'
import { language, t } from '../words/translate.js'
import { LongTable } from './long-table.jsx'
import { Matches, nameColumn, resultColumns } from './standings.jsx'
import { Tabs } from './tabs.jsx'
import './played.css'

/** @import { Round, RoundResult, Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { Column } from './long-table.jsx' */

const CorrectForm = lazyPart(['race', 'tournament'], async () => (await import('./person-form.jsx')).CorrectForm)

/** A link to the replay of a race that the player knows. @param {{code: string, race: number, [more: string]: any}} props */
function ReplayLink({ code, race, ...props }) {
  const { route } = useSite()
  return <Link {...props} href={`/r/${code}/${race}`} onGo={() => route.toReplay(code, race, { endKnown: true })} />
}

/** @param {number} nth race of a round @param {number} count */
function raceText(nth, count) {
  if (nth === 0) return t('race.room.replay')
  return count > 2 ? t('tournament.rounds.tieBreakNumber', { number: nth }) : t('tournament.rounds.tieBreak')
}

/** @param {ReturnType<typeof inPair>} how */
const inPairText = (how) => (how ? t(`tournament.rounds.inPair.${how}`) : '–')

/**
 * @param {{tournament: Tournament, number: number, round: Round, seat: number, onCorrect?: ((who: number) => void) | null}} props
 *   onCorrect: a host can correct these results
 */
function Results({ tournament, number, round, seat, onCorrect }) {
  const pairs = pairsFor(round, seat)
  const rows = resultsOf({ ...round, pairs })
  const hasPairs = pairs.length > 0
  const otherOf = new Map(pairs.flatMap(([a, b]) => [/** @type {const} */ ([a, b]), /** @type {const} */ ([b, a])]))
  const startsPair = new Set(rows.filter(([who], at) => at === 0 || otherOf.get(who) !== rows[at - 1][0]).map(([who]) => who))
  /** @type {Column<typeof rows[number]>[]} */
  const columns = [
    {
      head: hasPairs ? t('tournament.rounds.pair') : t('race.results.place'),
      class: 'results-place',
      cell: ([who, result]) =>
        hasPairs ? inPairText(inPair(result, round.results?.[otherOf.get(who) ?? 0])) : (result[0] ?? '–'),
    },
    nameColumn(
      ([who]) => nameOf(tournament, who),
      undefined,
      ([who]) =>
        otherOf.has(who) && (
          <small class="entrant-note">
            <Rich id="tournament.againstNote" with={{ name: <bdi>{nameOf(tournament, otherOf.get(who) ?? 0)}</bdi> }} />
          </small>
        ),
    ),
    ...resultColumns(tournament, number, roundHead(tournament.plan)),
  ]
  if (onCorrect) {
    columns.push({
      head: <span class="heard">{t('tournament.people.tools')}</span>,
      cell: ([who]) => (
        <Button kind="quiet small" onClick={() => onCorrect(who)}>
          {t('tournament.person.correctYes')} <bdi class="heard">{nameOf(tournament, who)}</bdi>
        </Button>
      ),
    })
  }
  return (
    <LongTable
      label={t('tournament.rounds.label')}
      part="round-results"
      rows={rows}
      columns={columns}
      row={([who]) => ({
        key: who,
        'data-seat': who,
        'data-own': who === seat || undefined,
        'data-first': (hasPairs && startsPair.has(who)) || undefined,
      })}
    />
  )
}

/** The pairs, before there are results. @param {{tournament: Tournament, round: Round, seat: number}} props */
function Pairings({ tournament, round, seat }) {
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

const BYES = 24 // the number of named byes

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
          <Button kind="quiet small" onClick={() => setAll(true)} text={t('tournament.room.all', { count: byes.length })} />
        </>
      )}
    </p>
  )
}

/**
 * The corrections of a round or of a race of an arena, with their reasons.
 * @param {{tournament: Tournament, round: Pick<Round, 'corrections'>}} props
 */
export const Corrections = ({ tournament, round: { corrections = [] } }) => (
  <>
    {corrections.map(([who, value, reason]) => (
      <p key={who} class="hint" data-part="correction">
        <Rich
          id="tournament.rounds.corrected"
          with={{ name: <bdi>{nameOf(tournament, who)}</bdi>, value: scoreText(value), reason: <bdi>{reason}</bdi> }}
        />
      </p>
    ))}
  </>
)

/** All rounds so far, one at a time. @param {{view: View, tournament: Tournament, seat: number}} props */
export function Rounds({ view, tournament, seat }) {
  const rounds = roundsOf(tournament)
  const [chosen, setChosen] = useState(0)
  const [correcting, setCorrecting] = useState(0) // the entrant whose result the host corrects
  const shown = rounds.find(([number]) => number === chosen) ?? rounds.at(-1)
  if (!shown) return null
  const [number, round] = shown
  const isPlayed = Object.keys(round.results ?? {}).length > 0
  const canCorrect = isHosting(view, seat) && isCorrectable(tournament, number)
  const isAnnulled = tournament.again && number === tournament.round && !round.races?.length
  return (
    <Panel
      title={t('tournament.setting.rounds')}
      class="rounds"
      part="rounds"
      tools={
        <Tabs
          name="round"
          tabs={rounds.map(([one]) => [one, t('tournament.standings.roundNumber', { number: one })])}
          shown={number}
          onPick={setChosen}
        />
      }
    >
      <p class="round-head">
        <b>{roundText(roundName(tournament, number))}</b>{' '}
        <span class="hint">
          {gameName(round.game)} · {t(`tournament.rounds.state.${isAnnulled ? 'again' : round.state}`)}
        </span>
        {round.races?.map((race, i, races) => (
          <ReplayLink key={race} class="button button-small" code={view.code} race={race}>
            <Icon name="play" /> {raceText(i, races.length)}
          </ReplayLink>
        ))}
      </p>
      {hasBoards(tournament.plan) && <Matches tournament={{ ...tournament, round: number }} seat={seat} />}
      {isPlayed ? (
        <Results key={number} {...{ tournament, number, round, seat }} onCorrect={canCorrect ? setCorrecting : null} />
      ) : (
        !hasBoards(tournament.plan) && <Pairings tournament={tournament} round={round} seat={seat} />
      )}
      {!hasBoards(tournament.plan) && (
        <Byes id={round.lost ? 'tournament.rounds.wait' : 'tournament.rounds.byes'} tournament={tournament} byes={round.byes} />
      )}
      <Byes id="tournament.rounds.halfByes" tournament={tournament} byes={round.half_byes} />
      <Corrections tournament={tournament} round={round} />
      {correcting > 0 && canCorrect && (
        <CorrectForm tournament={tournament} who={correcting} round={number} onClose={() => setCorrecting(0)} />
      )}
    </Panel>
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
  const played = roundsOf(tournament).filter(([, round]) => round.state !== 'drawn' && round.state !== 'racing')
  // No text for rounds after the own last one, nor for a host outside the tournament.
  const rounds = played.slice(0, played.map(([, round]) => roundFor(round, seat).is !== 'out').lastIndexOf(true) + 1)
  if (!rounds.length) return null
  return (
    <Panel title={t('tournament.rounds.mine')} class="own-rounds" part="own-rounds">
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
                <ReplayLink
                  class="button button-quiet button-icon"
                  aria-label={t('tournament.rounds.replayOf', { number })}
                  title={t('race.room.replay')}
                  code={view.code}
                  race={race}
                >
                  <Icon name="play" />
                </ReplayLink>
              )}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
