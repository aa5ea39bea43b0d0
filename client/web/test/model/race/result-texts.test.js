import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  closest,
  homeByStock,
  isEmpty,
  marginText,
  matchRows,
  matchText,
  roomScore,
  shareText,
} from '../../../src/model/race/result-texts.js'
import { RANKS, SUITS } from '../../../src/rules/cards.js'
import { dealt, joined, rises, WINS } from '../../helpers.js'

/** @param {object} first @param {object} [second] @param {number} [behind] */
const margin = (first, second, behind) =>
  marginText(
    /** @type {any} */ ([{ place: 1, name: 'Ann', ...first }, ...(second ? [{ place: 2, ...second }] : [])]),
    behind === undefined ? null : { behind, gaps: {} },
  )

test('the margin of a win is in time, in cards, or in the time of the last card', () => {
  const solved = { state: 'solved', home: 104, ms: 61_000 }
  const stuck = { state: 'stuck', home: 40 }
  assert.equal(margin(solved, { ...solved, ms: 73_400 }), 'The winner was 0:12.4 ahead.')
  const later = { state: 'timed_out', home: 103 }
  assert.equal(margin(solved, later, 21), 'When Ann won, the next was 21 cards behind.')
  assert.equal(margin(solved, later), '', 'the final cards say nothing about the win')
  assert.equal(margin(stuck, { state: 'gave_up', home: 39 }), 'Ann won by 1 card.')
  assert.match(margin(stuck, { state: 'gave_up', home: 40 }), /40 cards on the foundations.*got there first/)
  assert.equal(margin(solved), '', 'one racer')
  assert.equal(margin(stuck, { place: 1, ...stuck }), '', 'equal places')
  assert.equal(margin(stuck, { place: null, state: 'did_not_start', home: 8 }), '')
})

test('the margin of a player who was beaten is the own one', () => {
  const story = { behind: 5, gaps: { 2: 5, 3: 28 } }
  /** @param {number} seat @param {...object} results */
  const own = (seat, ...results) =>
    marginText(
      /** @type {any} */ (results.map((one, i) => ({ place: i + 1, seat: i + 1, name: `P${i + 1}`, ...one }))),
      story,
      seat,
    )
  const [solved, stuck] = [
    { state: 'solved', home: 104, ms: 61_000 },
    { state: 'stuck', home: 40 },
  ]
  assert.equal(own(3, solved, stuck, stuck), 'When P1 won, you were 28 cards behind.')
  assert.equal(own(1, solved, stuck, stuck), 'When P1 won, the next was 5 cards behind.')
  assert.equal(own(3, solved, solved, { ...solved, ms: 73_400 }), 'The winner was 0:12.4 ahead of you.')
  assert.equal(own(3, stuck, { ...stuck, home: 39 }, { ...stuck, home: 30 }), 'You were 10 cards behind P1.')
  assert.equal(own(3, stuck, { ...stuck, home: 39 }, { ...stuck, place: null }), 'P1 won by 1 card.', 'no place')
})

test('a race in which nobody brought a card home has nothing to celebrate', () => {
  const empty = (/** @type {string} */ game, /** @type {number[]} */ ...homes) =>
    isEmpty(/** @type {any} */ (homes.map((home) => ({ home }))), game)
  assert.deepEqual(
    [empty('lucas', 8, 8), empty('lucas', 8, 9), empty('maria', 0, 0), empty('maria', 1)],
    [true, false, true, false],
  )
})

/** @param {[state: string, home: number, ms?: number][]} results in the order of the places */
function closestOf(...results) {
  const lanes = results.map(([state, home, ms], i) => ({ name: `P${i + 1}`, place: i + 1, state, home, ms }))
  const found = closest(/** @type {any} */ (lanes))
  return found && joined([found.ahead, found.behind, found.gap, found.won])
}

test('the closest neighbours are reported, apart from the first two', () => {
  const stuck = (/** @type {number[]} */ ...home) =>
    closestOf(...home.map((cards) => /** @type {[string, number]} */ (['stuck', cards])))
  assert.equal(stuck(50, 49), null, 'the margin says it')
  assert.equal(stuck(50, 49, 47), null, 'the first two were closer')
  assert.equal(stuck(50, 40, 39), 'P2 P3 1 false')
  assert.equal(stuck(50, 40, 40), 'P2 P3 0 false')
  assert.equal(stuck(50, 40, 30), null, 'none were close')
  const won = [60_000, 80_000, 81_200].map((ms) => /** @type {[string, number, number]} */ (['solved', 104, ms]))
  assert.equal(closestOf(...won, ['stuck', 9]), 'P2 P3 1.2 true')
})

/** @param {Record<number, (number | null)[]>} places by seat, of each race; the last one is this one @param {number} [home] cards of all, in all races
 * @returns {any} */
function room(places, home = 9) {
  const races = Object.values(places)[0]?.length ?? 0
  const rows = (/** @type {number} */ n) =>
    Object.entries(places).map(([seat, all]) => [Number(seat), `P${seat}`, all[n], 'stuck', home, 0, 0])
  return {
    settings: { game: 'lucas' },
    past: Object.fromEntries(Array.from({ length: races - 1 }, (_, n) => [n + 1, { game: 'lucas', places: rows(n) }])),
    race: {
      racers: Object.fromEntries(
        Object.entries(places).map(([seat, all]) => [seat, { name: `P${seat}`, home, place: all.at(-1) }]),
      ),
    },
  }
}

test('the score of a room counts the wins of those who raced last, from the first race on', () => {
  const score = (/** @type {any} */ view) => joined(roomScore(view).map(({ name, wins }) => `${name}:${wins}`))
  assert.equal(score(room({ 1: [1, 2, 1], 2: [2, 1, 2] })), 'P1:2 P2:1')
  const gone = room({ 1: [2, 2], 2: [2, 1], 3: [1, 3] })
  delete gone.race.racers[3]
  assert.equal(score(gone), 'P2:1 P1:0')
  assert.equal(score(room({ 1: [1], 2: [2] })), 'P1:1 P2:0')
  assert.equal(score(room({ 1: [1, 1] })), '')
  assert.equal(score(room({ 1: [1, 1], 2: [1, 2] }, 8)), '', 'nobody brought a card home')
})

test('a match has its own score, also of those who left, and its end has a podium', () => {
  const [ann, bob] = [{ name: 'Ann' }, { name: 'Bob' }]
  const view = (/** @type {object} */ match, racers = { 1: ann, 2: bob }) =>
    /** @type {any} */ ({ people: racers, race: { over_at: 1, racers }, match: { first_to: 3, winner: null, ...match } })
  const going = view({ wins: { 2: ['Bob', 1] } })
  assert.deepEqual(
    roomScore(going).map(({ seat, wins }) => [seat, wins]),
    [
      [2, 1],
      [1, 0],
    ],
  )
  assert.equal(matchText(going, roomScore(going), 1), '')
  assert.equal(roomScore(view({ wins: { 3: ['Cem', 1] } })).length, 3, 'Cem has left')
  const lobby = view({ wins: {} })
  lobby.race = { over_at: null, racers: {} }
  assert.equal(roomScore(lobby).length, 2, 'before the first race')

  const won = view({ wins: { 1: ['Ann', 1], 2: ['Bob', 3] }, winner: 2 })
  const scores = roomScore(won)
  assert.equal(matchText(won, scores, 0), 'Bob wins the match 3 : 1')
  assert.equal(matchText(won, scores, 2), 'You win the match 3 : 1!')
  const three = view({ wins: { 2: ['Bob', 3] }, winner: 2 }, /** @type {any} */ ({ 1: ann, 2: bob, 3: ann }))
  assert.equal(matchText(three, roomScore(three), 1), 'Bob wins the match')
  assert.equal(
    joined(matchRows(roomScore(three), 1).map(({ place, result, isOwn }) => `${place} ${result} ${isOwn}`)),
    '1 3 wins false 2 0 wins true 2 0 wins false',
  )
})

const LINK = 'https://race.example/r/KQXWVD/1'

/** @param {string} key @param {number} [moves] */
function played(key, moves = Infinity) {
  const win = WINS.find((one) => one.game === key) ?? assert.fail(key)
  return dealt(key, win.number, win.moves.slice(0, moves))
}

test('the cards home only grow with the drawn stock', () => {
  for (const { game: key } of WINS) {
    const board = played(key)
    const homes = homeByStock(board)
    assert.ok(homes.length === 10 && rises(homes))
    assert.equal(board.home, 104, 'the board does not change')
  }
})

/** @param {object} own @param {object} [more] */
const share = (own, more) => {
  const lane = /** @type {any} */ ({ seat: 1, name: 'Ann', state: 'stuck', home: 40, moves: 90, ms: 61_000, place: 1, ...own })
  return shareText({ game: 'maria', own: lane, racers: 3, board: null, link: LINK, ...more })
}

test('a shared result has the game, place, time or cards, but shows no card', () => {
  const text = share({ state: 'solved', home: 104 }, { game: 'lucas', board: played('lucas') })
  const [title, result, grid, challenge, link] = text.split('\n')
  assert.deepEqual([title, result, link], ['Forty Thieves Race: Lucas', '1st of 3, won in 1:01.0', LINK])
  assert.equal(challenge, 'Can you beat 1:01?')
  assert.match(grid ?? '', /^[⬜🟨🟧🟩]{9}🟩🥇$/u)
  assert.match(share({}, { board: played('maria', 60) }).split('\n')[2] ?? '', /^[⬜🟨🟧🟩]{9}⬛🥇$/u, 'only a win fills it')
  for (const rank of RANKS) for (const suit of SUITS) assert.ok(!text.replace(LINK, '').includes(rank + suit))
  assert.equal(share({ state: 'solved', place: 2 }).split('\n')[1], '2nd of 3, finished in 1:01.0')
  assert.equal(share({ place: 3, home: 1 }).split('\n')[1], '3rd of 3, 1 card on the foundations')
  assert.equal(
    share({}, { racers: 1 }),
    `Forty Thieves Race: Maria\n40 cards on the foundations\nCan you beat 40 cards?\n${LINK}`,
  )
  const unmoved = share({ place: null, home: 0 }, { racers: 2, board: played('maria', 0) })
  assert.equal(unmoved, `Forty Thieves Race: Maria\n0 cards on the foundations\nCan you beat 0 cards?\n${LINK}`)
})
