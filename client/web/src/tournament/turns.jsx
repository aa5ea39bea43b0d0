/** A long list on the wall, by turns: as much at a time as there is room for. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words/translate.js'
import { inPages } from './table-pages.js'
import './turns.css'

const PAGE_FOR = 8000 // the time of a page, ms
const MANY = 60 // of more than this, more are shown at a time, smaller: or the last ones would wait for minutes
const SOME = 8 // until the room is measured
const LARGEST = 2 // a few items grow at most to this size

/** The shown page, which changes automatically. @param {number} count */
export function useTurn(count) {
  const [page, setPage] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setPage((now) => now + 1), PAGE_FOR)
    return () => clearInterval(timer)
  }, [])
  return page % Math.max(1, count)
}

/**
 * How many rows and columns of equal items of the usual size a list has room for, by its first item.
 * @param {{current: HTMLElement | null}} place @param {boolean} hasItems @param {boolean} isMany they are smaller
 * @param {{current: number}} size of the items now
 */
function useRoom(place, hasItems, isMany, size) {
  const [room, setRoom] = useState({ rows: SOME, columns: 1 })
  useLayoutEffect(() => {
    const list = place.current
    if (!list) return
    const look = () => {
      // The first item of this page.
      const item = list.firstElementChild
      if (!(item instanceof HTMLElement) || !item.offsetHeight) return
      const style = getComputedStyle(list)
      const gap = (Number.parseFloat(style.columnGap) || 0) / size.current
      const least = Number.parseFloat(style.getPropertyValue('--least')) / size.current || list.clientWidth
      const rows = Math.max(1, Math.floor((list.clientHeight * size.current) / item.offsetHeight))
      const columns = Math.max(1, (list.clientWidth + gap) / (least + gap))
      setRoom((now) => (now.rows === rows && now.columns === columns ? now : { rows, columns }))
    }
    const watcher = new ResizeObserver(look)
    watcher.observe(list)
    look()
    return () => watcher.disconnect()
  }, [hasItems, isMany])
  return room
}

/** @param {{page: number, count: number}} props */
export const PageCount = ({ page, count }) =>
  count > 1 && (
    <span class="turns-count" data-part="page">
      {t('tournament.wall.page', { page: page + 1, count })}
    </span>
  )

/**
 * @template T
 * @param {{part: string, title: any, label?: string, items: readonly T[], item: (item: T) => any,
 *   first?: boolean}} props part: its name in the markup; label: if the title is no plain text; item: a `li`; all have the same
 *   height; first: only the first page
 */
export function Turns({ part, title, label = title, items, item, first = false }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null))
  const isMany = !first && items.length > MANY
  const size = useRef(1)
  const room = useRoom(list, items.length > 0, isMany, size)
  const { rows } = room
  const columns = Math.floor(room.columns)
  const pages = inPages(items, rows * columns)
  const page = useTurn(pages.length)
  const shown = first ? items.slice(0, rows * columns) : (pages[page] ?? [])
  // A few are spread over as much of the height as they can take, and grow.
  const used = Math.max(1, Math.min(columns, Math.ceil(shown.length / rows)))
  const deep = Math.max(1, Math.ceil(shown.length / used))
  size.current = pages.length > 1 ? 1 : Math.max(1, Math.min(LARGEST, rows / deep, room.columns / used))
  return (
    <section class="wall-part turns" aria-label={label}>
      <h2>
        {title} {!first && <PageCount page={page} count={pages.length} />}
      </h2>
      <ol
        ref={list}
        data-part={part}
        data-many={isMany || undefined}
        data-few={size.current > 1 || undefined}
        style={{ '--columns': used, '--rows': deep, '--size': size.current }}
      >
        {shown.map(item)}
      </ol>
    </section>
  )
}
