import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { clockText, counted, finishText } from '../app/format.js'
import { useAction, useAfterPaint, useNow, usePhase, useShown, useSite } from '../app/site.js'
import { dealtIn, gameName, ownEnd } from '../app/words.js'
import { GRACE } from '../net/session.js'
import { rowOf } from '../net/track.js'
import { GIVE_UP_AFTER, isBlind, opponentOf, racerAt, standings, TAKE_BACK_FOR } from '../net/view.js'
import { Ask } from '../parts/ask.jsx'
import { ChatDrawer, racersChatText, useUnread } from '../parts/chat.jsx'
import { Dialog } from '../parts/dialog.jsx'
import { useGhost } from '../parts/ghost.js'
import { Icon } from '../parts/icon.jsx'
import { Lanes } from '../parts/lanes.jsx'
import { News } from '../parts/news.jsx'
import { Help, Options } from '../parts/options.jsx'
import { Table } from '../parts/table.jsx'
import { TableTools } from '../parts/tools.jsx'
import { WatcherCount } from '../parts/watchers.jsx'

/** @typedef {import('../net/view.js').View} View */
/** @typedef {import('../net/view.js').Lane} Lane */
/** @typedef {import('../net/track.js').Shown} Shown */

/** How many lanes the side of a wide screen has room for, and the strip of a phone. */
const LANES_WIDE = 8
const LANES_NARROW = 3
/** A refusal is shown for so long. */
const REFUSAL_FOR = 3500
/** A move without an answer for so long is unusual. */
const SLOW_AFTER = 2500

/** Time since the first card, and time left. @param {{view: View}} props */
export function RaceClock({ view }) {
  const now = useNow(200)
  const { starts_at: starts, ends_at: ends } = view.race
  if (starts == null) return null
  return (
    <div class="race-clock">
      <span class="race-time" role="timer" aria-label="Time">
        {clockText(now - starts)}
      </span>
      {ends != null && (
        <span class="race-left" data-soon={ends - now < 60_000 || undefined}>
          {clockText(ends - Math.max(now, starts))} left
        </span>
      )}
    </div>
  )
}

/** How well the clocks agree, and whether the line is up. */
export function Line() {
  const { session } = useSite()
  const is = session.line.value.is
  useNow(1000) // the error has no signal of its own
  const error = session.clock.error
  return (
    <span class="line" data-line={is}>
      <i aria-hidden="true" />
      {is === 'open' ? (error === null ? 'connected' : `sync ±${error} ms`) : 'reconnecting'}
    </span>
  )
}

/** @param {{startsAt: number}} props */
function Countdown({ startsAt }) {
  const { session } = useSite()
  const now = useNow(50)
  const left = Math.ceil((startsAt - now) / 1000)
  return (
    <div class="countdown">
      <p class="countdown-number" key={left} role="timer" aria-label={`${left}`}>
        {left}
      </p>
      <p class="countdown-words">The same cards for everybody, at zero.</p>
      <p class="countdown-sync">{session.clock.error === null ? 'Setting the clock …' : `sync ±${session.clock.error} ms`}</p>
    </div>
  )
}

/** @param {{view: View, seat: number, now: number}} props */
function GiveUp({ view, seat, now }) {
  const { session } = useSite()
  const give = useAction(session.giveUp)
  const racer = racerAt(view, seat)
  if (racer?.state !== 'racing' || racer.gave_up_at != null) return null
  const tooEarly = now < (view.race.starts_at ?? 0) + GIVE_UP_AFTER
  return (
    <Ask
      class="button button-felt"
      label="Give up"
      question={view.tournament?.plan.deadly ? 'Give up for good?' : 'Give up the race?'}
      yes="Give up"
      disabled={tooEarly || give.busy}
      onYes={() => give.go()}
    >
      <Icon name="flag" /> <span class="button-word">Give up</span>
    </Ask>
  )
}

/**
 * One line about one's own race, where there is something to say.
 *
 * @param {{view: View, seat: number, now: number, lanes: Lane[], shown: Shown | null, still: boolean}} props
 *   still: the board waits for the line
 */
function Status({ view, seat, now, lanes, shown, still }) {
  const { session } = useSite()
  const takeBack = useAction(session.takeBack)
  const [refusal, setRefusal] = useState(session.refused.value)
  const slow = useSlow(session.waiting.value)
  const refused = session.refused.value
  useEffect(() => {
    setRefusal(refused)
    const timer = setTimeout(() => setRefusal(null), REFUSAL_FOR)
    return () => clearTimeout(timer)
  }, [refused])

  const racer = racerAt(view, seat)
  const racing = lanes.filter((lane) => lane.state === 'racing' && lane.seat !== seat).length
  const others = racing ? `${counted(racing, 'racer')} still on the way.` : ''

  if (still) return <>Reconnecting. Your moves are kept; the clock runs.</>
  if (racer?.state === 'racing' && racer.gave_up_at != null) {
    const left = Math.ceil((racer.gave_up_at + TAKE_BACK_FOR - now) / 1000)
    return (
      <>
        You have given up.
        {left > 0 && (
          <button type="button" class="button button-felt button-small" disabled={takeBack.busy} onClick={() => takeBack.go()}>
            Take it back <span aria-hidden="true">({left})</span>
          </button>
        )}
        {takeBack.error?.message}
      </>
    )
  }
  if (racer?.state === 'solved') {
    const took = (racer.finished_at ?? now) - (view.race.starts_at ?? now)
    return (
      <>
        <b>Solved in {finishText(took)}.</b> {others}
      </>
    )
  }
  if (racer && racer.state !== 'racing') {
    const home = racer.home ?? shown?.board.home ?? 0
    return (
      <>
        <b>
          {ownEnd(racer.state)} {counted(home, 'card')} home.
        </b>{' '}
        {others}
      </>
    )
  }
  if (refusal) return <>{refusal.message}</>
  if (slow) return <>The server has not answered yet. Your moves are kept.</>
  return null
}

/** Whether a move has been waiting for the server for so long that it is worth a word. @param {boolean} pending */
function useSlow(pending) {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!pending) return
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER)
    return () => clearTimeout(timer)
  }, [pending])
  return slow
}

/** Whether the line has been down for so long that the board holds still. @param {number} now */
function useStill(now) {
  const { session } = useSite()
  const lost = session.lostAt.value
  return session.line.value.is !== 'open' && lost !== null && now - (lost + session.clock.now() - session.clock.local()) > GRACE
}

/** Keys of this page; the board has its own. @param {Record<string, () => void>} keys */
function useKeys(keys) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    function onKey(event) {
      const target = /** @type {Element | null} */ (event.target)
      if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select, dialog')) return
      const run = latest.current[event.key.toLowerCase()]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/**
 * The race: one's own board, and how the others are doing.
 *
 * @param {{view: View, seat: number, onWatch?: () => void, onRoom?: () => void}} props
 *   onRoom: to the page of the tournament, when one is done
 */
export function RacePage({ view, seat, onWatch, onRoom }) {
  const { session, prefs } = useSite()
  const now = useNow(500)
  const phase = usePhase(view)
  const [open, setOpen] = useState(/** @type {'options' | 'help' | 'lanes' | null} */ (null))
  const [chat, setChat] = useState(false)
  const unread = useUnread(view, chat)
  const still = useStill(now)
  const zen = prefs.zen.value

  const { race, settings } = view
  const racer = racerAt(view, seat)
  const board = useShown(race.number)
  const shown = useAfterPaint(board) // a card that was touched does not wait for what is said of it
  const dealt = useMemo(() => computed(() => board.value !== null), [board]) // but it may be, once it is there
  const rivals = session.rivals.value
  // Not `session.progress`, which is as far as the board is before that is painted.
  const rows = rivals.race === race.number ? { ...rivals.rows } : {}
  if (shown) rows[seat] = rowOf(shown)
  const blind = isBlind(view)
  const all = standings(view, rows, dealtIn(settings.game))
  const lanes = blind ? all.filter((lane) => lane.seat === seat) : all
  const opponent = opponentOf(view, seat)
  const ghostLane = useGhost(view)?.lane(now - (race.starts_at ?? now)) ?? null

  const racing = phase === 'racing' && racer?.state === 'racing' && racer.gave_up_at == null
  const interactive = racing && dealt.value && !still
  const canUndo = () => {
    const last = board.peek()?.board.last
    return interactive && last && (settings.undo === 'free' || (settings.undo === 'turned' && !last.turned.length))
  }
  const undo = () => canUndo() && session.play('undo')

  const leaveZen = () => {
    prefs.zen.value = false
  }
  useKeys({
    c: () => setChat((now) => !now),
    z: () => (prefs.zen.value = !prefs.zen.peek()),
    ...(zen ? { escape: leaveZen } : {}),
  })

  return (
    <main class="race" data-page="race" data-phase={phase} data-zen={zen || undefined}>
      <h1 class="heard">
        {gameName(settings.game)}, race {race.number}
      </h1>
      <header class="race-bar">
        <RaceClock view={view} />
        <span class="race-title">
          {gameName(settings.game)} <span class="race-code">{view.code}</span>
        </span>
        {race.practice && <span class="badge badge-practice">practice</span>}
        {view.tournament && <span class="badge badge-practice">round {view.tournament.round}</span>}
        <WatcherCount />
        <Line />
      </header>

      <section class="race-board" aria-label="Your board">
        <Table
          shown={board}
          game={settings.game}
          interactive={interactive}
          undo={settings.undo}
          onMove={session.play}
          onUndo={undo}
          onHelp={() => setOpen('help')}
          refused={session.refused}
        />
        {phase === 'countdown' && <Countdown startsAt={race.starts_at ?? now} />}
      </section>

      <aside class="race-lanes" aria-label="Racers">
        <div class="race-lanes-wide">
          <Lanes lanes={lanes} room={LANES_WIDE} seat={seat} now={now} ghost={ghostLane} opponent={opponent} />
          {blind && <p class="blind-words">A blind round: the others are shown when it is over.</p>}
          {lanes.length > LANES_WIDE && <AllLanes count={lanes.length} onOpen={() => setOpen('lanes')} />}
        </div>
        <div class="race-lanes-narrow">
          <Lanes lanes={lanes} room={LANES_NARROW} seat={seat} now={now} ghost={ghostLane} opponent={opponent} />
          <button type="button" class="cover" aria-label="All racers" onClick={() => setOpen('lanes')} />
        </div>
      </aside>

      <p class="race-status" role="status" data-part="status">
        <Status view={view} seat={seat} now={now} lanes={lanes} shown={shown} still={still} />
        {onWatch && (
          <button type="button" class="button button-felt button-small" onClick={onWatch}>
            <Icon name="eye" /> Watch the others
          </button>
        )}
        {onRoom && (
          <button type="button" class="button button-felt button-small" onClick={onRoom}>
            Standings
          </button>
        )}
      </p>

      {/* A mouse leaves the keyboard where it is, or the board would not hear it after a click on a button. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: nothing is to be done with it */}
      <footer class="race-tools" onMouseDown={(event) => event.preventDefault()}>
        {settings.undo !== 'none' && (
          <button
            type="button"
            class="button button-felt"
            disabled={!canUndo()}
            onClick={undo}
            aria-label="Undo"
            title="Undo (U)"
          >
            <Icon name="undo" /> <span class="button-word">Undo</span>
          </button>
        )}
        <GiveUp view={view} seat={seat} now={now} />
        <TableTools chat={chat} unread={unread} onChat={() => setChat(!chat)} onOpen={setOpen} />
      </footer>

      {zen && (
        <button
          type="button"
          class="button button-felt button-icon zen-out"
          aria-label="Leave zen"
          title="Leave zen (Z)"
          onClick={leaveZen}
        >
          <Icon name="eye" />
        </button>
      )}
      {chat && <ChatDrawer view={view} seat={seat} focus note={racersChatText(view)} onClose={() => setChat(false)} />}
      <News lanes={lanes} seat={seat} />
      {open === 'options' && <Options racing onClose={() => setOpen(null)} />}
      {open === 'help' && <Help onClose={() => setOpen(null)} />}
      {open === 'lanes' && (
        <Dialog title="Racers" onClose={() => setOpen(null)}>
          <Lanes lanes={lanes} seat={seat} now={now} label="All racers" ghost={ghostLane} />
        </Dialog>
      )}
    </main>
  )
}

/** @param {{count: number, onOpen: () => void}} props */
const AllLanes = ({ count, onOpen }) => (
  <button type="button" class="button button-felt button-small all-lanes" onClick={onOpen}>
    <Icon name="people" /> All {count}
  </button>
)
