/** How a game is dealt, as a little picture: a bar a column, the cards that lie face down darker. */

const WIDTH = 5
const GAP = 2
const STEP = 4
const CARD = 9

/** @param {{game: import('../rules/games.js').Game}} props */
export function Layout({ game }) {
  const width = game.columns * (WIDTH + GAP) - GAP
  return (
    <svg class="layout" viewBox={`0 0 ${width} ${3 * STEP + CARD}`} aria-hidden="true">
      {Array.from({ length: game.columns }, (_, column) =>
        Array.from({ length: game.cards }, (_, row) => (
          <rect
            key={`${column}-${row}`}
            class={row < game.face_down ? 'layout-down' : 'layout-up'}
            x={column * (WIDTH + GAP) + 0.25}
            y={row * STEP + 0.25}
            width={WIDTH - 0.5}
            height={CARD - 0.5}
            rx="1"
          />
        )),
      )}
    </svg>
  )
}
