/** A one-minute lesson for new players: a board with each kind of move in turn, and the text of each step. */
import { Board } from '../../rules/board.js'
import { rankOf, SUITS } from '../../rules/cards.js'
import { hasFaceDown } from '../../rules/games.js'
import { DRAW, FOUNDATION, moveOf, WASTE } from '../../rules/move-notation.js'
import { t } from '../../words/translate.js'

/**
 * @import { Card } from '../../rules/cards.js'
 * @import { Game } from '../../rules/games.js'
 * @import { Move } from '../../rules/move-notation.js'
 * @typedef {object} Step
 * @property {string} title @property {string} text at most 25 words
 * @property {readonly string[]} marks the piles that it speaks of
 * @property {(board: Board) => Move | null} move the next move; null: the step is done
 * @property {(board: Board, move: Move) => boolean} [takes] whether another move is also accepted
 */

/** Clubs, spades, hearts, diamonds, as in cards.js. */
const [, SPADES, HEARTS, DIAMONDS] = [0, 1, 2, 3]
/** The columns of the lesson: a card ready to go home, a nine, a ten to take it, a column to empty, and a jack. */
const [READY, NINE, TEN, EMPTIED, JACK] = [1, 2, 3, 4, 5]

/** @param {number} rank @param {number} suit @returns {Card} */
const card = (rank, suit) => suit * 13 + rank - 1

/** The suit of the lesson's black cards: hearts instead if the game builds, or moves, by suit. @param {Game} game */
const blackOf = (game) => (game.build === 'same-suit' || game.unit === 'in-suit' ? HEARTS : SPADES)

/** The first rank to play to a foundation: 2 if the aces are there already. @param {Game} game */
const firstOf = (game) => (game.bases_out ? 2 : 1)

/** The board of the lesson: a deck of the game in a fixed order. @param {Game} game */
export function lessonBoard(game) {
  const { columns } = game
  const rows = Number(game.cards)
  const first = firstOf(game)
  const dealt = columns * rows
  /** @type {Map<number, Card>} by place in the deal */
  const fixed = new Map()
  const put = (/** @type {number} */ column, /** @type {number} */ row, /** @type {Card} */ one) =>
    fixed.set(row * columns + column - 1, one)
  put(READY, rows - 1, card(first, SPADES))
  put(NINE, rows - 1, card(9, HEARTS))
  put(TEN, rows - 1, card(10, blackOf(game)))
  put(JACK, rows - 1, card(11, HEARTS))
  for (let row = 0; row < rows; row += 1) put(EMPTIED, row, card(first + rows - 1 - row, DIAMONDS))
  fixed.set(dealt + game.draw - 1, card(8, blackOf(game)))

  const rest = Array.from({ length: 104 }, (_, i) => (i * 37) % 52) // any order that looks shuffled
  for (const one of fixed.values()) rest.splice(rest.indexOf(one), 1)
  const aces = game.bases_out ? rest.filter((one) => rankOf(one) === 1) : []
  const others = rest.filter((one) => !aces.includes(one))
  const order = Array.from({ length: 104 - aces.length }, (_, i) => fixed.get(i) ?? /** @type {Card} */ (others.pop()))
  return Board.deal(game, [...order, ...aces])
}

/** The steps in the current language. One without a move is only for reading. @param {Game} game @returns {Step[]} */
export function lessonSteps(game) {
  const { bases_out: aces, draw, redeals } = game
  const sequences = game.unit !== 'card'
  /** @param {number} column @param {Board} board */
  const top = (column, board) => board.columns[column - 1]?.at(-1)
  const black = blackOf(game)
  /** @param {string} title @param {string} text @param {string[]} marks @param {Step['move']} move @param {Step['takes']} [takes] @returns {Step} */
  const step = (title, text, marks, move = () => null, takes = undefined) => ({
    title,
    text,
    marks,
    move,
    ...(takes && { takes }),
  })
  const [build] = game.build.split('-')
  const foundations = [...SUITS].map((suit) => `foundation-${suit}`)
  return [
    step(t('more.guide.goal'), t('more.coach.goalText', { aces }), foundations),
    step(t('more.guide.foundations'), t('more.coach.foundationsText', { aces }), [], (board) =>
      top(READY, board) === card(firstOf(game), SPADES) ? moveOf(READY, FOUNDATION) : null,
    ),
    step(t('more.guide.tableau'), t('more.coach.nineOnTen', { build }), [], (board) =>
      top(TEN, board) === card(10, black) ? moveOf(NINE, TEN) : null,
    ),
    step(t('more.guide.stock'), t('more.coach.stockText', { draw, redeals }), [], (board) => (board.waste.length ? null : DRAW)),
    step(t('more.coach.waste'), t('more.coach.eightOnNine'), [], (board) =>
      top(TEN, board) === card(9, HEARTS) ? moveOf(WASTE, TEN) : null,
    ),
    sequences
      ? step(t('more.guide.sequences'), t('more.coach.tenOnJack'), [], (board) =>
          top(JACK, board) === card(11, HEARTS) ? moveOf(TEN, JACK, 3) : null,
        )
      : step(t('more.guide.oneAtATime'), t('more.coach.tenLater'), [`column-${TEN}`]),
    step(t('more.coach.empty'), t('more.coach.emptyText', { column: EMPTIED, down: hasFaceDown(game) }), [], (board) =>
      board.column(EMPTIED).length ? moveOf(EMPTIED, FOUNDATION) : null,
    ),
    step(
      t('more.coach.useEmpty'),
      t('more.coach.useEmptyText', { sequences }),
      [],
      (board) => (board.column(EMPTIED).length ? null : moveOf(NINE, EMPTIED)),
      (_, { target }) => target === EMPTIED,
    ),
    step(t('more.coach.think'), t('more.coach.thinkText'), ['stock', 'waste']),
    step(t('watch.race'), t('more.coach.raceText'), foundations),
  ]
}
