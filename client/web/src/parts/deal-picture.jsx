/** How a game is dealt, as a little picture: a bar a column, the cards that lie face down darker. */
import './deal-picture.css'

/** @import { Game } from '../rules/games.js' */

const WIDTH = 5
const GAP = 2
const STEP = 4
const CARD = 9

/** A card: a rectangle with round corners. @param {number} x @param {number} y */
const card = (x, y) => `M${x + 1.25} ${y + 0.25}h2.5q1 0 1 1v6.5q0 1-1 1h-2.5q-1 0-1-1v-6.5q0-1 1-1z`

/** @param {{game: Game}} props */
export function Layout({ game }) {
  const width = game.columns * (WIDTH + GAP) - GAP
  const columns = Array.from({ length: game.columns }, (_, column) => column * (WIDTH + GAP))
  // A path for each row, and not a rectangle for each card: nine games would be four hundred of them.
  return (
    <svg class="layout" viewBox={`0 0 ${width} ${3 * STEP + CARD}`} aria-hidden="true">
      {Array.from({ length: game.cards }, (_, row) => (
        <path
          key={row}
          class={row < game.face_down ? 'layout-down' : 'layout-up'}
          d={columns.map((x) => card(x, row * STEP)).join('')}
        />
      ))}
    </svg>
  )
}
