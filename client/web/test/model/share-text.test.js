import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { homeByStock, shareText } from '../../src/model/share-text.js'
import { Board } from '../../src/rules/board.js'
import { RANKS, SUITS } from '../../src/rules/cards.js'
import { game } from '../../src/rules/games.js'
import { parseMove } from '../../src/rules/moves.js'
import { deckOfNumber } from '../../src/rules/numbered-deal.js'

/** @type {{game: string, number: number | string, moves: string[]}[]} */
const WINS = JSON.parse(readFileSync(new URL('../../../../shared/vectors/wins.json', import.meta.url), 'utf8'))
const LINK = 'https://race.example/r/KQXWVD/1'

/** @param {string} key @param {number} [moves] */
function played(key, moves = Infinity) {
  const win = WINS.find((one) => one.game === key) ?? assert.fail(key)
  const board = Board.deal(game(key), deckOfNumber(String(win.number)))
  for (const text of win.moves.slice(0, moves)) board.play(parseMove(text))
  return board
}

/** @param {object} more @returns {any} */
const own = (more) => ({ seat: 1, name: 'Ann', state: 'stuck', home: 40, moves: 90, ms: 61_000, place: 1, ...more })

for (const { game: key } of WINS) {
  test(`of ${key}, cards home only grow with the stock that was drawn, and end with all`, () => {
    const board = played(key)
    const homes = homeByStock(board)
    assert.equal(homes.length, 10)
    assert.deepEqual(
      homes,
      [...homes].sort((a, b) => a - b),
    )
    assert.equal(board.home, 104, 'the board itself is as it was')
  })
}

test('a result names the game, the place, and the time or the cards, and no card', () => {
  const text = shareText({
    game: 'lucas',
    own: own({ state: 'solved', home: 104 }),
    racers: 3,
    board: played('lucas'),
    link: LINK,
  })
  const [title, result, bars, link] = text.split('\n')
  assert.deepEqual([title, result, link], ['Forty Thieves Race: Lucas', '1st of 3, won in 1:01.0', LINK])
  assert.match(bars ?? '', /^[▁▂▃▄▅▆▇█]{10}$/u)
  for (const rank of RANKS) for (const suit of SUITS) assert.ok(!text.replace(LINK, '').includes(rank + suit))
})

test('who won and was not the first finished, and of the others the cards count', () => {
  const text = (/** @type {object} */ more) =>
    shareText({ game: 'maria', own: own(more), racers: 3, board: null, link: LINK }).split('\n')[1]
  assert.equal(text({ state: 'solved', place: 2 }), '2nd of 3, finished in 1:01.0')
  assert.equal(text({ place: 3, home: 1 }), '3rd of 3, 1 card on the foundations')
})

test('alone there is no place, and without a board no bars', () => {
  const alone = shareText({ game: 'maria', own: own({}), racers: 1, board: null, link: LINK })
  assert.equal(alone, `Forty Thieves Race: Maria\n40 cards on the foundations\n${LINK}`)
  const unmoved = shareText({
    game: 'maria',
    own: own({ place: null, home: 0 }),
    racers: 2,
    board: played('maria', 0),
    link: LINK,
  })
  assert.equal(unmoved, `Forty Thieves Race: Maria\n0 cards on the foundations\n${LINK}`)
})
