import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FORMAT_RULES } from '../../../src/model/tournament/formats.js'
import { isNear } from '../../../src/model/tournament/results.js'
import { isSame, standingsOf } from '../../../src/model/tournament/standings.js'

/**
 * @import { Drawn, Entrants, Played } from '../../../src/model/tournament/results.js'
 * @import { Row } from '../../../src/model/tournament/standings.js'
 */

const vectors = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/standings.json', import.meta.url), 'utf8'))

/** @param {number} home @param {string} [state] @returns {Played} */
const played = (home, state = 'timed_out') => ({
  state,
  result: { solved: state === 'solved', when: 9, home, reached_at: 5, moves: 7 },
})

/** @param {Played[]} all of seats 1, 2, ... */
const race = (...all) => new Map(all.map((one, at) => [at + 1, one]))

/** @param {number} number @param {Partial<Drawn>} more @returns {Drawn} */
const round = (number, more) => ({ number, seats: [], pairs: [], byes: [], races: [number], skipped: false, ...more })

/** @param {Record<number, string>} [states] those who are not in @returns {Entrants} */
const five = (states = {}) =>
  Object.fromEntries([1, 2, 3, 4, 5].map((seat) => [seat, { name: `Seat ${seat}`, state: states[seat] ?? 'in' }]))

const all = [1, 2, 3, 4, 5]
const POINTS = { format: 'points', points: [25, 18, 15, 12, 10] }
const SWISS = { format: 'swiss', points: [] }

/** @param {Row[]} rows */
const table = (rows) => rows.map(({ place, seat, score }) => [place, seat, score])

// The example of TOURNAMENTS.md: Ann solved it, Bob and Cy are equal, Dee is behind, and Eve was not there.
const evening = race(played(104, 'solved'), played(61), played(61), played(12), played(0, 'did_not_start'))

test('ties share the mean of the places that they take up, and who was not there gets nothing', () => {
  const rows = standingsOf({ plan: POINTS, entrants: five(), rounds: [round(1, { seats: all })] }, new Map([[1, evening]]))
  assert.deepEqual(table(rows), [
    [1, 1, 25],
    [2, 2, 16.5],
    [2, 3, 16.5],
    [4, 4, 12],
    [5, 5, 0],
  ])
  assert.deepEqual(rows[0].tiebreaks, [1, 1, 104])
})

test('those below one who is disqualified move up, in all rounds, and he has no place', () => {
  const held = { plan: POINTS, entrants: five({ 1: 'disqualified' }), rounds: [round(1, { seats: all })] }
  const rows = standingsOf(held, new Map([[1, evening]]))
  assert.deepEqual(table(rows), [
    [1, 2, 21.5],
    [1, 3, 21.5],
    [3, 4, 15],
    [4, 5, 0],
    [null, 1, 0],
  ])
  assert.deepEqual(rows.at(-1)?.rounds, [null])
})

test('a round that is skipped gives nothing, and who left before ever being drawn is not in the table', () => {
  const held = { plan: POINTS, entrants: five({ 5: 'withdrawn' }), rounds: [round(1, { seats: [1, 2, 3, 4], skipped: true })] }
  const rows = standingsOf(held, new Map([[1, evening]]))
  assert.deepEqual(table(rows), [
    [1, 1, 0],
    [1, 2, 0],
    [1, 3, 0],
    [1, 4, 0],
  ])
})

// The other example: 1 beats 2, 3 and 4 tie, 5 has the bye; then 1 beats 5, 3 beats 2, and 4 has the bye.
const rounds = [
  round(1, {
    seats: [1, 2, 3, 4],
    pairs: [
      [1, 2],
      [3, 4],
    ],
    byes: [5],
  }),
  round(2, {
    seats: [1, 5, 3, 2],
    pairs: [
      [1, 5],
      [3, 2],
    ],
    byes: [4],
  }),
]
const races = new Map([
  [1, race(played(9), played(8), played(7), played(7))],
  [
    2,
    new Map([
      [1, played(9)],
      [5, played(8)],
      [3, played(7)],
      [2, played(6)],
    ]),
  ],
])

test('by the first rules, a Swiss is worked out with a bye counting as much as one has scored oneself', () => {
  const rows = standingsOf({ plan: SWISS, entrants: five(), rounds }, races)
  assert.deepEqual(table(rows), [
    [1, 1, 2],
    [2, 4, 1.5],
    [3, 3, 1.5],
    [4, 5, 1],
    [5, 2, 0],
  ])
  assert.deepEqual(
    rows.map(({ tiebreaks }) => tiebreaks.slice(0, 3)),
    [
      [1, 1, 2],
      [3, 2.25, 0],
      [1.5, 0.75, 1],
      [3, 1, 0],
      [3.5, 0, 0],
    ],
  )
})

test('who met one who is disqualified has won that, and it is as a bye in the tie-breaks', () => {
  const rows = standingsOf({ plan: SWISS, entrants: five({ 1: 'disqualified' }), rounds }, races)
  assert.deepEqual(table(rows).slice(0, 2), [
    [1, 5, 2],
    [2, 4, 1.5],
  ])
  assert.deepEqual(rows.find(({ seat }) => seat === 2)?.tiebreaks.slice(0, 3), [1 + 1.5, 1, 0])
  assert.equal(rows.at(-1)?.place, null)
})

test('by the rules of today, an unplayed round is one against somebody who was equal before and has tied since', () => {
  const rows = standingsOf({ plan: { ...SWISS, rules: 2 }, entrants: five(), rounds }, races)
  assert.deepEqual(table(rows), [
    [1, 1, 2],
    [2, 3, 1.5],
    [3, 4, 1.5],
    [4, 5, 1],
    [5, 2, 0],
  ])
  // Wins, Buchholz, direct encounter, Sonneborn-Berger.
  assert.deepEqual(
    rows.map(({ tiebreaks }) => tiebreaks.slice(0, 4)),
    [
      [2, 0.5, 0, 0.5],
      [1, 1, 0, 0.5],
      [0, 2, 0, 1.25],
      [0, 2.5, 0, 0.5],
      [0, 3.5, 0, 0],
    ],
  )
})

const CUP = { format: 'knockout', points: [] }

// The example of TOURNAMENTS.md: five entrants, and the better seed always wins.
const cup = [
  round(1, { seats: [4, 5], pairs: [[4, 5]], byes: [1, 2, 3] }),
  round(2, {
    seats: [1, 2, 3, 4],
    pairs: [
      [1, 4],
      [2, 3],
    ],
  }),
  round(3, {
    seats: [1, 2, 3, 4],
    pairs: [
      [1, 2],
      [3, 4],
    ],
  }),
]
const cupRaces = new Map([1, 2, 3].map((number) => [number, race(played(9), played(8), played(7), played(6), played(5))]))

test('a knock-out gives a point a level, half a one for the third place, and whom one beat decides among the others', () => {
  const rows = standingsOf({ plan: CUP, entrants: five(), rounds: cup }, cupRaces)
  assert.deepEqual(table(rows), [
    [1, 1, 3],
    [2, 2, 2],
    [3, 3, 1.5],
    [4, 4, 1],
    [5, 5, 0],
  ])
  assert.deepEqual(
    rows.map(({ rounds }) => rounds),
    [
      [1, 1, 1],
      [1, 1, 0],
      [1, 0, 0.5],
      [1, 0, 0],
      [0, null, null],
    ],
  )
})

test('who is disqualified after the final has no place, and the other one of it has won', () => {
  const rows = standingsOf({ plan: CUP, entrants: five({ 1: 'disqualified' }), rounds: cup }, cupRaces)
  assert.deepEqual(table(rows), [
    [1, 2, 3],
    [2, 3, 1.5],
    [3, 4, 1],
    [4, 5, 0],
    [null, 1, 0],
  ])
})

test('an exact tie is open until it is raced on three times, or one of the two has left', () => {
  const final = (/** @type {number} */ times) => round(1, { seats: [2, 1], pairs: [[2, 1]], races: Array(times).fill(1) })
  const tie = new Map([[1, race(played(5), played(5))]])
  const two = (/** @type {string} */ state) => ({ 1: { name: 'Ann', state: 'in' }, 2: { name: 'Bob', state } })
  const tableOf = (/** @type {number} */ times, state = 'in') =>
    table(standingsOf({ plan: CUP, entrants: two(state), rounds: [final(times)] }, tie))
  assert.deepEqual(tableOf(3), [
    [1, 1, 0],
    [1, 2, 0],
  ])
  assert.deepEqual(tableOf(4), [
    [1, 2, 1],
    [2, 1, 0],
  ])
  assert.deepEqual(tableOf(1, 'withdrawn'), [
    [1, 1, 1],
    [2, 2, 0],
  ])
})

/** As `standings.json` has it. @param {Record<string, Record<string, [string, number, number, number, number]>>} races */
const racesOf = (races) =>
  new Map(
    Object.entries(races).map(([number, race]) => [
      Number(number),
      new Map(
        Object.entries(race).map(([seat, [state, when, home, reached_at, moves]]) => [
          Number(seat),
          { state, result: { solved: state === 'solved', when, home, reached_at, moves } },
        ]),
      ),
    ]),
  )

/** @param {[number | null, number, number, number[], (number | null)[]]} told */
const rowOf = ([place, seat, score, tiebreaks, rounds]) => ({ place, seat, score, tiebreaks, rounds })

test('whether others met than the bracket says is what the server says', () => {
  for (const { plan, rounds, misdrawn: right } of vectors) {
    assert.equal(FORMAT_RULES[plan.format].misdrawn?.(plan, rounds) ?? null, right, JSON.stringify(rounds))
  }
  assert.equal(
    FORMAT_RULES.knockout.misdrawn?.({ format: 'knockout', points: [] }, [cup[0], { ...cup[0], number: 2 }]),
    2,
    'of those who met, one is out',
  )
})

for (const format of ['points', 'knockout', 'double', 'swiss', 'roundrobin', 'arena']) {
  const mine = vectors.filter((/** @type {any} */ { plan }) => plan.format === format)

  test(`${format}: the standings are those of the server in every tournament of the vectors`, () => {
    assert.ok(mine.length > 5)
    for (const { plan, states, rounds, races, standings } of mine) {
      const entrants = Object.fromEntries(Object.entries(states).map(([seat, state]) => [seat, { name: seat, state }]))
      const rows = standingsOf({ plan, entrants, rounds }, racesOf(races))
      const right = standings.map(rowOf)
      const wrong = rows.findIndex((row, i) => !isSame(row, right[i]))
      if (wrong >= 0 || rows.length !== right.length) assert.deepEqual(rows, right, JSON.stringify({ states, rounds }))
    }
  })
}

test('thirds that are added up are as good as the whole', () => {
  assert.ok(isNear(1 / 3 + 1 / 3 + 1 / 3, 1))
  assert.ok(!isNear(1, 1.01))
})
