import { downsOf, heightsOf } from '../../rules/games.js'
import { nth } from '../../rules/nth.js'

/** @import { Game } from '../../rules/games.js' */

const WIDTH = 5
const GAP = 2
const STEP = 4
const CARD = 9

/** The layout of a game as a small picture; face-down cards are darker. @param {{game: Game}} props */
export function GamePicture({ game }) {
  const [heights, downs] = [heightsOf(game), downsOf(game)]
  const width = game.columns * (WIDTH + GAP) - GAP
  // A path for all cards of a kind in a row, because a rectangle for each card would need four hundred elements.
  const path = (/** @type {number} */ row, /** @type {boolean} */ isDown) =>
    heights
      .map((height, i) => (row < height && row < nth(downs, i) === isDown ? `M${i * (WIDTH + GAP)} ${row * STEP}h5v9h-5z` : ''))
      .join('')
  return (
    <svg
      class="layout"
      viewBox={`0 0 ${width} ${Math.max(3, ...heights.map((height) => height - 1)) * STEP + CARD}`}
      aria-hidden="true"
    >
      {Array.from({ length: Math.max(...heights) }, (_, row) =>
        [true, false].map((isDown) => (
          <path key={`${row}${isDown}`} class={isDown ? 'layout-down' : 'layout-up'} d={path(row, isDown)} />
        )),
      )}
    </svg>
  )
}
