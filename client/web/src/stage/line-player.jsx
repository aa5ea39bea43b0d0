/** Boards of a log, and a player for a sequence of possible moves on a board that replaces another one. */
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

const FAR = 12 // over more entries, cards do not fly, because no one could follow them

/**
 * A board after `n` entries of a log.
 * @param {{line: {board: (n: number) => Board}, n: number, game: string, far?: number}} props far: how many entries cards fly over
 */
export function LineBoard({ line, n, game, far = FAR }) {
  const shown = useSignal(/** @type {{board: Board, animate: boolean} | null} */ (null))
  const last = useRef(-Infinity)
  useLayoutEffect(() => {
    shown.value = { board: line.board(n), animate: Math.abs(n - last.current) <= far }
    last.current = n
  }, [line, n])
  return <Table shown={shown} game={game} interactive={false} keys={false} undo="none" />
}

/**
 * @param {{variation: Variation, game: string, title: string, back: 'toReplay' | 'toBoard', onBack: () => void}} props back: where
 *   the button leads back to
 */
export function LinePlayer({ variation, game, title, back, onBack }) {
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(true)
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null))
  const isOver = at >= variation.length

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

  const place = t('solver.line.place', { at, of: variation.length, home: variation.board(at).home })
  return (
    <div class="line-player" data-part="line" role="group" aria-label={title}>
      <header class="line-head">
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <Button kind="felt small" icon="back" onClick={onBack} text={t(`solver.line.${back}`)} />
      </header>
      <div class="line-board">
        <LineBoard line={variation} n={at} game={game} far={1} />
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
