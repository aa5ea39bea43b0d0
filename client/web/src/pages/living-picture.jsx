import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { shortGame } from '../model/guide/short-game.js'
import { Table } from '../parts/board/card-table.jsx'
import './living-picture.css'

/** @import { Board } from '../rules/board.js' */

const PACE = 900 // ms
const STILL = 40 // which of its boards is shown if nothing may move

/** A small board that plays itself, while it can be seen. @param {{game: string}} props */
export function LivingPicture({ game }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const shown = useSignal(/** @type {{board: Board, animate: boolean} | null} */ (null))
  useEffect(() => {
    const boards = shortGame(game)
    const next = () => /** @type {{board: Board, animate: boolean}} */ (boards.next().value)
    const show = () => (shown.value = next())
    show()
    if (matchMedia('(prefers-reduced-motion)').matches) {
      for (let at = 0; at < STILL; at += 1) show()
      shown.value = { ...next(), animate: false }
      return
    }
    let isSeen = false
    const watch = new IntersectionObserver(([entry]) => (isSeen = entry?.isIntersecting ?? false))
    if (place.current) watch.observe(place.current)
    const timer = setInterval(() => {
      if (isSeen && !document.hidden) show()
    }, PACE)
    return () => {
      clearInterval(timer)
      watch.disconnect()
    }
  }, [])
  return (
    <div class="living-board" ref={place}>
      <Table shown={shown} game={game} interactive={false} keys={false} undo="none" />
    </div>
  )
}
