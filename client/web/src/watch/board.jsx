import { computed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Table } from '../parts/board/card-table.jsx'
import { createReel, pauseFor } from './reel.js'

/** @import { Entry } from '../model/watch/gallery.js' */
/** @import { Board } from '../rules/board.js' */
/** @import { Reel } from './reel.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

/** @typedef {ReadonlySignal<import('../model/watch/gallery.js').Gallery | null>} Gallery */

const NOTHING = /** @type {readonly Entry[]} */ ([])

/**
 * A board that follows its log: the first position directly, then move by move.
 * @param {Gallery} gallery @param {number} seat @param {string} game
 */
function useReel(gallery, seat, game) {
  const shown = useSignal(/** @type {{board: Board, animate: boolean} | null} */ (null))
  const kept = useRef(/** @type {{race: number, reel: Reel} | null} */ (null))
  // Not the gallery, which changes with every move of another racer.
  const log = useMemo(
    () => computed(() => (gallery.value?.start ? (gallery.value.logs.get(seat) ?? NOTHING) : null)),
    [gallery, seat],
  ).value

  useEffect(() => {
    const { race = 0, start = null } = gallery.peek() ?? {}
    if (!start || !log) {
      kept.current = null
      shown.value = null
      return
    }
    const known = kept.current?.race === race && kept.current.reel.follows(log) ? kept.current.reel : null
    const reel = known ?? createReel(game, start)
    kept.current = { race, reel }
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
  }, [log, game])

  return shown
}

/** @param {{gallery: Gallery, seat: number, game: string}} props */
export function WatchedBoard({ gallery, seat, game }) {
  const shown = useReel(gallery, seat, game)
  return <Table shown={shown} game={game} interactive={false} keys={false} undo="none" />
}
