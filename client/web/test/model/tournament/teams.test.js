import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isSameTeam, membersOf, sidesOf, TEAM_TIEBREAKS, teamsOf, wrongWith } from '../../../src/model/tournament/teams.js'

/** @import { Entrants } from '../../../src/model/tournament/results.js' */

/** @type {any[]} */
const vectors = JSON.parse(readFileSync(new URL('../../../../../shared/vectors/standings.json', import.meta.url), 'utf8')).filter(
  (/** @type {any} */ made) => made.teams,
)

/** @param {any} made @returns {Entrants} */
const entrantsOf = ({ states, in_teams: teams }) =>
  Object.fromEntries(
    Object.entries(states).map(([seat, state]) => {
      const [team, board] = teams[seat] ?? ['', 0]
      return [seat, { name: `Seat ${seat}`, state: String(state), team, board }]
    }),
  )

/** @param {any} made */
const racesOf = ({ races }) =>
  new Map(
    Object.entries(races).map(([number, race]) => [
      Number(number),
      new Map(
        Object.entries(/** @type {Record<string, any[]>} */ (race)).map(([seat, [state, when, home, reached_at, moves]]) => [
          Number(seat),
          { state, result: { solved: state === 'solved', when, home, reached_at, moves } },
        ]),
      ),
    ]),
  )

/** @param {any[]} row */
const rowOf = ([place, team, score, tiebreaks, rounds, counted]) => ({ place, team, score, tiebreaks, rounds, counted })

test('the standings of the teams are those of Python', () => {
  assert.ok(vectors.length > 50)
  for (const made of vectors) {
    const right = teamsOf({ plan: made.plan, entrants: entrantsOf(made), rounds: made.rounds }, racesOf(made))
    const stated = made.teams.map(rowOf)
    assert.equal(right.length, stated.length)
    for (const [i, row] of right.entries()) assert.ok(isSameTeam(row, stated[i]), JSON.stringify([made.plan, row, stated[i]]))
  }
})

test('what is drawn in the vectors can be drawn', () => {
  for (const made of vectors) {
    for (const round of made.rounds) assert.equal(wrongWith(made.plan, entrantsOf(made), round), null)
  }
})

const inTeams = Object.fromEntries(
  ['A', 'A', 'B', 'B', 'C', 'C', '', 'A'].map((team, at) => [at + 1, { name: `${at}`, state: 'in', team, board: at + 1 }]),
)
const round = (/** @type {[number, number][]} */ pairs, /** @type {number[]} */ byes = []) => ({
  ...{ number: 1, races: [], skipped: false },
  ...{ seats: pairs.flat(), pairs, byes },
})

test('boards that cannot be are found', () => {
  const plan = { format: 'swiss', points: [], team_size: 2 }
  assert.equal(wrongWith(plan, inTeams, round([[1, 3]], [2])), null)
  assert.equal(wrongWith(plan, inTeams, round([[1, 7]])), 'noTeam')
  assert.equal(wrongWith(plan, inTeams, round([[1, 2]])), 'boards')
  assert.equal(
    wrongWith(
      plan,
      inTeams,
      round([
        [1, 3],
        [2, 5],
      ]),
    ),
    'boards',
  )
  assert.equal(wrongWith(plan, inTeams, round([[1, 3]], [2, 8])), 'boards')
  assert.equal(wrongWith(plan, inTeams, round([[1, 3]], [2, 4])), 'boards')
  assert.equal(wrongWith({ ...plan, team_size: 0 }, inTeams, round([[1, 2]])), null)
})

test('a row that says something else is not the same', () => {
  const row = rowOf([1, 'Red', 2, [1, 0], [1, null], [[1], []]])
  assert.ok(isSameTeam(row, structuredClone(row)))
  for (const other of [
    { place: 2 },
    { team: 'Blue' },
    { score: 3 },
    { tiebreaks: [1, 1] },
    { rounds: [1, 1] },
    { counted: [[2], []] },
  ]) {
    assert.ok(!isSameTeam(row, { ...row, ...other }))
  }
})

test('members are in the order of their team, and sides by board', () => {
  assert.deepEqual([...membersOf({ 4: { team: 'A', board: 1 }, 2: { team: 'A', board: 2 }, 3: { team: '' } })], [['A', [4, 2]]])
  const sides = sidesOf(inTeams, round([[2, 3]], [4, 5]))
  assert.deepEqual(Object.fromEntries(sides), {
    A: { seats: [2], opponent: 'B' },
    B: { seats: [3, 4], opponent: 'A' },
    C: { seats: [5], opponent: null },
  })
})

test('without teams in the plan there is no table', () => {
  assert.deepEqual(teamsOf({ plan: { format: 'points', points: [1] }, entrants: inTeams, rounds: [] }, new Map()), [])
  assert.deepEqual(Object.keys(TEAM_TIEBREAKS), ['points', 'swiss'])
})
