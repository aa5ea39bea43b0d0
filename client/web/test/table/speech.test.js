import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../src/rules/board.js'
import { game } from '../../src/rules/games.js'
import { DRAW, parseMove } from '../../src/rules/move-notation.js'
import { hinted, homesInFull, lastMove, pileInFull, pileLabel, reasonText } from '../../src/table/speech.js'
import { pilesOf, unseen } from '../../src/table/state.js'
import { boardOf, play, sequences } from './boards.js'

const label = (/** @type {Board} */ board, /** @type {string} */ id) => {
  const pile = pilesOf(board.game).find((one) => one.id === id) ?? assert.fail(id)
  return pileLabel(board, pile)
}

test('each pile has a label with its cards', () => {
  const board = sequences()
  assert.equal(label(board, 'column-1'), 'Column 1: 5 cards, top 8 of spades, 2 face down')
  assert.equal(label(board, 'column-4'), 'Column 4: empty')
  assert.equal(label(board, 'waste'), 'Waste: empty')
  assert.equal(label(board, 'stock'), 'Stock: 64 cards')
  assert.equal(label(board, 'foundation-S'), 'Foundation of spades: ace of spades')
  assert.equal(label(unseen(game('little-forty')), 'stock'), 'Stock: 64 cards, 3 redeals left')
})

test('a pile is read from the bottom, and all foundations in turn', () => {
  const board = sequences()
  const read = (/** @type {string} */ id) =>
    pileInFull(board, pilesOf(board.game).find((one) => one.id === id) ?? assert.fail(id))
  assert.match(read('column-1'), /^Column 1, from the bottom: 2 face down, \w+ of \w+, \w+ of \w+, 8 of spades$/)
  assert.equal(read('column-4'), 'Column 4: empty')
  assert.equal(read('waste'), 'Waste: empty')
  assert.equal(read('stock'), 'Stock: 64 cards')
  const homes = homesInFull(board)
  assert.match(
    homes,
    /^Foundation of clubs: .*, Foundation of spades: ace of spades, Foundation of hearts: .*, Foundation of diamonds: .*$/,
  )
})

test('the text of a move has the revealed cards, when they are known', () => {
  const board = sequences()
  assert.equal(lastMove(play(board, '1-3x3')), 'Moved 3 cards to column 3, starting with 10 of spades. Revealed 3 of clubs.')
  assert.match(lastMove(play(board, 'draw')) ?? '', /^Drew \w+ of \w+\.$/)
  const unknown = Board.ofStart(game('maria'), Array(9).fill('2C3C4C5C'))
  assert.equal(lastMove(unknown), '')
  unknown.play(DRAW)
  assert.equal(lastMove(unknown), null)
})

test('the text of a move has the column that is filled again, from the waste or the stock', () => {
  const board = boardOf('congress', '2S 3S 5H 9D JC KD 6C 4C'.split(' '), '9HTH')
  const moved = 'Moved 2 of spades to column 2. Column 1: 1 card, top 9 of hearts'
  assert.equal(lastMove(play(board.copy(), '1-2')), moved)
  assert.equal(lastMove(play(board, 'draw', '1-2')), moved)
})

test('refusals and hints have texts', () => {
  assert.equal(reasonText('does-not-build', game('lucas')), 'Columns build down in the same suit')
  assert.equal(reasonText('does-not-build', undefined), 'This card doesn’t go there')
  assert.equal(reasonText('no-move', game('lucas')), 'No legal move')
  const board = sequences()
  assert.equal(hinted(board, DRAW), 'Draw from the stock.')
  assert.equal(hinted(board, parseMove('1-3x3')), 'Move 3 cards to column 3, starting with 10 of spades.')
})
