/**
 * A lesson of a minute for somebody who has never played: a board on which each thing that can be done can be done, one after
 * the other, and what is said of it.
 */

import { Board } from '../rules/board.js'
import { rankOf } from '../rules/cards.js'
import { stockOf } from '../rules/games.js'
import { DRAW, FOUNDATION, moveOf, WASTE } from '../rules/moves.js'
import { counted } from './format.js'

/**
 * @typedef {import('../rules/games.js').Game} Game
 * @typedef {import('../rules/moves.js').Move} Move
 * @typedef {import('../rules/cards.js').Card} Card
 *
 * @typedef {object} Step
 * @property {string} title
 * @property {string} text
 * @property {(board: Board) => Move | null} move what is to be done next; null: the step is done
 * @property {(board: Board, move: Move) => boolean} [takes] whether another move is as good
 */

/** Clubs, spades, hearts, diamonds, as in cards.js. */
const [, SPADES, HEARTS, DIAMONDS] = [0, 1, 2, 3]
/** The columns of the lesson: what goes home at once, a card and where it fits, the column that becomes empty, and a jack. */
const READY = 1
const NINE = 2
const TEN = 3
const EMPTIED = 4
const JACK = 5

/** @param {number} rank @param {number} suit @returns {Card} */
const card = (rank, suit) => suit * 13 + rank - 1

/** The black cards of the run of the lesson: hearts, too, where the same suit is built. @param {Game} game */
const blackOf = (game) => (game.build === 'same-suit' ? HEARTS : SPADES)

/** The rank that opens a foundation, or lies on its ace already. @param {Game} game */
const firstOf = (game) => (game.aces_out ? 2 : 1)

/**
 * The board of the lesson: a deck of the game in an order of our own.
 *
 * @param {Game} game
 */
export function lessonBoard(game) {
  const { columns, cards: rows } = game
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

  const rest = Array.from({ length: 104 }, (_, i) => (i * 37) % 52) // any order that looks like one
  for (const one of fixed.values()) rest.splice(rest.indexOf(one), 1)
  const aces = game.aces_out ? rest.filter((one) => rankOf(one) === 1) : []
  const others = rest.filter((one) => !aces.includes(one))
  const order = Array.from({ length: 104 - aces.length }, (_, i) => fixed.get(i) ?? /** @type {Card} */ (others.pop()))
  return Board.deal(game, [...order, ...aces])
}

/** What may be built in this game. @param {Game} game */
const BUILDS = {
  'same-suit': 'one rank down and of the same suit',
  'different-suit': 'one rank down and of any other suit',
  'alternating-colour': 'one rank down and of the other colour',
}

/**
 * The steps of the lesson, in order. A step without a move is only read.
 *
 * @param {Game} game
 * @returns {Step[]}
 */
export function lessonSteps(game) {
  const first = game.aces_out ? '2' : 'ace'
  const started = game.aces_out
    ? 'The aces lie there already: go on from 2 to king'
    : 'Start with an ace and go on from 2 to king'
  const many = game.unit === 'sequence'
  const read = () => null
  /** @param {number} column @param {Board} board */
  const top = (column, board) => board.columns[column - 1]?.at(-1)
  const black = blackOf(game)
  return [
    {
      title: 'The goal',
      text: `Bring all 104 cards to the eight foundations. ${started}, each in one suit. There are two foundations for each suit.`,
      move: read,
    },
    {
      title: 'Foundations',
      text: `The ${first} of spades can go to its foundation now. Tap it twice, or drag it there.`,
      move: (board) => (top(READY, board) === card(firstOf(game), SPADES) ? moveOf(READY, FOUNDATION) : null),
    },
    {
      title: 'Columns',
      text: `The last card of a column can also go on another column, if it is ${BUILDS[game.build]}. Put the 9 on the 10: tap the 9, then the 10.`,
      move: (board) => (top(TEN, board) === card(10, black) ? moveOf(NINE, TEN) : null),
    },
    {
      title: 'Stock and waste',
      text:
        `The face-down pile is the stock, with ${counted(stockOf(game), 'card')}. ` +
        `Tap it to draw ${game.draw === 1 ? 'a card' : 'three cards'} onto the waste beside it.`,
      move: (board) => (board.waste.length ? null : DRAW),
    },
    {
      title: 'Play from the waste',
      text: `The top card of the waste can be played. Put the 8 on the 9.`,
      move: (board) => (top(TEN, board) === card(9, HEARTS) ? moveOf(WASTE, TEN) : null),
    },
    many
      ? {
          title: 'Sequences',
          text: 'Cards that are built on each other move together in this game. Drag the 10, with all that lies on it, to the jack.',
          move: (board) => (top(JACK, board) === card(11, HEARTS) ? moveOf(TEN, JACK, 3) : null),
        }
      : {
          title: 'One at a time',
          text: 'Only one card moves at a time in this game. To move the 10 now, you would first move the 8 and the 9.',
          move: read,
        },
    {
      title: 'Empty a column',
      text:
        `Send all diamonds of column ${EMPTIED} to their foundation, one after the other.` +
        `${game.face_down ? ' A face-down card turns up when nothing lies on it any more.' : ''}`,
      move: (board) => (board.column(EMPTIED).length ? moveOf(EMPTIED, FOUNDATION) : null),
    },
    {
      title: 'Use an empty column',
      text: 'An empty column takes any card. It is the best help you can get. Move a card there.',
      move: (board) => (board.column(EMPTIED).length ? null : moveOf(NINE, EMPTIED)),
      takes: (_, { target }) => target === EMPTIED,
    },
    {
      title: 'Think before you draw',
      text: game.redeals
        ? `When the stock is empty, you can turn the waste over and go through it again, ${counted(game.redeals, 'time')}.`
        : 'You go through the stock once. What you leave in the waste gets buried, so look at the columns before you draw.',
      move: read,
    },
    {
      title: 'The race',
      text: 'In a race everybody has the same cards. The first to bring all cards home wins. If nobody does, the most cards home win.',
      move: read,
    },
  ]
}
