import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { closest, homeByStock, marginText, roomScore, shareText } from '../../../src/model/race/result-texts.js'
import { Board } from '../../../src/rules/board.js'
import { RANKS, SUITS } from '../../../src/rules/cards.js'
import { game } from '../../../src/rules/games.js'
import { parseMove } from '../../../src/rules/moves.js'
import { deckOfNumber } from '../../../src/rules/numbered-deal.js'

/** @param {object} first @param {object} [second] */
const margin = (first, second) =>
  marginText(/** @type {any} */ ([{ place: 1, ...first }, ...(second ? [{ place: 2, ...second }] : [])]))

test('a win is ahead by time, by cards, or by who was there first', () => {
  const solved = { state: 'solved', home: 104 }
  assert.equal(margin({ ...solved, ms: 61_000 }, { ...solved, ms: 73_400 }), 'The winner was 0:12.4 ahead.')
  assert.equal(
    margin({ ...solved, ms: 61_000 }, { state: 'timed_out', home: 83 }),
    'When the winner finished, second place was 21 cards behind.',
  )
  assert.equal(margin({ state: 'stuck', home: 40 }, { state: 'gave_up', home: 39 }), 'First place is 1 card ahead.')
  assert.match(
    margin({ state: 'stuck', home: 40 }, { state: 'gave_up', home: 40 }),
    /40 cards on the foundations.*got there first/,
  )
})

test('nothing is said of a race of one, of equal places, and of those who did not start', () => {
  assert.equal(margin({ state: 'solved', home: 104, ms: 1 }), '')
  assert.equal(margin({ state: 'stuck', home: 40 }, { place: 1, state: 'stuck', home: 40 }), '')
  assert.equal(margin({ state: 'stuck', home: 40 }, { place: null, state: 'did_not_start', home: 8 }), '')
})

/** @param {[state: string, home: number, ms?: number][]} results in the order of the places */
const closestOf = (...results) =>
  closest(/** @type {any} */ (results.map(([state, home, ms], i) => ({ name: `P${i + 1}`, place: i + 1, state, home, ms }))))

test('what was closest is told of two who were not the first two', () => {
  assert.equal(closestOf(['stuck', 50], ['stuck', 49]), null, 'the margin says it')
  assert.equal(closestOf(['stuck', 50], ['stuck', 49], ['stuck', 47]), null, 'the first two were closer')
  assert.deepEqual(closestOf(['stuck', 50], ['stuck', 40], ['stuck', 39]), { ahead: 'P2', behind: 'P3', gap: 1, won: false })
  assert.deepEqual(closestOf(['stuck', 50], ['stuck', 40], ['stuck', 40]), { ahead: 'P2', behind: 'P3', gap: 0, won: false })
  assert.equal(closestOf(['stuck', 50], ['stuck', 40], ['stuck', 30]), null, 'nobody was close')
  assert.deepEqual(closestOf(['solved', 104, 60_000], ['solved', 104, 80_000], ['solved', 104, 81_200], ['stuck', 9]), {
    ahead: 'P2',
    behind: 'P3',
    gap: 1.2,
    won: true,
  })
})

/** @param {Record<number, (number | null)[]>} places by seat, of each race; the last one is this one @returns {any} */
function room(places) {
  const races = Object.values(places)[0]?.length ?? 0
  const rows = (/** @type {number} */ n) =>
    Object.entries(places).map(([seat, all]) => [Number(seat), `P${seat}`, all[n], 'stuck', 0, 0, 0])
  return {
    past: Object.fromEntries(Array.from({ length: races - 1 }, (_, n) => [n + 1, { game: 'lucas', places: rows(n) }])),
    race: {
      racers: Object.fromEntries(Object.entries(places).map(([seat, all]) => [seat, { name: `P${seat}`, place: all.at(-1) }])),
    },
  }
}

test('the score of a room counts the first places of those who raced now', () => {
  assert.deepEqual(roomScore(room({ 1: [1, 2, 1], 2: [2, 1, 2] })), [
    { seat: 1, name: 'P1', wins: 2 },
    { seat: 2, name: 'P2', wins: 1 },
  ])
  const gone = room({ 1: [2, 2], 2: [2, 1], 3: [1, 3] })
  delete gone.race.racers[3]
  assert.deepEqual(roomScore(gone), [], 'one win among those who are left says nothing')
})

test('after the first race, and for one racer, there is no score', () => {
  assert.deepEqual(roomScore(room({ 1: [1], 2: [2] })), [])
  assert.deepEqual(roomScore(room({ 1: [1, 1] })), [])
})

/** @type {{game: string, number: number | string, moves: string[]}[]} */
const WINS = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/wins.json', import.meta.url), 'utf8'))
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
