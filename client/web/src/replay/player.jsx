/** The replay of a race. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { gameName, winnableText } from '../model/game-texts.js'
import { variationOf } from '../model/hint/variation.js'
import { replayKeys } from '../model/key-help.js'
import { chosenFrom, happeningsOf } from '../model/replay/happenings.js'
import * as playHead from '../model/replay/play-head.js'
import { standingsAt, stepFrom, timelineOf } from '../model/replay/timeline.js'
import { Button } from '../parts/controls/button.jsx'
import { useCopied } from '../parts/controls/copy-button.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { useSite } from '../parts/hooks.js'
import { useCapturedShortcuts } from '../parts/keyboard.js'
import { BackToRoom } from '../parts/page/back-to-room.jsx'
import { lazyPart } from '../parts/page/lazy.jsx'
import { Head as PageHead } from '../parts/page/page-head.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { Results } from '../parts/results/results.jsx'
import { CouldBeWon } from '../parts/results/review.jsx'
import { useOrigin } from '../parts/room/reach.js'
import { after, BEGINNING, chosenOf } from '../stage/board-choice.js'
import { LineBoard, LinePlayer } from '../stage/line-player.jsx'
import { PickLanes, TileState } from '../stage/pick-lanes.jsx'
import { Stage } from '../stage/stage.jsx'
import { AloneTool, KeyDialog, StageTool } from '../stage/stage-tool.jsx'
import { language, t } from '../words/translate.js'
import { lookOf, RaceChart, RaceTable } from './chart.jsx'
import { Happenings } from './happenings.jsx'
import { Again } from './play-again.jsx'
import { Transport } from './transport.jsx'
import { Verify } from './verify.jsx'
import './player.css'

/** @import { Happening, SORTS } from '../model/replay/happenings.js' */
/** @import { Head, Moment } from '../model/replay/play-head.js' */
/** @import { RacerState } from '../model/race/room-view.js' */
/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Act } from '../stage/board-choice.js' */
/** @import { Played } from './possible.jsx' */
/** @import { Controls } from './transport.jsx' */

const Possible = lazyPart(['more'], async () => (await import('./possible.jsx')).Possible)

const MOST_LINES = 12 // with more racers, the chart shows the leaders
const MOST_LANES = 60

/** The step of an arrow key: ms, or cards. */
const SEEK = { time: 5000, stock: 1 }

const LONGEST_FRAME = 250 // a browser that slept does not make up for it
const SHORTEST_FRAME = 40 // often enough for moves, and not with every frame of the screen

/** @param {boolean} playing @param {(ms: number) => void} onFrame */
function usePlaying(playing, onFrame) {
  useEffect(() => {
    if (!playing) return
    let last = performance.now()
    let frame = requestAnimationFrame(function go(now) {
      if (now - last >= SHORTEST_FRAME) {
        onFrame(Math.min(LONGEST_FRAME, now - last))
        last = now
      }
      frame = requestAnimationFrame(go)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing])
}

/** @param {RaceRecord} record */
const lanesOf = ({ racers, starts_at: starts }) =>
  racers
    .map((racer) => {
      const state = /** @type {RacerState} */ (racer.state)
      return { ...racer, state, stock: null, ms: Math.max(0, racer.when - starts), awayAt: null, gaveUpAt: null }
    })
    .sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || a.seat - b.seat)

/** @param {{record: RaceRecord}} props */
export function Player({ record }) {
  const { route } = useSite()
  const timeline = useMemo(() => timelineOf(record), [record])
  const { seats, lines, line, axes } = timeline
  const all = useMemo(() => happeningsOf(timeline), [timeline])
  const start = useMemo(() => playHead.momentOf(route.hash.peek()), [])
  const [head, setHead] = useState(
    /** @type {Head} */ (
      start ? playHead.movedTo({ ...playHead.AT_START, along: start.along }, axes, start.position) : playHead.AT_START
    ),
  )
  const [choice, setChoice] = useState({ ...BEGINNING, seat: start?.seat ?? 0, alone: Boolean(start?.seat) })
  const [asked, setAsked] = useState(Boolean(route.note()?.endKnown))
  const [sorts, setSorts] = useState(/** @type {(keyof typeof SORTS)[]} */ (['overtaking', 'ends']))
  const [help, setHelp] = useState(false)
  const [played, setPlayed] = useState(/** @type {Played | null} */ (null))
  const variation = useMemo(() => played && variationOf(line(played.seat).board(played.n), played.moves), [played])
  const player = useRef(/** @type {HTMLElement | null} */ (null))
  const asker = useRef(/** @type {Element | null} */ (null))
  usePlaying(head.playing, (ms) => setHead((now) => playHead.wentOn(now, axes, ms)))

  // Another moment may be pasted behind the same address.
  const hash = route.hash.value
  useEffect(() => {
    const moment = playHead.momentOf(hash)
    if (moment) setHead((now) => playHead.movedTo({ ...now, along: moment.along, playing: false }, axes, moment.position))
  }, [hash])

  const axis = axes[head.along]
  const { position } = head
  const chosen = chosenOf(choice, seats)
  const large = choice.alone || seats.length === 1 ? chosen : 0
  const known = asked || playHead.isEndSeen(head, axes)
  const until = known ? axis.length : head.seen[head.along]
  const standing = standingsAt(timeline, axis, position)

  /** Where a happening is on this axis. @param {Happening} happening */
  const placeOf = ({ ms, seat, n, kind }) =>
    axis.key === 'time' ? ms : axis.place(line(seat), kind === 'ended' ? line(seat).length : n)
  const told = useMemo(() => {
    const some = chosenFrom(all, sorts, large).map((happening) => ({ happening, at: placeOf(happening) }))
    return some.sort((a, b) => a.at - b.at)
  }, [all, sorts, large, axis])
  const toldNow = told.filter(({ at }) => at <= until)
  const current = told.filter(({ at }) => at <= position).at(-1) ?? null

  const moveTo = (/** @type {number} */ to) => setHead((now) => playHead.movedTo({ ...now, playing: false }, axes, to))
  /** @type {Controls} */
  const controls = {
    toggle: () => setHead((now) => playHead.toggled(now, axes)),
    moveTo: (to) => setHead((now) => playHead.movedTo(now, axes, to)),
    step: (by) => moveTo(stepFrom(axis, large ? [line(large)] : lines, position, by)),
    jump: (by) => {
      const places = told.map(({ at }) => at)
      const to = by > 0 ? places.find((at) => at > position + 1e-6) : places.filter((at) => at < position - 1e-6).at(-1)
      moveTo(to ?? (by > 0 ? axis.length : 0))
    },
    seek: (by) => setHead((now) => playHead.movedTo(now, axes, now.position + by * SEEK[now.along])),
    setSpeed: (speed) => setHead((now) => ({ ...now, speed })),
    setAlong: (along) => setHead((now) => playHead.switchedTo(now, axes, line(chosen), along)),
  }

  const act = (/** @type {Act} */ wanted) => setChoice((before) => after(before, seats, wanted))
  /** Show a board after a number of entries. @param {number} seat @param {number} n */
  function see(seat, n) {
    setPlayed(null)
    moveTo(axis.place(line(seat), n))
    setChoice({ ...choice, seat, alone: true })
    player.current?.scrollIntoView({ block: 'nearest' })
  }
  /** @param {Played} line */
  function playLine(line) {
    asker.current = document.activeElement
    setHead((now) => ({ ...now, playing: false }))
    setPlayed(line)
  }
  const playWin = () =>
    record.winnable &&
    playLine({ seat: seats[0] ?? 0, n: 0, moves: record.winnable.line, title: () => t('watch.player.winningLine') })
  useEffect(() => {
    if (route.note()?.line) playWin()
  }, [])
  function leaveLine() {
    setPlayed(null)
    if (asker.current instanceof HTMLElement) asker.current.focus({ preventScroll: true })
  }
  const speed = (/** @type {1 | -1} */ by) => () => setHead((now) => playHead.faster(now, by))
  /** @type {Record<string, () => void>} */
  const keys = {
    ' ': controls.toggle,
    arrowleft: () => controls.seek(-1),
    arrowright: () => controls.seek(1),
    ',': () => controls.step(-1),
    '.': () => controls.step(1),
    '[': () => controls.jump(-1),
    ']': () => controls.jump(1),
    home: () => moveTo(0),
    end: () => moveTo(axis.length),
    ...{ '+': speed(1), '=': speed(1), '-': speed(-1) },
    s: () => controls.setAlong(head.along === 'time' ? 'stock' : 'time'),
    '?': () => setHelp(true),
  }
  useCapturedShortcuts(played ? {} : keys) // a played line has its own keys

  const nthOf = (/** @type {number} */ seat) => seats.indexOf(seat)
  const charted = lines.length > MOST_LINES ? standing.slice(0, MOST_LINES).map(({ seat }) => line(seat)) : lines
  const counts = new Map(lines.map((one) => [one.racer.seat, axis.count(one, position)]))

  return (
    <div class="page" data-page="replay">
      <PageHead>
        <BackToRoom />
        <CopyMoment record={record} moment={{ along: head.along, position, seat: choice.alone ? chosen : 0 }} />
      </PageHead>
      <main class="replay">
        <Title record={record} />
        <section
          class="player"
          ref={player}
          aria-label={t('race.room.replay')}
          data-alone={choice.alone || undefined}
          data-line={played !== null || undefined}
        >
          {played && variation ? (
            <LinePlayer variation={variation} game={record.game} title={played.title()} back="toReplay" onBack={leaveLine} />
          ) : (
            <>
              <div class="player-stage">
                <Stage
                  seats={seats}
                  choice={choice}
                  onAct={act}
                  sideways={false}
                  nameOf={(seat) => line(seat).racer.name}
                  headOf={(seat) => {
                    const lane = standing.find((one) => one.seat === seat)
                    return (
                      <>
                        {lane && <TileState lane={lane} />}
                        {lane && <span>{t('watch.tile.homeAndMove', { home: lane.home, moves: lane.moves })}</span>}
                      </>
                    )
                  }}
                  boardOf={(seat) => <LineBoard line={line(seat)} n={counts.get(seat) ?? 0} game={record.game} />}
                />
              </div>
              <aside class="player-lanes scrolls" aria-label={t('race.page.racers')}>
                <PickLanes
                  lanes={standing.slice(0, MOST_LANES)}
                  chosen={large}
                  marked={chosen}
                  onPick={(seat) => act({ do: 'choose', seat })}
                />
              </aside>
              <Transport head={head} axis={axis} controls={controls}>
                {seats.length > 1 && <AloneTool choice={choice} onAct={act} />}
                <StageTool icon="help" label={t('more.guide.keys')} hotkey="?" onClick={() => setHelp(true)} />
              </Transport>
            </>
          )}
        </section>

        <div class="replay-main">
          <Panel
            title={t('watch.cardsHome')}
            label={t('watch.page.chart')}
            tools={!known && <ShowEnd onShow={() => setAsked(true)} />}
          >
            <RaceChart
              axis={axis}
              lines={charted}
              nthOf={nthOf}
              position={position}
              until={until}
              chosen={large}
              onMove={controls.moveTo}
            />
            <ul class="legend" aria-label={t('watch.chart.lines')}>
              {charted.map(({ racer }) => (
                <li key={racer.seat}>
                  <button
                    type="button"
                    aria-pressed={racer.seat === large}
                    onClick={() => act({ do: 'choose', seat: racer.seat })}
                  >
                    <i
                      data-colour={lookOf(nthOf(racer.seat)).colour}
                      data-dash={lookOf(nthOf(racer.seat)).dash || undefined}
                      aria-hidden="true"
                    />
                    <bdi>{racer.name}</bdi>
                  </button>
                </li>
              ))}
            </ul>
            {charted.length < lines.length && <p class="hint">{t('watch.chart.leading', { count: charted.length })}</p>}
            <RaceTable axis={axis} lines={charted} until={until} />
          </Panel>
          {known && record.winnable && (
            <section class="card" aria-label={t('watch.player.winningLine')}>
              <CouldBeWon stars={record.winnable.stars} onPlay={playWin} />
            </section>
          )}
          {known && <Possible timeline={timeline} chosen={chosen} onSee={see} onPlay={playLine} />}
          <Panel title={t('race.results.result')} part="result">
            {known ? (
              <Results lanes={lanesOf(record)} seat={0} />
            ) : (
              <div class="unspoiled">
                <p>{t('watch.player.hidden')}</p>
                <ShowEnd onShow={() => setAsked(true)} />
              </div>
            )}
          </Panel>
          <Verify record={record} />
        </div>
        <div class="replay-side">
          <Happenings
            told={toldNow}
            along={axis.key}
            later={told.length - toldNow.length}
            current={current}
            sorts={sorts}
            onSorts={setSorts}
            racerAt={(seat) => line(seat).racer}
            onGo={({ happening, at }) => {
              moveTo(at)
              if (choice.alone) setChoice({ ...choice, seat: happening.seat })
            }}
          />
          <Again record={record} known={known} />
        </div>
      </main>
      {help && (
        <KeyDialog
          title={t('watch.player.helpTitle')}
          texts={[t('watch.player.help')]}
          keys={replayKeys()}
          onClose={() => setHelp(false)}
        />
      )}
    </div>
  )
}

/** @param {{onShow: () => void}} props */
const ShowEnd = ({ onShow }) => <Button kind="small" icon="eye" text={t('watch.player.showEnd')} onClick={onShow} />

/** @param {{record: RaceRecord}} props */
function Title({ record }) {
  const when = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(record.starts_at)
  return (
    <header class="replay-title">
      <h1>
        {gameName(record.game)} <span class="soft">{t('watch.player.where', { race: record.race, code: record.code })}</span>
      </h1>
      <p class="hint">
        <time datetime={new Date(record.starts_at).toISOString()}>{when}</time>{' '}
        {record.winnable && <span class="badge">{winnableText(record.winnable.stars)}</span>}
      </p>
    </header>
  )
}

/** @param {{record: RaceRecord, moment: Moment}} props */
function CopyMoment({ record, moment }) {
  const origin = useOrigin()
  const [copied, put] = useCopied()
  return (
    <Button
      kind="quiet"
      label={t('watch.player.link')}
      onClick={() => put(`${origin}/r/${record.code}/${record.race}${playHead.fragmentOf(moment)}`)}
    >
      <Icon name={copied ? 'check' : 'link'} />
      <span class="moment-words" role="status">
        {t(copied === null ? 'watch.player.link' : copied ? 'front.copied' : 'watch.player.notCopied')}
      </span>
    </Button>
  )
}
