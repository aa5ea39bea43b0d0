import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { GAME, shortGame } from '../model/guide/short-game.js'
import { Table } from '../parts/board/card-table.jsx'
import './living-picture.css'

/** @import { Board } from '../rules/board.js' */

const PACE = 900 // ms
/** How many of its boards rest after the win, and which one is shown if nothing may move. */
const REST = 5
const STILL = 40

/** A small board that plays itself, while it can be seen. */
export function LivingPicture() {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const shown = useSignal(/** @type {{board: Board, animate: boolean} | null} */ (null))
  useEffect(() => {
    const boards = shortGame()
    const next = () => /** @type {{board: Board, animate: boolean}} */ (boards.next().value)
    const show = () => (shown.value = next())
    show()
    if (matchMedia('(prefers-reduced-motion)').matches) {
      for (let at = 0; at < STILL; at += 1) show()
      shown.value = { ...next(), animate: false }
      return
    }
    let isSeen = false
    let rest = 0
    const watch = new IntersectionObserver(([entry]) => (isSeen = entry?.isIntersecting ?? false))
    if (place.current) watch.observe(place.current)
    const timer = setInterval(() => {
      if (!isSeen || document.hidden) return
      rest = shown.peek()?.board.home === 104 ? rest + 1 : 0
      if (rest % REST === 0) show()
    }, PACE)
    return () => {
      clearInterval(timer)
      watch.disconnect()
    }
  }, [])
  return (
    <div class="living-board" ref={place}>
      <Table shown={shown} game={GAME} interactive={false} keys={false} undo="none" />
    </div>
  )
}
