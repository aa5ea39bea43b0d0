import { signal } from '@preact/signals'
import { useMemo, useRef, useState } from 'preact/hooks'
import { gameName, lessonOf } from '../model/game-texts.js'
import { lessonBoard, lessonSteps } from '../model/guide/lesson.js'
import { Table } from '../parts/board/card-table.jsx'
import { useBoardSounds } from '../parts/board/use-feedback.js'
import { Button } from '../parts/controls/button.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { nameOrRandom } from '../parts/controls/random-name.js'
import { useAction, useLater, useSite } from '../parts/hooks.js'
import { game as gameOf } from '../rules/games.js'
import { moveText, parseMove } from '../rules/move-notation.js'
import { t } from '../words/translate.js'
import './coach.css'

/** @import { Board } from '../rules/board.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @import { Hint } from '../table/table.js' */

const HINT_AFTER = 500 // the hint waits for the animation of the last move, in ms

/** @typedef {{board: Board, animate: boolean}} Shown */

/**
 * A lesson of one minute on its own board. Each step shows a move and continues after the player has made it.
 * @param {{game: string, done: string, onDone: () => void}} props done: the label of the last button; onDone: called when all
 *   steps are done or skipped
 */
export function Coach({ game: wanted, done, onDone }) {
  const game = lessonOf(wanted)
  const { prefs, session, visit } = useSite()
  const steps = lessonSteps(gameOf(game))
  const [at, setAt] = useState(0)
  /** The boards at the start of the steps so far. */
  const starts = useRef(/** @type {Board[]} */ ([]))
  const [isPraised, setPraised] = useState(false)
  const table = useMemo(
    () => ({
      shown: signal(/** @type {Shown} */ ({ board: lessonBoard(gameOf(game)), animate: false })),
      refused: signal(/** @type {{message: string} | null} */ (null)),
      hint: signal(/** @type {Hint | null} */ (null)),
    }),
    [game],
  )
  useBoardSounds(/** @type {any} */ (table.shown))

  const { board } = table.shown.value
  const step = steps[at] ?? steps[0]
  const next = step?.move(board) ?? null
  const showNext = () => {
    table.hint.value = next ? { move: next, unasked: true } : { move: null, marks: step?.marks ?? [] }
  }
  useLater(showNext, HINT_AFTER, [board, at])

  /** @param {Move} move */
  function make(move) {
    const after = board.copy()
    after.play(move)
    starts.current[at] ??= board // a step may have several moves
    table.shown.value = { board: after, animate: true }
    if (!step?.move(after)) goOn(true)
  }

  /** @param {boolean} isMade by a move */
  function goOn(isMade) {
    starts.current[at] ??= board
    setPraised(isMade)
    setAt(at + 1)
  }

  function goBack() {
    table.shown.value = { board: starts.current[at - 1] ?? board, animate: true }
    starts.current.length = at - 1
    setPraised(false)
    setAt(at - 1)
  }

  /** @param {string} text */
  function onMove(text) {
    const move = parseMove(text)
    if (next && (moveText(next) === text || step?.takes?.(board, move))) make(move)
    else table.refused.value = { message: next ? t('more.coach.tryShown') : t('more.coach.readFirst') }
  }

  const isLast = at === steps.length - 1
  function leave() {
    prefs.coached.value = true
    onDone()
  }
  const race = useAction(async () => {
    await visit.raceBot(await nameOrRandom(prefs), { game })
    leave()
  })
  // In a room, the next race is there.
  const mayRace = isLast && !session.view.value

  return (
    <main class="coach" data-page="coach" data-step={at + 1}>
      <section class="coach-board" aria-label={t('more.coach.board')}>
        <Table {...table} game={game} interactive undo="none" onMove={onMove} />
      </section>
      <section class="coach-panel card" aria-label={t('more.coach.label')}>
        <div class="coach-head">
          <h1>{t('more.coach.title', { game: gameName(game) })}</h1>
          <p class="coach-count">{t('more.coach.step', { step: at + 1, count: steps.length })}</p>
        </div>
        <div aria-live="polite" class="coach-words">
          {isPraised && <p class="coach-praise">{t('more.coach.praise', { step: at + 1 })}</p>}
          <h2>{step?.title}</h2>
          <p>{step?.text}</p>
        </div>
        <div class="row">
          {!isLast && <Button kind="quiet" onClick={leave} text={t('more.coach.skip')} />}
          {at > 0 && <Button kind="quiet" onClick={goBack} text={t('more.coach.back')} />}
          {mayRace && <Button kind="main" icon="bot" {...race.button()} text={t('more.coach.raceBot')} />}
          {isLast ? (
            <Button kind={mayRace ? 'quiet' : 'main'} onClick={leave} text={done} />
          ) : next ? (
            <Button onClick={() => make(next)} text={t('more.coach.doIt')} />
          ) : (
            <Button kind="main" onClick={() => goOn(false)} text={t('more.coach.next')} />
          )}
        </div>
        {race.error && <Wrong>{race.error.message}</Wrong>}
      </section>
    </main>
  )
}
