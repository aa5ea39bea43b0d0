/** Chooses a deal for practice: random, by its number, or one that can be won. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { dealNumber } from '../browser/deal-number.js'
import { askSolver } from '../browser/solver.js'
import { gameName, gamesInOrder } from '../model/game-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { Form, NumberField, option, Select } from '../parts/controls/form-fields.jsx'
import { useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { game as gameOf, hasFaceDown } from '../rules/games.js'
import { widthsOf } from '../solver/measured.js'
import { t } from '../words/translate.js'
import './practice.css'

/** @import { Route } from '../browser/route.js' */
/** @import { Can } from '../browser/solver-worker.js' */
/** @import { Stars } from '../solver/effort.js' */

const STARS = /** @type {const} */ ([1, 2, 3])

/** @param {{wrong: boolean}} props whether the link has an invalid deal */
export function PracticeChoice({ wrong }) {
  const { route, prefs } = useSite()
  const [number, setNumber] = useState('')
  const game = prefs.game.value
  return (
    <Page name="practice-choice" main="narrow">
      <Form class="card practice-choice" onSubmit={() => route.toPractice(game, dealNumber(number))}>
        <h1>{t('front.practise.title')}</h1>
        <Select
          label={t('front.game')}
          value={game}
          options={gamesInOrder().map(({ key }) => option(key, gameName(key)))}
          onPick={(key) => (prefs.game.value = key)}
        />
        <NumberField
          label={t('more.practice.number')}
          value={number}
          error={wrong ? t('more.practice.noDeal') : null}
          onInput={setNumber}
          placeholder={t('more.practice.random')}
        />
        <Button type="submit" kind="main large" text={t('more.practice.deal')} />
      </Form>
      <Winnable game={game} />
    </Page>
  )
}

/** Asks the solver one question at a time. `status`: what it does. */
export function useSolver() {
  const [status, say] = useState('')
  const [isBusy, setBusy] = useState(false)
  const asked = useRef({ stop: () => {} })
  useEffect(() => () => asked.current.stop(), [])

  /**
   * @template {'winnable' | 'line'} K @param {K} what @param {Parameters<Can[K]>[0]} question
   * @param {(tried: number) => string} words said while it searches, after some attempts
   */
  async function ask(what, question, words) {
    setBusy(true)
    const search = askSolver(what, question, (progress) => say(words(/** @type {{tried: number}} */ (progress).tried)))
    asked.current = search
    const found = await search.answer.catch((error) => console.error(error))
    setBusy(false)
    say(found === undefined ? t('solver.possible.failed') : '')
    return found || null
  }
  return { isBusy, status, say, ask, stop: () => asked.current.stop() }
}

/**
 * Goes to a deal that the solver can win.
 * @param {ReturnType<typeof useSolver>} solver @param {Route} route @param {string} game its key @param {Stars | null} stars null: any
 */
export async function toWinnable(solver, route, game, stars) {
  const won = await solver.ask('winnable', { game, stars }, (tried) => t('solver.find.progress', { tried }))
  if (won) route.toPractice(game, won.number, { stars: won.stars, line: won.line })
}

/** @param {{game: string}} props its key */
function Winnable({ game }) {
  const { route } = useSite()
  const [stars, setStars] = useState(/** @type {Stars | 0} */ (0))
  const solver = useSolver()
  const { isBusy, status, stop } = solver
  const find = () => toWinnable(solver, route, game, stars || null)
  return (
    <section class="card practice-choice" aria-label={t('more.practice.winnable')} data-part="winnable">
      <h2>{t('more.practice.winnable')}</h2>
      <p>{t('solver.find.what')}</p>
      {hasFaceDown(gameOf(game)) && <p class="hint">{t('solver.find.faceDown')}</p>}
      <Select
        label={t('solver.find.stars')}
        value={stars}
        options={[
          [0, t('solver.find.any')],
          ...STARS.slice(0, widthsOf(game).length + 1).map((count) => option(count, '★'.repeat(count))),
        ]}
        onPick={setStars}
        disabled={isBusy}
      />
      <Button kind="large" icon={isBusy ? 'close' : 'hint'} onClick={isBusy ? stop : find}>
        {t(isBusy ? 'solver.possible.stop' : 'solver.find.start')}
      </Button>
      <p class="hint" role="status">
        {status}
      </p>
    </section>
  )
}
