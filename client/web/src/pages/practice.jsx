/** Practice on this device only: on a numbered deal, or on the deal of a race. */
import { signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { dealNumber } from '../browser/deal-number.js'
import { memory } from '../browser/memory.js'
import * as store from '../browser/storage.js'
import { clockText, dayText } from '../model/format.js'
import { gameName, winnableText } from '../model/game-texts.js'
import { guideOf, variationOf } from '../model/hint/variation.js'
import { practiceKeys } from '../model/key-help.js'
import { ghostFragment, practiceFragment, practiceOf } from '../model/link-fragments.js'
import { playOfPractice } from '../model/memory/plays.js'
import { byProgress } from '../model/race/room-view.js'
import { ghostsOf, LATE, latePlace } from '../model/replay/ghost.js'
import { createStopwatch } from '../model/stopwatch.js'
import { Table } from '../parts/board/card-table.jsx'
import { hintTexts, undoTexts, useAutoPlay, useHint } from '../parts/board/use-assistance.js'
import { useBoardSounds } from '../parts/board/use-feedback.js'
import { Button, Tool } from '../parts/controls/button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Badge } from '../parts/controls/icon.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { nameOrRandom } from '../parts/controls/random-name.js'
import { useAction, useAfterPaint, useLoaded, useNow, useSite } from '../parts/hooks.js'
import { useShortcuts } from '../parts/keyboard.js'
import { lazyPart } from '../parts/page/lazy.jsx'
import { GameHelp, Options } from '../parts/page/lazy-parts.js'
import { CARDS } from '../protocol/constants.js'
import { Board } from '../rules/board.js'
import { cardName, parseCards } from '../rules/cards.js'
import { createDealer } from '../rules/dealer.js'
import { GAMES, game as gameOf } from '../rules/games.js'
import { deckOfNumber } from '../rules/numbered-deal.js'
import { t } from '../words/translate.js'
import { PracticeChoice, toWinnable, useSolver } from './practice-choice.jsx'
import { PracticeWin } from './practice-win.jsx'
import { RaceLanes } from './race.jsx'
import './practice.css'
import './race.css'

/** @import { Won } from '../model/hint/variation.js' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Ghost } from '../model/replay/ghost.js' */
/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Card } from '../rules/cards.js' */
/** @import { Deal, Win } from './practice-win.jsx' */
/** @import { Day } from './day.jsx' */
/** @import { Stopwatch } from '../model/stopwatch.js' */

const LinePlayer = lazyPart(['race', 'more'], async () => (await import('../stage/line-player.jsx')).LinePlayer)

/** In a link it stands for a game. */
const DAY = 'day'

const NOTHING = signal(null) // practice has no server that refuses moves

/** The numbered deal of a link; null: there is none. @param {string} fragment @returns {{game: string, number: string, deck: Card[], name: string, link: string} | null} */
function dealOf(fragment) {
  const { game = '', number = '' } = practiceOf(fragment) ?? {}
  if (!GAMES.has(game)) return null
  try {
    const deck = deckOfNumber(number)
    return { game, number, deck, name: `${game}:${number}`, link: `/practice${practiceFragment(game, number)}` }
  } catch {
    return null
  }
}

/** Practice on a numbered deal, or the choice of a deal. */
export function Practice() {
  const { route } = useSite()
  const fragment = route.hash.value
  const deal = useMemo(() => {
    const numbered = dealOf(fragment)
    return numbered && { ...numbered, title: numbered.number, won: /** @type {Won | null} */ (route.note()) }
  }, [fragment])
  const named = practiceOf(fragment)
  if (named?.game === DAY) return <PracticeOfDay key={fragment} number={named.number} />
  if (!deal) return <PracticeChoice wrong={named !== null} />
  return <OnDeal key={fragment} deal={deal} />
}

/** Practice on the deal of a day that is over. @param {{number: string}} props */
function PracticeOfDay({ number }) {
  const { get } = useSite()
  const deal = useLoaded(async () => {
    const { dealOfDay } = await import('../solver/day.js')
    const { days } = await (await get('/api/days')).json()
    const day = days.find((/** @type {Day} */ one) => one.day === Number(number) && one.key)
    if (!day) return { deck: null }
    const { game } = day
    const names = { name: `${DAY}:${number}`, title: dayText(day.day), link: `/practice${practiceFragment(DAY, number)}` }
    return { game, number: null, deck: dealOfDay(day.key, day.counter), won: null, ...names }
  }, [number])
  if (!deal) return null
  return deal.deck ? <OnDeal deal={deal} /> : <PracticeChoice wrong />
}

/** Practice on the deal of a race. @param {{record: RaceRecord, ghosts: number | 'all'}} props ghosts: a seat, all, or 0 for none */
export function PracticeOfRace({ record, ghosts }) {
  const { code, race, game, number } = record
  const deal = useMemo(() => {
    const names = { name: `${code}/${race}`, title: t('watch.player.where', { race, code }) }
    const won = /** @type {Won | null} */ (record.winnable)
    const link = `/r/${code}/${race}${ghostFragment(ghosts)}`
    return {
      game,
      number,
      deck: parseCards(record.deck),
      won,
      link,
      record,
      ghosts: ghostsOf(record, ghosts),
      of: { code, race },
      ...names,
    }
  }, [record, ghosts])
  return <OnDeal key={ghosts} deal={deal} />
}

/** @param {{deal: Deal}} props */
function OnDeal({ deal }) {
  const [again, setAgain] = useState(0)
  const startAgain = () => {
    keep(deal, 0, [])
    setAgain(again + 1)
  }
  return <Playing key={again} deal={deal} onAgain={startAgain} />
}

/** @param {{deal: Deal, onAgain: () => void}} props */
function Playing({ deal, onAgain }) {
  const { game, number, of, ghosts = [] } = deal
  const { route, prefs, lesson } = useSite()
  const [open, setOpen] = useState(/** @type {'options' | 'help' | null} */ (null))
  const { stopwatch, shown, win, play } = useMemo(() => localBoard(deal), [deal])
  const hand = useMemo(() => ({ play, refused: NOTHING }), [play])
  const { board, undone } = useAfterPaint(shown)
  const solver = useSolver()
  const [won, setWon] = useState(deal.won)
  const [gaveUp, setGaveUp] = useState(false)
  const isOver = board.outcome === 'won'
  const late = (isOver || gaveUp) && deal.record ? lateText(deal.record, board, stopwatch.read()) : ''
  const mayPlay = !isOver && !gaveUp
  const goOnByHand = useAutoPlay(1, shown, mayPlay, hand)
  const whole = useMemo(() => Board.deal(gameOf(game), deal.deck), [deal])
  const guide = useMemo(() => (won ? guideOf(whole, won.line) : undefined), [won, whole])
  const { hint, ask: askForHint, refuse } = useHint(shown, mayPlay, guide)
  const variation = useMemo(() => (gaveUp && won ? variationOf(whole, won.line) : null), [gaveUp, won, whole])
  useBoardSounds(/** @type {any} */ (shown))
  useRunning(stopwatch, mayPlay && board.movesMade > 0)

  const undo = () => {
    if (!mayPlay) return
    if (!shown.peek().board.movesMade) return refuse('nothing-to-undo')
    goOnByHand()
    play('undo')
  }
  const redo = () => {
    const last = shown.peek().undone.at(-1)
    if (mayPlay && last) play(last)
  }
  async function giveUp() {
    memory.keep(playOfPractice(deal, Date.now(), { state: 'gave_up', home: board.home }))
    const question = { game, deck: deal.deck.map(cardName).join('') }
    const found = won ?? (await solver.ask('line', question, () => t('more.practice.searching')))
    if (!found) solver.say(t('more.practice.noLine'))
    setWon(found)
    setGaveUp(found !== null)
  }
  // Its button keeps its place: the board must not grow with the first move.
  const [offersLesson] = useState(!prefs.coached.peek() && !board.movesMade)
  const learn = () => (lesson.value = { game })
  const nextDeal = () =>
    deal.won && number ? toWinnable(solver, route, game, deal.won.stars) : route.toPractice(game, dealNumber(''))
  const close = () => setOpen(null)
  useShortcuts({ t: askForHint, y: redo })
  useEffect(() => {
    if (isOver) prefs.coached.value = true
  }, [isOver])

  return (
    <main class="race practice" data-page="practice" data-lanes={ghosts.length || undefined}>
      <header class="race-bar">
        <h1 class="race-title">
          {gameName(game)} {deal.title}
        </h1>
        {won && number && <Badge data-part="stars" text={winnableText(won.stars)} />}
        <Clock stopwatch={stopwatch} />
        <span class="practice-ways">
          <Tool
            icon={of ? 'back' : 'on'}
            word={t(of ? 'solver.line.toReplay' : 'front.practise.choose')}
            onClick={() => (of ? route.toReplay(of.code, of.race) : route.toChoice())}
          />
          {number && <RaceIt game={game} number={number} />}
        </span>
      </header>
      <section class="race-board" aria-label={t('race.page.board')}>
        {variation ? (
          <LinePlayer
            variation={variation}
            game={game}
            title={t('more.practice.line')}
            back="toBoard"
            onBack={() => setGaveUp(false)}
          />
        ) : (
          <Table
            {...{ shown, game, interactive: mayPlay, hint, undo: 'free' }}
            {...{ onMove: play, onUndo: undo, onHelp: () => setOpen('help') }}
          />
        )}
        {isOver && win.value && <PracticeWin {...{ deal, board, late }} win={win.value} onNext={nextDeal} />}
      </section>
      {ghosts.length > 0 && <Ghosts ghosts={ghosts} stopwatch={stopwatch} board={board} />}
      <p class="race-status" role="status" data-part="status">
        {solver.status || (!variation && statusOf(board))} {gaveUp && late}
        {offersLesson && !ghosts.length && !variation && (
          <Button
            kind="felt small"
            class={board.movesMade ? 'gone' : ''}
            icon="hint"
            onClick={learn}
            text={t('race.room.learn')}
          />
        )}
      </p>
      {/* A click leaves the focus on the board, so that its keys still work. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is no control */}
      <footer class="race-tools" onMouseDown={(event) => event.preventDefault()}>
        <Tool icon="undo" {...undoTexts()} aria-disabled={!board.movesMade || !mayPlay} onClick={undo} />
        <Tool {...texts('redo')} disabled={!undone.length || !mayPlay} onClick={redo}>
          <Icon name="redo" />
        </Tool>
        <Tool icon="hint" {...hintTexts()} disabled={!mayPlay} onClick={askForHint} />
        <Tool icon="flag" {...texts('solution')} disabled={!mayPlay || solver.isBusy} onClick={giveUp} />
        <Tool {...texts('restart')} onClick={onAgain}>
          <Icon name="stepback" />
        </Tool>
        <Tool {...texts('newDeal')} disabled={solver.isBusy} onClick={nextDeal}>
          <Icon name="forward" />
        </Tool>
        <span class="race-tools-gap" />
        <Tool icon="out" label={t('race.room.leave')} onClick={route.toFront} />
        <Tool icon="help" label={t('front.help')} onClick={() => setOpen('help')} />
        <Tool icon="options" label={t('front.options')} onClick={() => setOpen('options')} />
      </footer>
      {open === 'options' && <Options onClose={close} />}
      {open === 'help' && (
        <Dialog title={gameName(game)} onClose={close}>
          <GameHelp game={game} onLearn={close} keys={practiceKeys()} />
        </Dialog>
      )}
    </main>
  )
}

/** The texts of a tool. @param {'solution' | 'redo' | 'restart' | 'newDeal'} key */
const texts = (key) => ({ word: t(`more.practice.${key}`), title: t(`more.practice.${key}`) })

/** @param {Board} board */
function statusOf(board) {
  const { outcome, home, movesMade: moves } = board
  if (outcome === 'won') return t('more.end.won')
  const status = t('more.practice.status', { home, cards: CARDS, moves })
  return outcome ? `${t('more.own.stuck')} ${status}` : status
}

/** The place that a player takes later. @param {RaceRecord} record @param {Board} board @param {number} ms */
const lateText = (record, { outcome, home, movesMade: moves }, ms) =>
  t('more.practice.late', latePlace(record, { isWon: outcome === 'won', ms, home, moves }))

/** The player among racers of the earlier race. @param {{ghosts: Ghost[], stopwatch: Stopwatch, board: Board}} props */
function Ghosts({ ghosts, stopwatch, board }) {
  const { prefs } = useSite()
  const ms = useNow(500, () => stopwatch.read())
  const { home, movesMade: moves, stockCount: stock } = board
  const state = board.outcome === 'won' ? 'solved' : 'racing'
  const own = /** @type {Lane} */ ({
    ...{ seat: LATE, name: prefs.name.value || t('front.you'), state, home, moves, stock, ms, place: null },
    ...{ awayAt: null, gaveUpAt: null, bot: false },
  })
  return <RaceLanes lanes={[own, ...ghosts.map((ghost) => ghost(ms))].sort(byProgress)} seat={LATE} />
}

/** The time, if the player wants to see it. @param {{stopwatch: Stopwatch}} props */
function Clock({ stopwatch }) {
  const { prefs } = useSite()
  const isOn = prefs.practiceClock.value
  const time = useNow(200, () => clockText(stopwatch.read()))
  return (
    <Button
      kind={isOn ? 'felt' : 'felt icon'}
      class="practice-clock"
      label={t('more.practice.clock')}
      aria-pressed={isOn}
      onClick={() => (prefs.practiceClock.value = !isOn)}
    >
      <Icon name="clock" /> {isOn && <span translate={false}>{time}</span>}
    </Button>
  )
}

/** Opens a room on this deal, for a friend or with a bot. Its rules tell that somebody may know the deal. @param {{game: string, number: string}} props */
function RaceIt({ game, number }) {
  const { session, visit, prefs } = useSite()
  const race = useAction(async (/** @type {boolean} */ withBot) => {
    const name = await nameOrRandom(prefs)
    await (withBot ? visit.raceBot(name, { game, deal: number }) : visit.create(name, { game, deal: number }))
  })
  const isOff = race.busy || session.connection.value.is === 'lost'
  const title = t('more.practice.raceTitle')
  return (
    <>
      <Tool icon="people" word={t('more.practice.friend')} {...{ title }} disabled={isOff} onClick={() => race.go(false)} />
      <Tool icon="bot" word={t('more.practice.bot')} {...{ title }} disabled={isOff} onClick={() => race.go(true)} />
      {race.error && <span role="alert">{race.error.message}</span>}
    </>
  )
}

/** Lets a stopwatch run while `runs` and while the page is visible. @param {Stopwatch} stopwatch @param {boolean} runs */
function useRunning(stopwatch, runs) {
  useEffect(() => {
    const look = () => stopwatch.run(runs && !document.hidden)
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      stopwatch.run(false)
    }
  }, [stopwatch, runs])
}

// A reloaded page continues the last practice of this tab, because phones discard pages in the background.

const KEPT = 'practice'

/** @param {Deal} deal @param {number} ms @param {readonly string[]} log */
const keep = (deal, ms, log) => store.tab.remember(KEPT, JSON.stringify([deal.name, ms, ...log]))

/** The board with the moves stored before a reload, and the function that plays on it. @param {Deal} deal */
function localBoard(deal) {
  const [name, ms, ...kept] = store.recallList(store.tab, KEPT)
  const isKept = name === deal.name
  const stopwatch = createStopwatch(isKept ? Number(ms) || 0 : 0)
  const dealer = createDealer(gameOf(deal.game), deal.deck)
  /** @type {{log: string[], done: string[], undone: string[]}} */
  const { log, done, undone } = { log: [], done: [], undone: [] }
  /** @param {string} text */
  function make(text) {
    dealer.play(text)
    log.push(text)
    if (text === 'undo') undone.push(/** @type {string} */ (done.pop()))
    else {
      if (undone.pop() !== text) undone.length = 0
      done.push(text)
    }
  }
  const current = (/** @type {boolean} */ animate) => ({ board: dealer.board.copy(), animate, undone: [...undone] })
  const win = signal(/** @type {Win | null} */ (null))
  const look = () => {
    const { outcome, home } = dealer.board
    const ms = stopwatch.read()
    if (outcome === 'won') win.value = playOfPractice(deal, Date.now() - ms, { state: 'solved', ms, home })
  }
  try {
    if (isKept) kept.forEach(make)
  } catch {
    // The stored moves were changed by hand: continue with those before the first illegal one.
  }
  look()
  const shown = signal(current(false))
  return {
    ...{ stopwatch, shown, win },
    /** @param {string} text */
    play(text) {
      make(text)
      keep(deal, stopwatch.read(), log)
      if (log.length === 1) memory.keep(playOfPractice(deal, Date.now(), { state: 'racing', home: dealer.board.home }))
      look()
      shown.value = current(true)
    },
  }
}
