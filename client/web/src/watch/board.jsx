import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Table } from '../parts/card-table.jsx'
import { createReel, pauseFor } from './reel.js'

/** @typedef {import('../model/gallery.js').Gallery} Gallery */

/** @type {readonly import('../model/gallery.js').Entry[]} */
const NOTHING = []

/**
 * A board that follows its log: at once for who comes in the middle, then move by move.
 *
 * @param {Gallery | null} gallery @param {number} seat @param {string} game
 */
function useReel(gallery, seat, game) {
  const shown = useSignal(/** @type {{board: import('../rules/board.js').Board, animate: boolean} | null} */ (null))
  const kept = useRef(/** @type {{race: number, reel: import('./reel.js').Reel} | null} */ (null))
  const start = gallery?.start ?? null
  const log = start && gallery ? (gallery.logs.get(seat) ?? NOTHING) : null

  useEffect(() => {
    if (!gallery || !start || !log) {
      kept.current = null
      shown.value = null
      return
    }
    const known = kept.current?.race === gallery.race && kept.current.reel.follows(log) ? kept.current.reel : null
    const reel = known ?? createReel(game, start)
    kept.current = { race: gallery.race, reel }
    if (!known || document.hidden) {
      reel.catchUp(log)
      shown.value = { board: reel.board, animate: false }
      return
    }
    /** @type {ReturnType<typeof setTimeout>} */
    let timer
    const follow = () => {
      if (reel.n === log.length) return
      reel.step(log)
      shown.value = { board: reel.board, animate: true }
      timer = setTimeout(follow, pauseFor(log.length - reel.n))
    }
    follow()
    return () => clearTimeout(timer)
  }, [log, gallery?.race, game])

  return shown
}

/** @param {{gallery: Gallery | null, seat: number, game: string}} props */
export function WatchedBoard({ gallery, seat, game }) {
  const shown = useReel(gallery, seat, game)
  return <Table shown={shown} game={game} interactive={false} keys={false} undo="none" />
}
