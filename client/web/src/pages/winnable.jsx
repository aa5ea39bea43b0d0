/** Finds a winnable deal for practice. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { WINNABLE } from '../browser/route.js'
import { askSolver } from '../browser/solver.js'
import { Button } from '../parts/controls/button.jsx'
import { option, Select } from '../parts/controls/form-fields.jsx'
import { useSite } from '../parts/hooks.js'
import { game } from '../rules/games.js'
import { t } from '../words/translate.js'
import './practice.css'

/** @import { Stars } from '../solver/effort.js' */

/** @typedef {{is: 'nothing' | 'searching' | 'stopped' | 'failed', tried: number}} Work */

const STARS = /** @type {const} */ ([1, 2, 3])

/** @param {{game: string}} props its key */
export function Winnable({ game: key }) {
  const { route } = useSite()
  const [stars, setStars] = useState(/** @type {Stars | 0} */ (0))
  const [work, setWork] = useState(/** @type {Work} */ ({ is: 'nothing', tried: 0 }))
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  const isBusy = work.is === 'searching'
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null))
  useEffect(() => {
    if (route.hash.peek() === WINNABLE) heading.current?.focus()
  }, [])

  async function find() {
    let tried = 0
    setWork({ is: 'searching', tried })
    const asked = askSolver('winnable', { game: key, stars: stars || null }, (progress) => {
      tried = progress.tried
      setWork({ is: 'searching', tried })
    })
    stop.current = asked.stop
    try {
      const won = await asked.answer
      if (won) route.toPractice(key, won.number, { stars: won.stars, line: won.line })
      else setWork({ is: 'stopped', tried })
    } catch (error) {
      console.error(error)
      setWork({ is: 'failed', tried })
    }
  }

  return (
    <section class="card practice-choice" aria-label={t('front.practise.winnable')} data-part="winnable">
      <h2 tabIndex={-1} ref={heading}>
        {t('front.practise.winnable')}
      </h2>
      <p>{t('solver.find.what')}</p>
      {game(key).face_down > 0 && <p class="hint">{t('solver.find.faceDown')}</p>}
      <Select
        label={t('solver.find.stars')}
        value={stars}
        options={[[0, t('solver.find.any')], ...STARS.map((count) => option(count, '★'.repeat(count)))]}
        onPick={setStars}
        disabled={isBusy}
      />
      <Button kind="large" icon={isBusy ? 'close' : 'hint'} onClick={isBusy ? () => stop.current() : find}>
        {t(isBusy ? 'solver.possible.stop' : 'solver.find.start')}
      </Button>
      <p class="hint" role="status">
        {statusOf(work)}
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
