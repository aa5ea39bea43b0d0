import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Table } from '../parts/board/card-table.jsx'

/** @import { Line } from '../model/replay/racer-line.js' */
/** @import { Board } from '../rules/board.js' */

const FAR = 12 // over more entries, cards do not fly, because no one could follow them

/** A board of a replay. @param {{line: Line, n: number, game: string}} props */
export function ReplayBoard({ line, n, game }) {
  const shown = useSignal(/** @type {{board: Board, animate: boolean} | null} */ (null))
  const last = useRef(-Infinity)
  useLayoutEffect(() => {
    shown.value = { board: line.board(n), animate: Math.abs(n - last.current) <= FAR }
    last.current = n
  }, [line, n])
  return <Table shown={shown} game={game} interactive={false} keys={false} undo="none" />
}
