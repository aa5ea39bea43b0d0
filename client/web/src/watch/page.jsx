/** The page of spectators: the visible boards of a race. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { clockText, finishText, listText } from '../model/format.js'
import { dealtIn, gameName } from '../model/game-texts.js'
import { watchKeys } from '../model/key-help.js'
import { photoFinish } from '../model/race/photo-finish.js'
import { isEmpty, matchRows, matchText, resultOf, roomScore } from '../model/race/result-texts.js'
import { rivalWins } from '../model/race/rivals.js'
import { isBlind, leaderOf, racerAt } from '../model/race/room-view.js'
import { homeText } from '../model/race/rule-texts.js'
import { createDuel, createFollower } from '../model/watch/follower.js'
import { predictionText } from '../model/watch/prediction.js'
import { Line, RaceClock } from '../pages/race.jsx'
import { TableTools } from '../parts/board/table-tools.jsx'
import { ChatDrawer, useUnread } from '../parts/chat/chat.jsx'
import { ReactionButtons } from '../parts/chat/reactions.jsx'
import { Button } from '../parts/controls/button.jsx'
import { Form, NameField } from '../parts/controls/form-fields.jsx'
import { useDerived, useLaneSignal, useNow, useOfRace, usePhase, useSite } from '../parts/hooks.js'
import { useCapturedShortcuts } from '../parts/keyboard.js'
import { Options } from '../parts/page/lazy-parts.js'
import { CardCascade, Cascade } from '../parts/race/celebration.jsx'
import { EndForAll } from '../parts/race/end-race.jsx'
import { BigClock, CloseRace, useMovingLanes } from '../parts/race/tension.jsx'
import { Podium } from '../parts/results/results.jsx'
import { PhotoFinish, Score } from '../parts/results/score.jsx'
import { StoryLines, useStory as useTold } from '../parts/results/story.jsx'
import { WatcherCount } from '../parts/room/people.jsx'
import { after, BEGINNING, chosenOf } from '../stage/board-choice.js'
import { PickLanes, TileState } from '../stage/pick-lanes.jsx'
import { Stage } from '../stage/stage.jsx'
import { AloneTool, KeyDialog, StageTool } from '../stage/stage-tool.jsx'
import { t } from '../words/translate.js'
import { WatchedBoard } from './board.jsx'
import { Feed, SpokenFeed, useStory } from './feed.jsx'
import { LiveChart } from './live-chart.jsx'
import { WatchLobby } from './lobby.jsx'
import { Prediction, predictedIn } from './prediction.jsx'
import { TourTools, useTour } from './tour-tools.jsx'
import { chatText, isHeldBack, shownText, waitsFor } from './words.js'
import './page.css'

/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Photo } from '../model/race/photo-finish.js' */
/** @import { Act, Choice } from '../stage/board-choice.js' */
/** @import { Story } from './feed.jsx' */
/** @import { ReadonlySignal } from '@preact/signals' */

/** @template T @typedef {ReadonlySignal<T>} Signal */
/** @typedef {Signal<Lane[]>} Lanes in the order of the race */
/** @typedef {Signal<import('../model/watch/gallery.js').Gallery | null>} Gallery */

/** Asks a spectator without a name for one before the first chat line. */
function NameFirst() {
  const { prefs } = useSite()
  const [name, setName] = useState('')
  if (prefs.name.value.trim()) return null
  return (
    <Form
      class="name-first"
      onSubmit={() => {
        if (name.trim()) prefs.name.value = name.trim()
      }}
    >
      <NameField value={name} onInput={setName} required onKeyDown={(/** @type {Event} */ event) => event.stopPropagation()} />
      <Button type="submit" text={t('front.save')} />
    </Form>
  )
}

/**
 * The text above a board: how much is visible, and the end of its race.
 * @param {{lanes: Lanes, gallery: Gallery, seat: number}} props
 */
function TileHead({ lanes, gallery, seat }) {
  const lane = useDerived(() => lanes.value.find((one) => one.seat === seat) ?? null, [lanes, seat])
  const entries = useDerived(() => {
    const { start, logs } = gallery.value ?? {}
    return start ? (logs?.get(seat)?.length ?? 0) : null
  }, [gallery, seat])
  if (!lane) return null
  const isBehind = entries !== null && entries < lane.moves
  return (
    <>
      <TileState lane={lane} />
      <span>
        {isBehind ? t('watch.tile.moveOf', { shown: entries, moves: lane.moves }) : t('watch.tile.move', { moves: lane.moves })}
      </span>
    </>
  )
}

/** The winners. @param {Lane[]} lanes @param {string} game */
function winnersText(lanes, game) {
  const best = lanes.filter((lane) => lane.place === 1)
  if (!best.length || isEmpty(lanes, game)) return t('race.ready.over')
  const [{ state, ms, home }] = best
  const names = listText(best.map((lane) => lane.name))
  const together = best.length > 1
  if (state === 'solved' && ms !== null) {
    const time = finishText(ms)
    return together ? t('watch.winner.wonTogether', { names, time }) : t('more.news.wonIn', { name: names, time })
  }
  const cards = homeText(home)
  return together ? t('watch.winner.firstTogether', { names, cards }) : t('watch.winner.first', { name: names, cards })
}

const PHOTO_FOR = 4000 // how long a photo finish is seen before the podium covers the boards, in ms

/**
 * The winner's moment: the podium of the race or of the match over the boards, until it is closed.
 * @param {{view: View, lanes: Lane[], photo: Photo | null, onClose: () => void}} props
 */
function WinnersMoment({ view, lanes, photo, onClose }) {
  const scores = view.tournament ? [] : roomScore(view)
  const match = matchText(view, scores, 0)
  const rows = lanes.map((lane) => ({ ...lane, key: lane.seat, result: resultOf(lane), isOwn: false }))
  const foreseen = predictionText(view, lanes)
  const said = predictedIn(view)
  const told = useTold(view)
  const isRight = lanes.some(({ seat, place }) => seat === said && place === 1)
  return (
    <div class="winners-moment on-felt" data-part="winners">
      {(match || lanes[0]?.state === 'solved') && <CardCascade />}
      <h2>{match || winnersText(lanes, view.settings.game)}</h2>
      {photo && <PhotoFinish photo={photo} />}
      <Podium rows={match ? matchRows(scores, 0) : rows} />
      <StoryLines story={told} ended={view} />
      {!match && <Score view={view} scores={scores} />}
      {foreseen && (
        <p>
          {foreseen} {isRight && t('more.predict.right')}
        </p>
      )}
      <Button kind="main" onClick={onClose} text={t('watch.page.boards')} />
    </div>
  )
}

/** The winners. @param {{lanes: Lanes, game: string}} props */
const Winners = ({ lanes, game }) => <>{winnersText(lanes.value, game)}</>

/** How far the boards are shown, and why no farther. @param {{view: View, lanes: Lanes, gallery: Gallery}} props */
function HowFar({ view: { race, settings }, lanes, gallery }) {
  const { session } = useSite()
  const shown = useDerived(() => gallery.value && { policy: gallery.value.policy, start: gallery.value.start }, [gallery])
  const hidden = session.hidden.value?.race === race.number ? session.hidden.value : null
  const waits = useDerived(() => waitsFor(lanes.value, hidden, settings.game), [lanes, hidden, settings.game])
  const read = (/** @type {number} */ now) =>
    shownText({ waits, gallery: shown, hidden, settings, starts: race.starts_at ?? now, now })
  const { short, why } = useNow(500, read)
  return (
    <span>
      {short} <span class="soft">{why}</span>
    </span>
  )
}

/** All that lists the racers. @param {{lanes: Lanes, story: Story, chosen: number, marked: number, onPick: (seat: number) => void}} props */
function Racers({ lanes, story, chosen, marked, onPick }) {
  useMovingLanes(lanes.value)
  return (
    <>
      <aside class="race-lanes" aria-label={t('race.page.racers')}>
        <PickLanes lanes={lanes.value} chosen={chosen} marked={marked} onPick={onPick} />
      </aside>
      <SpokenFeed story={story} lanes={lanes.value} />
    </>
  )
}

/**
 * @param {{view: View, seat: number, onBack?: (() => void) | undefined}} props
 *   `seat`: the own seat, 0 for a spectator; `onBack`: to the own board, or the room
 */
function WatchRace({ view, seat, onBack }) {
  const { route } = useSite()
  const phase = usePhase(view)
  const [every, setEvery] = useState(10)
  const [open, setOpen] = useState(/** @type {'options' | 'help' | null} */ (null))
  const [chat, setChat] = useState(false)
  const [signs, setSigns] = useState(false)
  const [atBoards, setAtBoards] = useState(false) // after the race
  const [wanted, setWanted] = useState(/** @type {boolean | null} */ (null)) // whether to see the chart; null: as it comes
  const unread = useUnread(view, chat)

  const { race, settings } = view
  // Signals: a move renders only their users, and not the whole page.
  const gallery = useOfRace('gallery', race.number)
  const progress = useOfRace('progress', race.number)
  const lanes = useLaneSignal(race.number)
  const [chosen, setChosen] = useState(BEGINNING)
  // The board of the leader, unless the spectator has chosen one.
  const follow = useMemo(createFollower, [chosen.follows])
  const led = useNow(500, (now) => {
    const [ranked, logs] = [lanes.peek(), gallery.peek()?.logs]
    if (!chosen.follows || !progress.peek()) return 0
    const movesOf = (/** @type {number} */ one) => logs?.get(one)?.length ?? ranked.find((lane) => lane.seat === one)?.moves ?? 0
    return follow(leaderOf(ranked), ranked[0]?.seat ?? 0, movesOf, now)
  })
  const findDuel = useMemo(createDuel, [race.number])
  const duel = useNow(500, (now) => (chosen.follows ? findDuel(lanes.peek(), now) : []))
  const lead = (/** @type {Choice} */ one) => (one.follows && led ? { ...one, seat: led } : one)
  const choice = lead(chosen)
  const racers = race.racers ?? {}
  const seats = Object.keys(racers).map(Number)
  const racing = seats.filter((one) => racers[one]?.state === 'racing')
  const isOver = phase === 'over'
  const left = useNow(500, (now) => Math.max(0, Math.ceil(((race.starts_at ?? now) - now) / 1000)))
  const closed = useDerived(() => gallery.value?.policy === 'progress', [gallery])
  const blind = isBlind(view)
  const story = useStory(lanes, race, dealtIn(settings.game)?.home ?? 0)
  const hasBegun = phase === 'racing' || isOver
  // Without visible boards, the page shows the race itself.
  const withChart = !blind && hasBegun && (closed || (!choice.alone && (wanted ?? isHeldBack(settings))))

  const act = (/** @type {Act} */ wanted) => setChosen((before) => after(lead(before), seats, wanted, racing))
  useTour(choice, every, story, act)
  const [first] = rivalWins(view, 0)
  const photo = useDerived(() => photoFinish(lanes.value), [lanes])
  const over = race.over_at ?? Infinity
  const isMoment = useNow(500, (now) => now >= over + (photo ? PHOTO_FOR : 0))
  const showChart = () => {
    setWanted(!withChart)
    if (choice.alone) act({ do: 'all' })
  }

  useCapturedShortcuts({
    t: () => act({ do: 'tour' }),
    ' ': () => act({ do: 'pause' }),
    r: showChart,
    c: () => setChat(!chat),
    '?': () => setOpen('help'),
  })

  return (
    <main class="race watch" data-page="watch" data-phase={phase}>
      <h1 class="heard">{t('watch.page.heading', { game: gameName(settings.game), race: race.number })}</h1>
      <header class="race-bar">
        {isOver ? (
          <span class="race-time">{clockText((race.over_at ?? 0) - (race.starts_at ?? 0))}</span>
        ) : phase === 'countdown' ? (
          <span class="race-time" role="timer" translate={false}>
            −{left}
          </span>
        ) : (
          <RaceClock view={view} />
        )}
        <span class="race-title">
          {gameName(settings.game)} <span class="race-code">{view.code}</span>
        </span>
        <WatcherCount />
        {phase === 'racing' && <BigClock view={view} seat={seat} />}
        <Line />
      </header>

      <section
        class="race-board"
        aria-label={t(closed ? 'watch.race' : 'watch.boards')}
        data-chart={withChart ? (closed ? 'alone' : true) : undefined}
      >
        {withChart && (
          <>
            <LiveChart
              lanes={lanes}
              story={story}
              starts={race.starts_at ?? 0}
              over={race.over_at ?? null}
              chosen={chosenOf(choice, seats)}
            />
            <Feed story={story} />
          </>
        )}
        {!closed && (
          <Stage
            seats={seats}
            choice={choice}
            onAct={act}
            duel={duel}
            nameOf={(one) => racers[one]?.name ?? ''}
            headOf={(one) => <TileHead lanes={lanes} gallery={gallery} seat={one} />}
            boardOf={(one) => (
              <>
                <WatchedBoard gallery={gallery} seat={one} game={settings.game} />
                {photo?.seats.includes(one) && <PhotoFinish photo={photo} />}
              </>
            )}
          />
        )}
        {!racers[seat] && <Prediction view={view} lanes={lanes} />}
        {isMoment && !atBoards && (view.match?.winner != null || !isEmpty(lanes.value, settings.game)) && (
          <WinnersMoment view={view} lanes={lanes.value} photo={photo} onClose={() => setAtBoards(true)} />
        )}
      </section>

      {phase === 'racing' && !blind && <CloseRace lanes={lanes} />}
      {phase === 'racing' && first && <Cascade view={view} seat={first.seat} />}
      <Racers
        lanes={lanes}
        story={story}
        chosen={choice.alone ? chosenOf(choice, seats) : 0}
        marked={chosenOf(choice, seats)}
        onPick={(one) => act({ do: 'choose', seat: one })}
      />

      <p class="race-status watch-status" role="status" data-part="shown">
        {isOver ? (
          <span>
            <Winners lanes={lanes} game={settings.game} />{' '}
            {view.settings.auto_start && seat === 0 && <span class="soft">{t('watch.page.stay')}</span>}
          </span>
        ) : (
          <>
            <HowFar view={view} lanes={lanes} gallery={gallery} />
            <EndForAll view={view} felt />
          </>
        )}
      </p>

      <footer class="race-tools">
        {onBack && <StageTool icon="back" word={t('front.back')} onClick={onBack} />}
        {isOver && (
          <Button
            kind="felt"
            class="watch-replay"
            icon="play"
            text={t('race.room.replay')}
            onClick={() => route.toReplay(view.code, race.number, { endKnown: true })}
          />
        )}
        {!blind && hasBegun && !closed && (
          <StageTool
            icon="chart"
            word={t('watch.page.chart')}
            label={t('watch.page.chartOfRace')}
            aria-pressed={withChart}
            hotkey="R"
            onClick={showChart}
          />
        )}
        {seats.length > 1 && !closed && (
          <>
            {!blind && !isOver && (
              <StageTool
                icon="crown"
                word={t('watch.leader')}
                label={t('watch.follow')}
                aria-pressed={choice.follows}
                onClick={() => act({ do: 'follow' })}
              />
            )}
            <AloneTool choice={choice} hasWord onAct={act} />
            <TourTools choice={choice} every={every} onAct={act} onEvery={setEvery} />
          </>
        )}
        <StageTool
          icon="heart"
          label={t('more.reactions.title')}
          aria-expanded={signs}
          title={t('more.reactions.title')}
          onClick={() => setSigns(!signs)}
        />
        {signs && <ReactionButtons />}
        <TableTools chat={chat} unread={unread} onChat={() => setChat(!chat)} onOpen={setOpen} />
        {seat === 0 && <StageTool icon="out" word={t('race.room.leave')} onClick={route.toFront} />}
      </footer>

      {chat && (
        <ChatDrawer view={view} seat={seat} note={chatText(seat > 0, !isOver)} onClose={() => setChat(false)}>
          {seat === 0 && <NameFirst />}
        </ChatDrawer>
      )}
      {open === 'options' && <Options onClose={() => setOpen(null)} />}
      {open === 'help' && (
        <KeyDialog
          title={t('watch.help.title')}
          texts={[t('watch.help.boards'), t('watch.help.chart')]}
          keys={watchKeys()}
          onClose={() => setOpen(null)}
        />
      )}
    </main>
  )
}

/**
 * Watching, by phase: players at seats are here only during a race.
 * @param {{view: View, seat: number, onBack?: (() => void) | undefined}} props
 */
export function WatchPage({ view, seat, onBack }) {
  const { session } = useSite()
  const phase = usePhase(view)

  // A player at a seat asks for the boards with `look`, and ends it.
  useEffect(() => {
    if (!seat) return
    session.look(true).catch(() => onBack?.())
    return () => void session.look(false).catch(() => {})
  }, [seat, view.race.number])
  useEffect(() => {
    if (seat && racerAt(view, seat)?.state === 'racing') onBack?.()
  }, [view])

  return phase === 'lobby' ? (
    <WatchLobby view={view} />
  ) : (
    <WatchRace key={view.race.number} view={view} seat={seat} onBack={onBack} />
  )
}
