import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board, bestMove, Illegal } from '../../src/rules/board.js'
import { HIDDEN, names, parseCards } from '../../src/rules/cards.js'
import { GAMES, game } from '../../src/rules/games.js'
import { DRAW, FOUNDATION, moveOf, moveText, parseMove, REDEAL, WASTE } from '../../src/rules/moves.js'
import { deckOfSecret } from '../../src/rules/secret-deal.js'

/** @import { Game } from '../../src/rules/games.js' */

/** The parts of a board that a player sees, and the legal moves. */
const seen = (/** @type {Board} */ board) => ({
  columns: board.columns.map(names),
  waste: names(board.waste),
  stock: board.stockCount,
  redeals: board.redealsLeft,
  home: board.home,
  foundations: [0, 1, 2, 3].map((suit) => board.foundation(suit)),
  legal: [...board.legalMoves()].map(moveText).sort(),
})

const secretDeck = (/** @type {number} */ n) => deckOfSecret(String(n).padStart(64, '0'), [])

/** A deck that deals these columns, bottom first, and then this stock and the other cards. */
function deckOf(/** @type {Game} */ game, /** @type {string[]} */ columns, stock = '') {
  const piles = columns.map(parseCards)
  const asked = [...Array.from({ length: game.cards }, (_, row) => piles.map((pile) => pile[row])).flat(), ...parseCards(stock)]
  const rest = secretDeck(1)
  for (const card of asked) rest.splice(rest.indexOf(card), 1)
  return [...asked, ...rest]
}

/** A random chooser with a fixed seed. */
function chooser(seed = 1) {
  let state = seed
  return (/** @type {any[]} */ things) => {
    state = (state * 48271) % 2147483647
    return things[state % things.length]
  }
}

const play = (/** @type {Board} */ board, /** @type {string[]} */ ...texts) => texts.map((text) => board.play(parseMove(text)))
const why = (/** @type {Board} */ board, /** @type {string} */ text) => board.whyNot(parseMove(text))

const FORTY = game('forty-thieves')
const COLUMNS = '2C3C4CKS 5C6C7CTH 8C9CTCJH JCQCKCAS 3H4H5H2S 6H7H8H9H 2D3D4D5D 6D7D8D9D TDJDQDKD 3S4S5S8D'.split(' ')

test('a card is built on in its own suit, one lower, and one at a time', () => {
  const board = Board.deal(FORTY, deckOf(FORTY, COLUMNS))
  assert.equal(why(board, '2-3'), null)
  assert.equal(why(board, '6-2'), null)
  assert.equal(why(board, '8-2'), 'does-not-build')
  assert.equal(why(board, '1-9'), 'does-not-build')
  assert.equal(why(board, '2-2'), 'same-pile')
  assert.equal(why(board, '6-2x2'), 'one-card')
  assert.equal(why(board, '2-11'), 'no-such-piles')
  assert.equal(why(board, 'W-1'), 'no-card')
})

test('the foundations are built up from the ace, and give nothing back', () => {
  const board = Board.deal(FORTY, deckOf(FORTY, COLUMNS))
  assert.equal(why(board, '5-F'), 'foundation-not-ready')
  play(board, '4-F', '5-F')
  assert.deepEqual([board.foundation(1), board.home], [[2, 0], 2])
  assert.ok([...board.legalMoves()].every((move) => move.source !== FOUNDATION))
})

test('a second card of one kind goes to the other foundation of its suit', () => {
  const board = Board.deal(FORTY, deckOf(FORTY, COLUMNS, 'AS2S'))
  play(board, '4-F', '5-F', 'draw', 'W-F', 'draw')
  assert.deepEqual(board.foundation(1), [2, 1])
  play(board, 'W-F')
  assert.deepEqual(board.foundation(1), [2, 2])
})

test('an empty column takes any card that may be moved', () => {
  const board = Board.deal(FORTY, deckOf(FORTY, ['ACADAHAS', ...COLUMNS.slice(1, 3), 'JCQCKC2H', ...COLUMNS.slice(4)], 'KS'))
  play(board, '1-F', '1-F', '1-F', '1-F', 'draw')
  assert.deepEqual(board.column(1), [])
  for (const text of ['2-1', '10-1', 'W-1']) assert.equal(why(board, text), null)
})

test('drawing is refused from an empty stock, and there is no redeal where the game has none', () => {
  const board = Board.deal(FORTY, secretDeck(1))
  assert.equal(why(board, 'redeal'), 'stock-not-empty')
  for (let left = 64; left > 0; left -= 1) board.play(DRAW)
  assert.equal(why(board, 'draw'), 'stock-empty')
  assert.equal(why(board, 'redeal'), 'no-redeal')
})

test('three cards are drawn one after another, and the last draw takes what is left', () => {
  const little = game('little-forty')
  const board = Board.deal(little, secretDeck(2))
  const first = board.play(DRAW)
  assert.deepEqual(board.waste, first)
  for (let i = 0; i < 20; i += 1) board.play(DRAW)
  assert.equal(board.stockCount, 1)
  assert.equal(board.play(DRAW).length, 1)
  board.play(REDEAL)
  assert.deepEqual([board.stockCount, board.waste, board.redealsLeft], [64, [], 2])
  assert.deepEqual(board.play(DRAW), first)
})

test('a face-down card is turned up as soon as it is the last', () => {
  const indian = game('indian')
  const board = Board.deal(
    indian,
    deckOf(indian, ['5C9HAS', '6C7CAH', '8C9CTC', 'JCQCKC', '3H4H5H', '6H7H8H', '2D3D4D', '6D7D8D', 'TDJDQD', '3S4SJH']),
  )
  assert.equal(names(board.columns[0]), '##9HAS')
  assert.deepEqual(play(board, '1-F', '1-3'), [[], parseCards('5C')])
  assert.equal(board.lastRevealed, true)
  board.undo()
  assert.equal(names(board.columns[0]), '##9H')
  assert.equal(board.lastRevealed, false)
})

test('any part of a sequence moves, where sequences move', () => {
  const ten = game('number-ten')
  const board = Board.deal(ten, deckOf(ten, ['2C3CTS9H', '5C6C7C8S', '8C9C2HJH', ...COLUMNS.slice(3)]))
  play(board, '2-1')
  assert.equal(board.longestRun(1), 3)
  assert.deepEqual(board.targetsOf(1), [3, 6, 8])
  assert.deepEqual(board.targetsOf(1, 3), [3])
  assert.equal(why(board, '1-3x2'), 'does-not-build')
  assert.equal(why(board, '1-3x4'), 'no-sequence')
  assert.deepEqual(play(board, '1-3x3'), [parseCards('3C')])
  assert.equal(names(board.columns[2]), '####2HJHTS9H8S')
  assert.equal(board.longestRun(3), 4)
})

test('a refused move changes nothing and says why', () => {
  const board = Board.deal(FORTY, deckOf(FORTY, COLUMNS))
  const before = seen(board)
  assert.throws(
    () => play(board, '8-2'),
    (error) => error instanceof Illegal && error.reason === 'does-not-build',
  )
  assert.deepEqual(seen(board), before)
})

test('a move shown before it is confirmed keeps its cards hidden, and they play no part until they are known', () => {
  const little = game('little-forty')
  const board = Board.ofStart(little, Board.deal(little, secretDeck(3)).columns.map(names))
  const shown = board.copy()
  assert.deepEqual(shown.play(DRAW), [HIDDEN, HIDDEN, HIDDEN])
  assert.equal(why(shown, 'W-1'), 'not-turned-yet')
  assert.equal(shown.outcome, null)
  assert.equal(board.stockCount, 64)
  board.play(DRAW, parseCards('TH4C9S'))
  assert.equal(names(board.waste), 'TH4C9S')
})

test('what was seen stays known after it is taken back, and must stay the same', () => {
  const board = Board.ofStart(FORTY, Board.deal(FORTY, secretDeck(3)).columns.map(names))
  board.play(DRAW, parseCards('TH'))
  board.undo()
  assert.throws(() => board.play(DRAW, parseCards('TC')), RangeError)
  assert.throws(() => board.play(DRAW, parseCards('THTC')), RangeError)
  assert.equal(board.stockCount, 64)
  assert.deepEqual(board.play(DRAW), parseCards('TH'))
})

test('a start that is not one of the game is refused', () => {
  assert.throws(() => Board.ofStart(FORTY, ['TH']), RangeError)
})

test('a deck in order is won, and then there is nothing left to do', () => {
  const deck = Array.from({ length: 104 }, (_, i) => [0, 13, 26, 39].map((suit) => suit + 12 - (i >> 3))[i % 4])
  const board = Board.deal(FORTY, deck)
  const home = () => [...board.legalMoves()].find((move) => move.target === FOUNDATION)
  for (let left = 64; left > 0; left -= 1) board.play(DRAW)
  for (let move = home(); move; move = home()) board.play(move)
  assert.deepEqual([board.home, board.outcome, [...board.legalMoves()]], [104, 'won', []])
})

test('double tap goes home first, then onto a column, then to an empty one', () => {
  const board = Board.deal(FORTY, deckOf(FORTY, COLUMNS))
  assert.deepEqual(bestMove(board, 4), moveOf(4, FOUNDATION))
  assert.deepEqual(bestMove(board, 2), moveOf(2, 3))
  assert.equal(bestMove(board, 1), null)
  assert.equal(bestMove(board, WASTE), null)
})

test('double tap does not carry a whole column to an empty one', () => {
  const maria = game('maria')
  const board = Board.deal(maria, secretDeck(5))
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
  test(`${row.name}: random games lead back to their start, and a player sees the same as the dealer`, () => {
    const choose = chooser(7)
    for (let n = 0; n < 3; n += 1) {
      const board = Board.deal(row, secretDeck(n))
      const player = Board.ofStart(row, board.columns.map(names))
      const positions = [seen(board)]
      for (let i = 0; i < 150; i += 1) {
        const moves = [...board.legalMoves()]
        // A draw is nearly always legal. Without this line, games would consist of draws.
        const cards = moves.filter((move) => move !== DRAW)
        const move = choose(cards.length && i % 4 ? cards : moves)
        if (!move) break
        const turned = board.play(move)
        player.play(parseMove(moveText(move)), turned)
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
