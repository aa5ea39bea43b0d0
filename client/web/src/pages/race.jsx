import { computed, effect } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { leftBehind } from '../browser/room-visit.js'
import { clockText, sinceText } from '../model/format.js'
import { dealtIn, gameName } from '../model/game-texts.js'
import { byProgress, isBlind, opponentOf, racerAt, standings } from '../model/race/room-view.js'
import { otherGameText } from '../model/race/rule-texts.js'
import { rowOf } from '../net/own-board.js'
import { LOCK_AFTER } from '../net/session.js'
import { Table } from '../parts/board/card-table.jsx'
import { TableTools } from '../parts/board/table-tools.jsx'
import { hintTexts, undoTexts, useAutoPlay, useHint } from '../parts/board/use-assistance.js'
import { useBoardSounds, useFeedback, useRaceSounds } from '../parts/board/use-feedback.js'
import { ChatDrawer, racersChatText, useUnread } from '../parts/chat/chat.jsx'
import { Drawer } from '../parts/chat/drawer.jsx'
import { Button, Tool } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Badge } from '../parts/controls/icon.jsx'
import { useAction, useAfterPaint, useCommand, useLater, useNow, useOfRace, usePhase, useSite } from '../parts/hooks.js'
import { useShortcuts } from '../parts/keyboard.js'
import {
  BigClock,
  Cascade,
  EndNews,
  GameHelp,
  Moments,
  News,
  Options,
  OwnEnd,
  RacerReactions,
  StandAside,
  WonBadge,
} from '../parts/page/lazy-parts.js'
import { Lanes } from '../parts/race/racer-lanes.jsx'
import { Toasts } from '../parts/race/toasts.jsx'
import { WatcherCount } from '../parts/room/people.jsx'
import { useCountdownTitle, useWakeLock } from '../parts/screen.js'
import { GIVE_UP_AFTER } from '../protocol/constants.js'
import { whyNoUndo } from '../table/state.js'
import { t } from '../words/translate.js'
import './race.css'

/** @import { Settings, View } from '../protocol/protocol.d.ts' */
/** @import { Shown } from '../net/own-board.js' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Note } from '../parts/race/toasts.jsx' */
/** @import { ReadonlySignal } from '@preact/signals' */

/** @typedef {ReadonlySignal<Shown | null>} Board of the player */
/** @typedef {((ms: number) => Lane) | undefined} Ghost a racer of an earlier race on this deal, some ms after the start */

const LANES_WIDE = 8 // how many lanes the side of a wide screen has room for, and the strip of a phone
const LANES_NARROW = 3
const UNDER_WAY = 20_000 // when the late parts of a race are loaded, in ms after the start
const TICKS = 3 // the number of seconds that tick
const REFUSAL_FOR = 3500 // how long a refusal is shown, in ms
const SLOW_AFTER = 2500 // when an unanswered move counts as slow, in ms

/** Whether a racer has finished or agreed to end: otherwise there is no news of the end. @param {View} view */
const isEnding = ({ race }) =>
  (race.agreed ?? []).length > 0 || Object.values(race.racers ?? {}).some(({ state }) => state !== 'racing')

/** The time since the start and the time left. @param {{view: View}} props */
export function RaceClock({ view }) {
  const { starts_at: starts, ends_at: ends } = view.race
  const time = useNow(200, (now) => sinceText(starts, now))
  const left = useNow(200, (now) => clockText((ends ?? now) - Math.max(now, starts ?? now)))
  const soon = useNow(200, (now) => ends != null && ends - now < 60_000)
  if (starts == null) return null
  return (
    <div class="race-clock" translate={false}>
      <span class="race-time" role="timer" aria-label={t('race.results.time')}>
        {time}
      </span>
      {ends != null && (
        <span class="race-left" data-soon={soon || undefined}>
          {t('race.page.left', { time: left })}
        </span>
      )}
    </div>
  )
}

/** The state of the connection: a green dot that also says how accurate the clock is, or words. */
export function Line() {
  const { clock, connection } = useSite().session
  const { is } = connection.value
  const error = useNow(1000, () => clock.error) // the clock has no signal
  const text = is !== 'open' ? t('race.reconnecting') : error === null ? t('race.connected') : t('race.sync', { ms: error })
  return (
    <span class="line" data-line={is} title={text}>
      <i aria-hidden="true" />
      <span class={is === 'open' ? 'heard' : undefined}>{text}</span>
    </span>
  )
}

/** @param {{startsAt: number, settings: Settings}} props */
function Countdown({ startsAt, settings }) {
  const { session, prefs } = useSite()
  const left = useNow(50, (now) => Math.ceil((startsAt - now) / 1000))
  const give = useFeedback()
  useCountdownTitle(left)
  useEffect(() => {
    if (left > 0 && left <= TICKS) give('tick')
  }, [left, give])
  return (
    <div class="countdown">
      <p class="countdown-number" key={left} translate={false} role="timer" aria-label={`${left}`}>
        {left}
      </p>
      <p class="countdown-words">{otherGameText(settings, prefs.game.peek()) || t('race.page.sameCards')}</p>
      {session.clock.error === null && <p class="countdown-sync">{t('race.page.settingClock')}</p>}
    </div>
  )
}

/** @param {{view: View, seat: number}} props */
function GiveUp({ view, seat }) {
  const tooEarly = useNow(500, (now) => now < (view.race.starts_at ?? 0) + GIVE_UP_AFTER)
  const giveUp = useCommand('give_up')
  const leave = useAction(useSite().visit.leave)
  const racer = racerAt(view, seat)
  if (racer?.state !== 'racing' || racer.gave_up_at != null) return null
  return (
    <ConfirmButton
      kind="felt"
      icon="flag"
      label={t('race.page.giveUp')}
      question={t(view.tournament?.plan.deadly ? 'race.page.giveUpForGood' : 'race.page.giveUpQuestion')}
      disabled={tooEarly || giveUp.busy}
      onYes={() => giveUp.go()}
      also={!leftBehind(view, seat)?.others && <Button kind="small" {...leave.button()} text={t('race.room.leave')} />}
    >
      <span class="button-word">{t('race.page.giveUp')}</span>
    </ConfirmButton>
  )
}

/** The player's status line. @param {{view: View, seat: number, board: Board, still: boolean}} props still: offline */
function Status({ view, seat, board, still }) {
  const { session } = useSite()
  const [refusal, setRefusal] = useState(session.refused.value)
  const isSlow = useSlow()
  const refused = session.refused.value
  useEffect(() => setRefusal(refused), [refused])
  useLater(() => setRefusal(null), REFUSAL_FOR, [refused])

  const racer = racerAt(view, seat)
  if (still) return <>{t('race.page.offline')}</>
  if (racer && (racer.state !== 'racing' || racer.gave_up_at != null))
    return <OwnEnd view={view} seat={seat} home={board.value?.board.home ?? 0} />
  if (refusal) return <>{refusal.message}</>
  if (isSlow) return <>{t('race.page.slow')}</>
  return null
}

/** Whether a move waits unusually long for the server. */
function useSlow() {
  const { waiting } = useSite().session
  const [slow, setSlow] = useState(false)
  useEffect(
    () =>
      effect(() => {
        setSlow(false)
        if (!waiting.value) return
        const timer = setTimeout(() => setSlow(true), SLOW_AFTER)
        return () => clearTimeout(timer)
      }),
    [waiting],
  )
  return slow
}

/** A component of its own, so that the page is not rendered again when the race is under way. @param {{view: View, seat: number}} props */
function LateParts({ view, seat }) {
  return useIsLate(view) && <StandAside view={view} seat={seat} />
}

/** Whether the race is under way. @param {View} view */
const useIsLate = (view) => useNow(1000, (now) => now - (view.race.starts_at ?? now) > UNDER_WAY)

/** @param {{view: View, seat: number, lanes: Lane[], board: Board, moved: boolean}} props moved: the late parts are on their way */
function LateNews({ view, seat, lanes, board, moved }) {
  const isLate = useIsLate(view)
  if (!isLate && !moved) return null
  return (
    <>
      <News lanes={lanes} seat={seat} />
      <Moments view={view} seat={seat} lanes={lanes} board={board} />
    </>
  )
}

/** @param {{view: View, seat: number}} props */
const LateReactions = ({ view, seat }) => useIsLate(view) && <RacerReactions view={view} seat={seat} />

/** @param {{view: View, seat: number}} props */
const LateClock = ({ view, seat }) => useIsLate(view) && <BigClock view={view} seat={seat} />

/** Whether the connection is lost for so long that the board stops. */
function useStill() {
  const { session } = useSite()
  const lost = session.lostAt.value
  const isLost = session.connection.value.is !== 'open' && lost !== null
  return useNow(500, () => isLost && session.clock.local() - lost > LOCK_AFTER)
}

/**
 * The progress of all racers, the only part that re-renders with it.
 * @param {{view: View, seat: number, board: Board, ghost?: Ghost}} props
 */
function Racers({ view, seat, board, ghost }) {
  const { session } = useSite()
  const { race, settings } = view
  const shown = useAfterPaint(board) // the move is painted first
  const hasMoved = Boolean(shown?.moves)
  // The late parts may be needed at any time after the first move.
  useEffect(() => {
    if (hasMoved) EndNews.preload()
  }, [hasMoved])
  const rivals = session.rivals.value
  // Not `session.progress`, which is ahead of the painted board.
  const rows = rivals.race === race.number ? { ...rivals.rows } : {}
  if (shown) rows[seat] = rowOf(shown)
  const blind = isBlind(view)
  const rival = useNow(500, (now) => ghost?.(now - (race.starts_at ?? now)))
  const present = standings(view, rows, dealtIn(settings.game)).filter((lane) => !blind || lane.seat === seat)
  const lanes = rival ? [...present, rival].sort(byProgress) : present

  return (
    <>
      <RaceLanes lanes={lanes} seat={seat} opponent={opponentOf(view, seat)}>
        {blind && <p class="blind-words">{t('race.page.blind')}</p>}
      </RaceLanes>
      <LateNews {...{ view, seat, lanes, board }} moved={rows[seat]?.moves > 0} />
    </>
  )
}

/** The racers beside the board, or above it. @param {{lanes: Lane[], seat: number, opponent?: number, children?: any}} props */
export function RaceLanes({ children, ...all }) {
  const [open, setOpen] = useState(false)
  const count = all.lanes.length
  const openAll = () => setOpen(true)
  return (
    <>
      <aside class="race-lanes" aria-label={t('race.page.racers')}>
        <div class="race-lanes-wide">
          <Lanes {...all} room={LANES_WIDE} />
          {children}
          {count > LANES_WIDE && (
            <Button kind="felt small" class="all-lanes" icon="people" onClick={openAll} text={t('race.page.all', { count })} />
          )}
        </div>
        <div class="race-lanes-narrow">
          <Lanes {...all} room={LANES_NARROW} />
          <button type="button" class="cover" aria-label={t('race.page.allRacers')} onClick={openAll} />
        </div>
      </aside>
      {open && (
        <Dialog title={t('race.page.racers')} onClose={() => setOpen(false)}>
          <Lanes {...all} label={t('race.page.allRacers')} />
        </Dialog>
      )}
    </>
  )
}

/** The undo button, re-rendered with the board. @param {{board: Board, can: () => boolean, onUndo: () => void}} props */
function Undo({ board, can, onUndo }) {
  useAfterPaint(board)
  return <Tool icon="undo" {...undoTexts()} class="race-undo" aria-disabled={!can()} onClick={onUndo} />
}

/**
 * The race: the player's own board and the progress of the others.
 * @param {{view: View, seat: number, onWatch?: (() => void) | undefined, onRoom?: (() => void) | undefined, news?: any,
 *   ghost?: Ghost}} props onRoom: opens the page of the tournament after the race; news: the host's announcement
 */
export function RacePage({ view, seat, onWatch, onRoom, news, ghost }) {
  const { session, prefs } = useSite()
  const phase = usePhase(view)
  const [open, setOpen] = useState(/** @type {'options' | 'help' | null} */ (null))
  const [chat, setChat] = useState(false)
  const unread = useUnread(view, chat)
  const still = useStill()
  const zen = prefs.zen.value

  const { race, settings } = view
  const game = gameName(settings.game)
  const racer = racerAt(view, seat)
  const board = useOfRace('shown', race.number)
  const dealt = useMemo(() => computed(() => board.value !== null), [board])

  useWakeLock(phase === 'countdown' || racer?.state === 'racing')
  useRaceSounds(view, seat, phase)
  useBoardSounds(board)
  const give = useFeedback()
  const [note, setNote] = useState(/** @type {Note | null} */ (null))
  const toggleSound = () => {
    prefs.sound.value = !prefs.sound.peek()
    setNote(prefs.sound.peek() ? 'race.page.soundOn' : 'race.page.soundOff')
    give('move')
  }

  const won = racer?.state === 'solved'
  const racing = phase === 'racing' && racer?.state === 'racing' && racer.gave_up_at == null
  const interactive = racing && dealt.value && !still
  const whyNot = () => whyNoUndo({ board: board.peek()?.board ?? null, options: settings })
  const goOnByHand = useAutoPlay(race.number, board, interactive, session)
  const { hint, ask: askForHint, refuse } = useHint(board, interactive && settings.hints)
  const undo = () => {
    const why = whyNot()
    if (why && interactive) refuse(why)
    if (why || !interactive) return
    goOnByHand()
    session.play('undo')
  }

  const close = () => setOpen(null)
  const toggleHelp = () => setOpen((now) => (now === 'help' ? null : 'help'))
  const leaveZen = () => (prefs.zen.value = false)
  useShortcuts({
    c: () => setChat((now) => !now),
    m: toggleSound,
    t: askForHint,
    z: () => (prefs.zen.value = !prefs.zen.peek()),
    ...(zen ? { escape: leaveZen } : open === 'help' ? { escape: toggleHelp } : {}),
  })

  return (
    <main class="race" data-page="race" data-phase={phase} data-zen={zen || undefined}>
      <h1 class="heard">{t('race.page.heading', { game, number: race.number })}</h1>
      <header class="race-bar">
        <RaceClock view={view} />
        <span class="race-title">
          {game} <span class="race-code">{view.code}</span>
        </span>
        {view.tournament && <Badge kind="practice" text={t('race.page.round', { number: view.tournament.round })} />}
        <WatcherCount />
        {phase === 'racing' && <LateClock view={view} seat={seat} />}
        <Line />
      </header>

      <section class="race-board" aria-label={t('race.page.board')}>
        <Table
          {...{ shown: board, game: settings.game, interactive, hint, undo: settings.undo, refused: session.refused }}
          {...{ onMove: session.play, onUndo: undo, onHelp: toggleHelp }}
        />
        {phase === 'racing' && won && <WonBadge view={view} seat={seat} />}
        <Toasts note={note} onRead={() => setNote(null)} />
        {phase === 'countdown' && <Countdown startsAt={race.starts_at ?? 0} settings={settings} />}
      </section>

      <Racers view={view} seat={seat} board={board} ghost={ghost} />

      <p class="race-status" role="status" data-part="status">
        <Status view={view} seat={seat} board={board} still={still} />
        {news}
        {phase === 'racing' && isEnding(view) && <EndNews view={view} seat={seat} />}
        {phase === 'racing' && <LateParts view={view} seat={seat} />}
        {onWatch && <Button kind="felt small" icon="eye" onClick={onWatch} text={t('race.page.watchOthers')} />}
        {onRoom && <Button kind="felt small" onClick={onRoom} text={t('race.page.standings')} />}
      </p>

      {/* A click leaves the focus on the board, so that its keys still work. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is no control */}
      <footer class="race-tools" onMouseDown={(event) => event.preventDefault()}>
        {settings.undo !== 'none' && <Undo board={board} can={() => interactive && !whyNot()} onUndo={undo} />}
        {settings.hints && <Tool icon="hint" {...hintTexts()} disabled={!interactive} onClick={askForHint} />}
        <GiveUp view={view} seat={seat} />
        {racing && <LateReactions view={view} seat={seat} />}
        <TableTools
          chat={chat}
          unread={unread}
          onChat={() => setChat(!chat)}
          onOpen={(what) => (what === 'help' ? toggleHelp() : setOpen(what))}
        />
      </footer>

      {won && <Cascade view={view} seat={seat} />}
      {zen && (
        <Tool icon="eye" label={t('race.page.leaveZen')} title={t('race.page.leaveZenKey')} class="zen-out" onClick={leaveZen} />
      )}
      {chat && <ChatDrawer view={view} seat={seat} focus note={racersChatText(view)} onClose={() => setChat(false)} />}
      {open === 'options' && <Options racing onClose={close} />}
      {open === 'help' && (
        <Drawer class="help-drawer" label={t('front.help')} title={game} closeLabel={t('race.closeHelp')} onClose={close}>
          {/* Focusable, so that the keyboard can scroll it. */}
          <div class="help-scroll" tabindex={0} role="region" aria-label={t('race.howToPlay')}>
            <GameHelp game={settings.game} onLearn={close} />
          </div>
        </Drawer>
      )}
    </main>
  )
}
