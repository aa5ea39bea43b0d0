import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crossTable } from '../../../src/model/tournament/cross-table.js'
import { countedRounds } from '../../../src/model/tournament/rounds.js'
import { entrants, raced, tournament } from './views.js'

/** @import { Standing } from '../../../src/protocol/protocol.d.ts' */

// The example of a Swiss in TOURNAMENTS.md: seat 3 has the bye, then seat 2.
const rounds = { 1: raced('1-2', [1], [3]), 2: raced('1-3', [3], [2]) }
const standings = /** @type {Standing[]} */ ([
  [1, 3, 2, []],
  [2, 1, 1, []],
  [2, 2, 1, []],
])
const event = tournament({ round: 2, rounds, standings, entrants: entrants(3) }, { format: 'swiss' })

/** @param {ReturnType<typeof crossTable>} rows */
const cellsIn = (rows) =>
  rows.map(({ number, seat, cells }) => [number, seat, ...cells.map(({ is, met, points, total }) => [is, met, points, total])])

test('a cell has the row of the opponent, the points and the score', () => {
  assert.deepEqual(cellsIn(crossTable(event, 'place')), [
    [1, 3, ['bye', 0, 1, 1], ['raced', 2, 1, 2]],
    [2, 1, ['raced', 3, 1, 1], ['raced', 1, 0, 1]],
    [3, 2, ['raced', 2, 0, 0], ['bye', 0, 1, 1]],
  ])
})

test('a half-point bye gives half a point', () => {
  const halves = { 1: { ...raced('1-2', [1]), half_byes: [3] }, 2: raced('1-3', [3], [2]) }
  const rows = cellsIn(crossTable({ ...event, rounds: halves }, 'place'))
  assert.deepEqual(rows[0], [1, 3, ['half', 0, 0.5, 0.5], ['raced', 2, 1, 1.5]])
})

test('a wall chart is in the order of entry', () => {
  const rows = crossTable(event, 'entry')
  assert.equal(rows.map(({ seat }) => seat).join(' '), '1 2 3')
  assert.equal(rows.map(({ cells }) => cells[0].met).join(' '), '2 1 0')
})

test('skipped and future rounds have no column, missing results no cell', () => {
  const more = { ...rounds, 3: { ...raced('2-3', [2]), state: /** @type {const} */ ('skipped') }, 4: { races: [] } }
  const numbers = countedRounds(tournament({ rounds: more, standings }, { format: 'swiss' })).map(([number]) => number)
  assert.deepEqual(numbers, [1, 2])
  const late = tournament({ rounds: { 1: raced('1-2', [1]) }, standings, entrants: entrants(3) }, { format: 'swiss' })
  assert.equal(crossTable(late, 'place')[0].cells[0].is, 'out')
})
