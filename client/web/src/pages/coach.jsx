import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { gameName } from '../model/game-texts.js'
import { lessonBoard, lessonSteps } from '../model/guide/lesson.js'
import { Table } from '../parts/board/card-table.jsx'
import { useBoardSounds } from '../parts/board/use-feedback.js'
import { Button } from '../parts/controls/button.jsx'
import { useLater, useSite } from '../parts/hooks.js'
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
export function Coach({ game, done, onDone }) {
  const { prefs } = useSite()
  const steps = lessonSteps(gameOf(game))
  const [at, setAt] = useState(0)
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
    if (next) table.hint.value = { move: next, unasked: true }
  }
  useLater(showNext, HINT_AFTER, [board, at])

  /** @param {Move} move */
  function make(move) {
    const after = board.copy()
    after.play(move)
    table.shown.value = { board: after, animate: true }
    if (!step?.move(after)) setAt(at + 1)
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
          <h2>{step?.title}</h2>
          <p>{step?.text}</p>
        </div>
        <div class="row">
          {!isLast && <Button kind="quiet" onClick={leave} text={t('more.coach.skip')} />}
          {isLast ? (
            <Button kind="main" onClick={leave} text={done} />
          ) : next ? (
            <Button onClick={() => make(next)} text={t('more.coach.doIt')} />
          ) : (
            <Button kind="main" onClick={() => setAt(at + 1)} text={t('more.coach.next')} />
          )}
        </div>
      </section>
    </main>
  )
}
