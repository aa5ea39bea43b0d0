/** Boards and states for the tests of the table. */
import { Board } from '../../src/rules/board.js'
import { parseCards } from '../../src/rules/cards.js'
import { game } from '../../src/rules/games.js'
import { parseMove } from '../../src/rules/move-notation.js'
import { arrange, createState, setBoard } from '../../src/table/state.js'

/** @import { Options } from '../../src/table/state.js' */

/**
 * A board of a deck that deals these columns, bottom first, and then this stock and the other cards.
 * @param {string} key @param {string[]} columns @param {string} [stock]
 */
export function boardOf(key, columns, stock = '') {
  const piles = columns.map(parseCards)
  const asked = [...piles[0].flatMap((_, row) => piles.map((pile) => pile[row])), ...parseCards(stock)]
  const rest = Array.from({ length: 104 }, (_, i) => 51 - (i >> 1))
  for (const card of asked) rest.splice(rest.indexOf(card), 1)
  return Board.deal(game(key), [...asked, ...rest])
}

/** @param {Board} board @param {string[]} texts */
export function play(board, ...texts) {
  for (const text of texts) board.play(parseMove(text))
  return board
}

/** @param {Board} board @param {Partial<Options>} [options] */
export function stateOf(board, options = {}) {
  const state = createState(options)
  state.size = { width: 960, height: 650 }
  setBoard(state, board)
  arrange(state)
  return state
}

/** Ten columns: the two of spades is in the first and on the last, and both aces of spades are on others. */
export const TWOS = '2S3CTS9H 5C6C7CAS 8C9C2HAS ACADAHQS 3H4H5H9D 6H7H8HKC 2D3D4DKD 6D7D8DKH TDJDQDKS 3S4S5S2S'.split(' ')

/** Number Ten without an empty column. */
export const crowded = () =>
  boardOf('number-ten', '2C3CTS9H 5C6C7C8S 8C9C2HJH ACADAHAS 3H4H5H9D 6H7H8HKC 2D3D4DKD 6D7D8DKH TDJDQDKS 3S4S5SQC'.split(' '))

/** The same with a few sequences: columns 1 to 3 end with 10S 9H 8S, JH and 9D, and 4 is about to be emptied. */
export const sequences = () => play(crowded(), '2-1', '4-F', '4-F', '4-F', '4-F')
