import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board, bestMove } from '../../src/rules/board.js'
import { HIDDEN, names, parseCards } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { DRAW, FOUNDATION, moveOf, moveText, parseMove, WASTE } from '../../src/rules/move-notation.js'
import { deckOfSecret } from '../../src/rules/secret-deal.js'
import { described as seen } from '../helpers.js'
import { boardOf, play } from '../table/boards.js'

/** @import { Game } from '../../src/rules/games.js' */

const secretDeck = (/** @type {number} */ n) => deckOfSecret(String(n).padStart(64, '0'), [])

/** A random chooser with a fixed seed. */
function chooser(seed = 1) {
  let state = seed
  return (/** @type {any[]} */ things) => {
    state = (state * 48271) % 2147483647
    return things[state % things.length]
  }
}

const why = (/** @type {Board} */ board, /** @type {string} */ text) => board.whyNot(parseMove(text))

const FORTY = game('forty-thieves')
const COLUMNS = '2C3C4CKS 5C6C7CTH 8C9CTCJH JCQCKCAS 3H4H5H2S 6H7H8H9H 2D3D4D5D 6D7D8D9D TDJDQDKD 3S4S5S8D'.split(' ')

/** The reasons against some moves. @param {Board} board @param {string} texts */
const reasons = (board, texts) => texts.split(' ').map((text) => why(board, text))

// vectors.test.js compares legal moves and positions of all games with the server's.

test('each illegal move has its reason', () => {
  const board = boardOf('forty-thieves', COLUMNS)
  assert.deepEqual(reasons(board, '2-3 6-2 8-2 1-9'), [null, null, 'does-not-build', 'does-not-build'])
  assert.deepEqual(reasons(board, '2-2 6-2x2 2-11 W-1'), ['same-pile', 'one-card', 'no-such-piles', 'no-card'])
  assert.deepEqual(reasons(board, '5-F redeal'), ['foundation-not-ready', 'stock-not-empty'])
  for (let left = 64; left > 0; left -= 1) board.play(DRAW)
  assert.deepEqual(reasons(board, 'draw redeal'), ['stock-empty', 'no-redeal'])
})

test('any part of a sequence moves in games with sequences', () => {
  const board = boardOf('number-ten', ['2C3CTS9H', '5C6C7C8S', '8C9C2HJH', ...COLUMNS.slice(3)])
  play(board, '2-1')
  assert.deepEqual([board.longestRun(1), board.targetsOf(1), board.targetsOf(1, 3)], [3, [3, 6, 8], [3]])
  assert.deepEqual(reasons(board, '1-3x2 1-3x4'), ['does-not-build', 'no-sequence'])
})

test('an illegal move changes nothing and has a reason', () => {
  const board = boardOf('forty-thieves', COLUMNS)
  const before = seen(board)
  assert.throws(() => play(board, '8-2'), { reason: 'does-not-build' })
  assert.deepEqual(seen(board), before)
})

/** A player's board without unrevealed cards. @param {Game} row */
const playersBoard = (row) => Board.ofStart(row, Board.deal(row, secretDeck(3)).start)

test('a move before its confirmation keeps cards hidden, and they cannot move', () => {
  const board = playersBoard(game('little-forty'))
  const shown = board.copy()
  assert.deepEqual(shown.play(DRAW), [HIDDEN, HIDDEN, HIDDEN])
  assert.deepEqual([why(shown, 'W-1'), shown.outcome, board.stockCount], ['not-turned-yet', null, 64])
  board.play(DRAW, parseCards('TH4C9S'))
  assert.equal(names(board.waste), 'TH4C9S')
})

test('a seen card stays known and cannot change, and a wrong start is refused', () => {
  const board = playersBoard(FORTY)
  board.play(DRAW, parseCards('TH'))
  board.undo()
  for (const other of ['TC', 'THTC']) assert.throws(() => board.play(DRAW, parseCards(other)), RangeError)
  assert.equal(board.stockCount, 64)
  assert.deepEqual(board.play(DRAW), parseCards('TH'))
  assert.throws(() => Board.ofStart(FORTY, ['TH']), RangeError)
})

test('a double tap moves home, then to a column with cards, then to an empty one', () => {
  const board = boardOf('forty-thieves', COLUMNS)
  const best = [4, 2, 1, WASTE].map((source) => bestMove(board, source))
  assert.deepEqual(best, [moveOf(4, FOUNDATION), moveOf(2, 3), null, null])
})

test('a double tap does not move a whole column to an empty one', () => {
  const board = Board.deal(game('maria'), secretDeck(5))
  const choose = chooser(5)
  for (let i = 0; i < 4000; i += 1) {
    const best = bestMove(board, 1)
    if (best) assert.ok(board.column(1).length > 1 || best.target === FOUNDATION || board.column(best.target).length)
    const moves = [...board.legalMoves()]
    if (!moves.length) break
    board.play(choose(moves))
  }
})

for (const row of GAMES.values()) {
  test(`${row.name}: undo leads to the start, and the player sees the same`, () => {
    const choose = chooser(7)
    for (let n = 0; n < 3; n += 1) {
      const board = Board.deal(row, secretDeck(n))
      const player = Board.ofStart(row, board.start)
      const positions = [seen(board)]
      for (let i = 0; i < 150; i += 1) {
        const moves = [...board.legalMoves()]
        // A draw is nearly always legal. Without this line, games would consist of draws.
        const cards = moves.filter((move) => move !== DRAW)
        const move = choose(cards.length && i % 4 ? cards : moves)
        if (!move) break
        const revealed = board.play(move)
        player.play(parseMove(moveText(move)), revealed)
        positions.push(seen(board))
        assert.deepEqual(seen(player), positions.at(-1))
        assert.ok(player.outcome === null || player.outcome === board.outcome)
      }
      assert.equal(board.movesMade, positions.length - 1)
      for (let left = board.movesMade; left > 0; left -= 1) {
        assert.deepEqual(seen(board), positions.pop())
        board.undo()
        player.undo()
        assert.deepEqual(seen(player), seen(board))
      }
      assert.throws(() => board.undo(), RangeError)
    }
  })
}
