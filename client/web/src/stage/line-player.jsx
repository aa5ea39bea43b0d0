/** Plays a sequence of possible moves on a board that replaces another one. */
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Table } from '../parts/board/card-table.jsx'
import { Button, Tool } from '../parts/controls/button.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { useCapturedShortcuts } from '../parts/keyboard.js'
import { t } from '../words/translate.js'
import './stage.css'

/** @import { Variation } from '../model/hint/variation.js' */
/** @import { Board } from '../rules/board.js' */

const PACE = 700 // the time between two moves in ms: slow enough to follow, and 150 moves take less than two minutes

/**
 * @param {{variation: Variation, game: string, title: string, back: 'toReplay' | 'toBoard', onBack: () => void}} props back: where
 *   the button leads back to
 */
export function LinePlayer({ variation, game, title, back, onBack }) {
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(true)
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null))
  const shown = useSignal(/** @type {{board: Board, animate: boolean} | null} */ (null))
  const last = useRef(0)
  const board = variation.board(at)
  const isOver = at >= variation.length

  useLayoutEffect(() => {
    shown.value = { board, animate: Math.abs(at - last.current) === 1 }
    last.current = at
  }, [board])
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setAt((now) => Math.min(variation.length, now + 1)), PACE)
    return () => clearInterval(timer)
  }, [playing, variation])
  useEffect(() => {
    if (isOver) setPlaying(false)
  }, [isOver])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [variation])

  const goTo = (/** @type {number} */ to) => {
    setPlaying(false)
    setAt(Math.max(0, Math.min(variation.length, to)))
  }
  const toggle = () => {
    if (isOver) setAt(0)
    setPlaying(!playing)
  }
  const [before, next] = [() => goTo(at - 1), () => goTo(at + 1)]
  useCapturedShortcuts({
    ...{ ' ': toggle, arrowleft: before, arrowright: next, ',': before, '.': next, escape: onBack },
    ...{ home: () => goTo(0), end: () => goTo(variation.length) },
  })

  const place = t('solver.line.place', { at, of: variation.length, home: board.home })
  return (
    <div class="line-player" data-part="line" role="group" aria-label={title}>
      <header class="line-head">
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <Button kind="felt small" icon="back" onClick={onBack} text={t(`solver.line.${back}`)} />
      </header>
      <div class="line-board">
        <Table shown={shown} game={game} interactive={false} keys={false} undo="none" />
      </div>
      <div class="line-tools">
        <Tool label={t('watch.transport.moveBack')} disabled={at === 0} onClick={() => goTo(at - 1)}>
          <Icon name="stepback" />
        </Tool>
        <Tool label={t(playing ? 'watch.transport.pause' : 'watch.transport.play')} onClick={toggle}>
          <Icon name={playing ? 'pause' : 'play'} />
        </Tool>
        <Tool label={t('watch.transport.moveOn')} disabled={isOver} onClick={() => goTo(at + 1)}>
          <Icon name="stepon" />
        </Tool>
        <input
          class="line-scrub"
          type="range"
          aria-label={t('solver.line.position')}
          aria-valuetext={place}
          min="0"
          max={variation.length}
          value={at}
          onInput={(event) => goTo(event.currentTarget.valueAsNumber)}
        />
        <span class="line-place">{place}</span>
      </div>
    </div>
  )
}
