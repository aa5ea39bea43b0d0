import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { dealNumber } from '../browser/deal-number.js'
import { tab } from '../browser/storage.js'
import { gameName, gamesInOrder, winnableText } from '../model/game-texts.js'
import { guideOf, variationOf } from '../model/hint/variation.js'
import { practiceKeys } from '../model/key-help.js'
import { practiceOf } from '../model/link-fragments.js'
import { Table } from '../parts/board/card-table.jsx'
import { hintTexts, undoTexts, useAutoPlay, useHint } from '../parts/board/use-assistance.js'
import { Tool } from '../parts/controls/button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { NumberField, option, Select } from '../parts/controls/form-fields.jsx'
import { Badge } from '../parts/controls/icon.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { Keys } from '../parts/help/key-list.jsx'
import { instead, useAfterPaint, useSite } from '../parts/hooks.js'
import { useShortcuts } from '../parts/keyboard.js'
import { lazyPart } from '../parts/page/lazy.jsx'
import { Options } from '../parts/page/lazy-parts.js'
import { Page } from '../parts/page/page-head.jsx'
import { CARDS } from '../protocol/constants.js'
import { Board } from '../rules/board.js'
import { createDealer } from '../rules/dealer.js'
import { GAMES, game as gameOf } from '../rules/games.js'
import { deckOfNumber } from '../rules/numbered-deal.js'
import { t } from '../words/translate.js'
import './practice.css'
import './race.css'

/** @import { Won } from '../model/hint/variation.js' */
/** @import { Card } from '../rules/cards.js' */

/** @typedef {{game: string, number: string}} Deal */

const Winnable = lazyPart(['more'], async () => (await import('./winnable.jsx')).Winnable)
const LinePlayer = lazyPart(['race', 'more'], async () => (await import('../stage/line-player.jsx')).LinePlayer)

const NOTHING = signal(null) // practice has no server that refuses moves

/** The cards of a deal; null: invalid number. @param {Deal | null} deal */
function deckOf(deal) {
  if (!deal || !GAMES.has(deal.game)) return null
  try {
    return deckOfNumber(deal.number)
  } catch {
    return null
  }
}

/** The texts of a tool. @param {'giveUp' | 'restart' | 'newDeal'} key */
const named = (key) => ({ word: t(`more.practice.${key}`), title: t(`more.practice.${key}`) })

/** @param {Deal} deal */
const nameOf = ({ game, number }) => `${game}:${number}`

// A reloaded page continues the last practice of this tab, because phones discard pages in the background.

/** @param {Deal} deal @returns {string[]} */
function keptMoves(deal) {
  const [of, ...moves] = (tab.recall('practice') ?? '').split(' ')
  return of === nameOf(deal) ? moves : []
}

/** @param {Deal} deal @param {readonly string[]} moves */
const keepMoves = (deal, moves) => tab.remember('practice', [nameOf(deal), ...moves].join(' '))

/** A practice board on this device only, without a record. */
export function Practice() {
  const { route } = useSite()
  const fragment = route.hash.value
  const deal = useMemo(() => practiceOf(fragment), [fragment])
  const deck = useMemo(() => deckOf(deal), [deal])
  const [again, setAgain] = useState(0)
  const startAgain = () => {
    if (deal) keepMoves(deal, [])
    setAgain(again + 1)
  }
  if (!deal || !deck) return <Choice wrong={deal !== null} />
  const won = /** @type {Won | null} */ (route.note())
  return <Playing key={`${fragment} ${again}`} deal={deal} deck={deck} won={won} onAgain={startAgain} />
}

/** @param {{wrong: boolean}} props whether the link has an invalid deal */
function Choice({ wrong }) {
  const { route, prefs } = useSite()
  const [number, setNumber] = useState('')
  return (
    <Page name="practice-choice" main="narrow">
      <form class="card practice-choice" onSubmit={instead(() => route.toPractice(prefs.game.value, dealNumber(number)))}>
        <h1>{t('more.practice.title')}</h1>
        <p>{t('more.practice.text')}</p>
        <Select
          label={t('front.game')}
          value={prefs.game.value}
          options={gamesInOrder().map(({ key }) => option(key, gameName(key)))}
          onPick={(key) => (prefs.game.value = key)}
        />
        <NumberField
          label={t('front.practise.deal')}
          value={number}
          error={wrong ? t('more.practice.noDeal') : null}
          onInput={setNumber}
          placeholder={t('front.practise.random')}
        />
        <button class="button button-main button-large">{t('more.practice.deal')}</button>
      </form>
      <Winnable game={prefs.game.value} />
    </Page>
  )
}

/**
 * @param {object} props @param {Deal} props.deal @param {Card[]} props.deck
 * @param {Won | null} props.won moves that win it, if known
 * @param {() => void} props.onAgain
 */
function Playing({ deal, deck, won, onAgain }) {
  const { game, number } = deal
  const { route } = useSite()
  const [gaveUp, setGaveUp] = useState(false)
  const [open, setOpen] = useState(/** @type {'options' | 'help' | null} */ (null))
  const { shown, play } = useMemo(() => localBoard(deal, deck), [deal, deck])
  const hand = useMemo(() => ({ play, refused: NOTHING }), [play])
  const board = useAfterPaint(shown).board
  const interactive = board.outcome !== 'won'
  const goOnByHand = useAutoPlay(1, shown, interactive, hand)
  const mayPlay = interactive && !gaveUp
  const whole = useMemo(() => Board.deal(gameOf(game), deck), [game, deck])
  const guide = useMemo(() => (won ? guideOf(whole, won.line) : undefined), [won, whole])
  const { hint, ask: askForHint } = useHint(shown, interactive, guide)
  const variation = useMemo(() => (gaveUp && won ? variationOf(whole, won.line) : null), [gaveUp, won, whole])
  useShortcuts({ t: () => !gaveUp && askForHint() })

  const onHelp = () => setOpen('help')
  const onBack = () => setGaveUp(false)
  const undo = () => {
    if (!shown.peek().board.movesMade) return
    goOnByHand()
    play('undo')
  }

  return (
    <main class="race practice" data-page="practice">
      <header class="race-bar">
        <h1 class="race-title">{t('more.practice.heading', { game: gameName(game), number })}</h1>
        {won && <Badge data-part="stars" text={winnableText(won.stars)} />}
        <Badge kind="practice" text={t('more.practice.badge')} />
      </header>
      <section class="race-board" aria-label={t('race.page.board')}>
        {variation ? (
          <LinePlayer variation={variation} game={game} title={t('more.practice.line')} back="toBoard" onBack={onBack} />
        ) : (
          <Table {...{ shown, game, interactive, hint, undo: 'free', onMove: play, onUndo: undo, onHelp }} />
        )}
      </section>
      <p class="race-status" role="status" data-part="status">
        {statusOf(board)}
      </p>
      {/* A click leaves the focus on the board, so that its keys still work. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is no control */}
      <footer class="race-tools" onMouseDown={(event) => event.preventDefault()}>
        <Tool icon="undo" {...undoTexts()} disabled={!board.movesMade || gaveUp} onClick={undo} />
        <Tool icon="hint" {...hintTexts()} disabled={!mayPlay} onClick={askForHint} />
        {won && <Tool icon="flag" {...named('giveUp')} disabled={!mayPlay} onClick={() => setGaveUp(true)} />}
        <Tool {...named('restart')} onClick={onAgain}>
          <Icon name="stepback" />
        </Tool>
        <Tool {...named('newDeal')} onClick={() => (won ? route.toWinnable() : route.toPractice(game, dealNumber('')))}>
          <Icon name="forward" />
        </Tool>
        <span class="race-tools-gap" />
        <Tool icon="out" label={t('race.room.leave')} onClick={route.toFront} />
        <Tool icon="help" label={t('front.help')} onClick={onHelp} />
        <Tool icon="options" label={t('front.options')} onClick={() => setOpen('options')} />
      </footer>
      {open === 'options' && <Options onClose={() => setOpen(null)} />}
      {open === 'help' && (
        <Dialog title={t('more.guide.keys')} onClose={() => setOpen(null)}>
          <Keys keys={practiceKeys()} />
        </Dialog>
      )}
    </main>
  )
}

/** The board with the moves stored before a reload, and the function that plays on it. @param {Deal} deal @param {Card[]} deck */
function localBoard(deal, deck) {
  const dealer = createDealer(gameOf(deal.game), deck)
  /** @type {string[]} */
  const moves = []
  /** @param {string} text */
  function make(text) {
    dealer.play(text)
    moves.push(text)
  }
  try {
    keptMoves(deal).forEach(make)
  } catch {
    // The stored moves were changed by hand: continue with those before the first illegal one.
  }
  const shown = signal({ board: dealer.board.copy(), animate: false })
  return {
    shown,
    /** @param {string} text */
    play(text) {
      make(text)
      keepMoves(deal, moves)
      shown.value = { board: dealer.board.copy(), animate: true }
    },
  }
}

/** @param {Board} board */
function statusOf(board) {
  const { outcome, home, movesMade: moves } = board
  if (outcome === 'won') return t('more.practice.won', { moves })
  const status = t('more.practice.status', { home, cards: CARDS, moves })
  return outcome === 'stuck' ? `${t('more.own.stuck')} ${status}` : status
}
