/** Chooses a deal for practice: random, by its number, or one that can be won. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { dealNumber } from '../browser/deal-number.js'
import { askSolver } from '../browser/solver.js'
import { gameName, gamesInOrder } from '../model/game-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { Form, NumberField, option, Select } from '../parts/controls/form-fields.jsx'
import { useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { game as gameOf } from '../rules/games.js'
import { t } from '../words/translate.js'
import './practice.css'

/** @import { Stars } from '../solver/effort.js' */

/** @typedef {{is: 'nothing' | 'searching' | 'stopped' | 'failed', tried: number}} Work */

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

/**
 * Looks for deals that can be won, and goes to the first one.
 * @param {string} game its key
 * @returns {{isBusy: boolean, status: string, find: (stars: Stars | null) => Promise<void>, stop: () => void}} null: any stars
 */
export function useWinnable(game) {
  const { route } = useSite()
  const [work, setWork] = useState(/** @type {Work} */ ({ is: 'nothing', tried: 0 }))
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  /** @param {Stars | null} stars */
  async function find(stars) {
    let tried = 0
    setWork({ is: 'searching', tried })
    const asked = askSolver('winnable', { game, stars }, (progress) => {
      tried = progress.tried
      setWork({ is: 'searching', tried })
    })
    stop.current = asked.stop
    try {
      const won = await asked.answer
      if (won) route.toPractice(game, won.number, { stars: won.stars, line: won.line })
      else setWork({ is: 'stopped', tried })
    } catch (error) {
      console.error(error)
      setWork({ is: 'failed', tried })
    }
  }
  return { isBusy: work.is === 'searching', status: statusOf(work), find, stop: () => stop.current() }
}

/** @param {{game: string}} props its key */
function Winnable({ game }) {
  const [stars, setStars] = useState(/** @type {Stars | 0} */ (0))
  const { isBusy, status, find, stop } = useWinnable(game)
  return (
    <section class="card practice-choice" aria-label={t('more.practice.winnable')} data-part="winnable">
      <h2>{t('more.practice.winnable')}</h2>
      <p>{t('solver.find.what')}</p>
      {gameOf(game).face_down > 0 && <p class="hint">{t('solver.find.faceDown')}</p>}
      <Select
        label={t('solver.find.stars')}
        value={stars}
        options={[[0, t('solver.find.any')], ...STARS.map((count) => option(count, '★'.repeat(count)))]}
        onPick={setStars}
        disabled={isBusy}
      />
      <Button kind="large" icon={isBusy ? 'close' : 'hint'} onClick={isBusy ? stop : () => find(stars || null)}>
        {t(isBusy ? 'solver.possible.stop' : 'solver.find.start')}
      </Button>
      <p class="hint" role="status">
        {status}
      </p>
    </section>
  )
}

/** @param {Work} work */
function statusOf({ is, tried }) {
  if (is === 'nothing') return ''
  if (is === 'failed') return t('solver.possible.failed')
  return t(is === 'searching' ? 'solver.find.progress' : 'solver.find.stopped', { tried })
}
