import assert from 'node:assert/strict'
import { test } from 'node:test'
import { swappable } from '../../../src/model/tournament/desk.js'
import { comparedWith, needed } from '../../../src/model/tournament/need.js'
import { lastHalfBye } from '../../../src/model/tournament/rounds.js'
import * as teamView from '../../../src/model/tournament/team-view.js'
import { joined } from '../../helpers.js'
import { drawn as drawnRound, entrants, pairsOf, textOf, tournament, viewOf } from './views.js'

/** @import { RoundResult } from '../../../src/protocol/protocol.d.ts' */

/** Red: Ann, Bob, Cleo; Blue: Dan, Eve; Green: Fay; Gus has no team. */
const TEAMS = ['Red', 'Red', 'Red', 'Blue', 'Blue', 'Green', '']
const inTeams = () =>
  Object.fromEntries(
    Object.entries(entrants(7)).map(([seat, one], i) => [
      seat,
      { ...one, team: TEAMS[i], board: TEAMS[i] ? TEAMS.slice(0, i + 1).filter((team) => team === TEAMS[i]).length : 0 },
    ]),
  )

/** @param {Parameters<typeof tournament>[0]} [more] */
const swiss = (more) => tournament({ entrants: inTeams(), ...more }, { format: 'swiss', team_size: 2 })

/** @param {Parameters<typeof tournament>[0]} [more] */
const drawn = (more) => swiss({ phase: 'drawn', round: 1, rounds: { 1: drawnRound('1-4 2-5', [6]) }, ...more })

const lane = (/** @type {number} */ seat, /** @type {number} */ home, moves = 9) =>
  /** @type {any} */ ({ seat, home, moves, state: 'racing', ms: null, place: null })

/** @param {number | null} place @param {number} points @returns {RoundResult} */
const result = (place, points) => [place, 'timed_out', 9, 9, 9, points]

test('teams are sorted by name, their members by position', () => {
  const event = swiss()
  assert.equal(joined(teamView.teamsIn(event)), 'Blue,4,5 Green,6 Red,1,2,3')
  assert.deepEqual(teamView.teamless(event), [7])
  assert.deepEqual(teamView.teamless({ ...event, plan: { ...event.plan, team_size: 0 } }), [])
  assert.deepEqual(teamView.presentIn(event, 'Red'), [1, 2, 3])
})

test('a match has boards, members without an opponent, and a score', () => {
  const [match, bye] = teamView.matchesOf(drawn())
  assert.deepEqual([match.one, match.other, match.score], ['Red', 'Blue', [0, 0]])
  assert.equal(match.boards.map((duel) => duel.map(({ seat }) => seat)).join(' '), '1,4 2,5')
  assert.deepEqual([bye.one, bye.other, bye.byes, bye.score[0]], ['Green', null, [6], 0.5])
  const [now] = teamView.matchesOf(drawn({ phase: 'racing' }), [lane(1, 9), lane(4, 3), lane(2, 5), lane(5, 5)])
  assert.deepEqual(now.score, [1, 0])
  const results = { 1: result(1, 1), 4: result(2, 0), 2: result(1, 0.5), 5: result(1, 0.5) }
  const over = drawn({ phase: 'pause', rounds: { 1: { pairs: pairsOf('1-4 2-5'), byes: [3], results } } })
  assert.equal(teamView.sideOf(over, teamView.matchesOf(over)[0], 3), 'one')
  assert.equal(teamView.sideOf(over, teamView.matchesOf(over)[0], 5), 'other')
  assert.deepEqual(teamView.matchesOf(over)[0].score, [2.5, 0.5], 'nobody is on the third board of the other team')
  assert.deepEqual(teamView.matchesOf(tournament({ round: 1 })), [])
})

test('an entrant learns the board, the opponent and the other team', () => {
  const view = viewOf(drawn())
  assert.deepEqual(teamView.boardOf(drawn(), 2), { board: 2, opponent: 'Blue' })
  assert.equal(textOf(comparedWith(view, 2)), 'Board 2: you race against Eve of Blue.')
  assert.equal(textOf(comparedWith(view, 3)), 'You are a reserve of Red in this round.')
  assert.equal(textOf(comparedWith(view, 6)), 'Your team has a bye. You do not race in this round.')
  assert.equal(textOf(comparedWith(view, 7)), 'You have no team yet. Without one, you do not race.')
  const alone = drawn({ rounds: { 1: drawnRound('1-6', [2]) } })
  assert.match(textOf(comparedWith(viewOf(alone), 2)), /^Green has nobody on your board/)
})

test('in points an entrant learns the place of the team', () => {
  const event = tournament({ entrants: inTeams(), phase: 'pause', round: 1, teams: [[1, 'Red', 12, [12, 1]]] }, { team_size: 2 })
  assert.equal(textOf(comparedWith(viewOf(event), 1)), 'You race against everyone.')
  assert.equal(textOf(...needed(viewOf(event), 1)), 'Red is 1st with 12 points.')
  assert.deepEqual(needed(viewOf(event), 4), [])
  assert.equal(textOf(...needed(viewOf({ ...event, phase: 'over' }), 1)), 'Red is 1st with 12 points.')
})

test('a team is chosen until the draw, without swaps and half-point byes', () => {
  assert.ok(teamView.mayChoose(swiss(), 1))
  assert.ok(teamView.wasDrawn(drawn(), 1) && !teamView.wasDrawn(drawn(), 3))
  assert.ok(!teamView.mayChoose(drawn(), 1) && !teamView.mayChoose(drawn(), 3), 'during a round only entrants without a team')
  assert.ok(teamView.mayChoose(drawn(), 7))
  assert.ok(teamView.mayChoose(drawn({ phase: 'pause' }), 3))
  assert.ok(!teamView.mayChoose(tournament({ entrants: entrants(2) }), 1))
  assert.deepEqual(swappable(drawn(), 1), [])
  assert.equal(lastHalfBye({ format: 'swiss', rounds: 5, half_byes: 1, team_size: 2 }), 0)
})

test('teams with room are offered, those with the most room first', () => {
  const most = (/** @type {number | null} */ team_most) => tournament({ entrants: inTeams() }, { team_size: 2, team_most })
  assert.deepEqual(teamView.teamsWithRoom(most(null)), ['Green', 'Blue', 'Red'], 'without a limit no team is full')
  assert.deepEqual(teamView.teamsWithRoom(most(3)), ['Green', 'Blue'])
  assert.deepEqual(teamView.teamsWithRoom(most(1)), [])
  assert.equal(teamView.teamsWithRoom(swiss()).length, 3, 'in a Swiss there are four more than boards')
})

test('during a round, a team has the points of its best members so far', () => {
  /** @type {[number, string, number, number[]][]} */
  const teams = ['Green', 'Red', 'Blue'].map((team, at) => [at + 1, team, [10, 6, 4][at], [[10, 6, 4][at], at ? 0 : 1]])
  const event = tournament({ entrants: inTeams(), phase: 'racing', round: 2, teams }, { team_size: 2, points: [10, 6, 4, 2] })
  // Ann 30, then Bob and Dan with 20 each, Cleo, and Fay without a move.
  const now = teamView.liveTeams(event, [lane(1, 30), lane(2, 20), lane(4, 20), lane(3, 5), lane(6, 0, 0)])
  const scores = now.map(({ place, team, score }) => `${place} ${team} ${score}`)
  assert.deepEqual(scores, ['1 Red 21', '2 Green 10', '3 Blue 9'], 'the third of Red does not count')
  const first = teamView.liveTeams({ ...event, teams: [] }, [])
  assert.equal(first.map(({ place, score }) => [place, score]).join(' '), '1,0 1,0 1,0')
})

const ofTeams = Object.fromEntries(
  ['A', 'A', 'B', 'B', 'C', 'C', '', 'A'].map((team, at) => [at + 1, { name: `${at}`, state: 'in', team, board: at + 1 }]),
)

test('members are in the order of their team, and sides by board', () => {
  const members = teamView.membersOf({ 4: { team: 'A', board: 1 }, 2: { team: 'A', board: 2 }, 3: { team: '' } })
  assert.equal(joined([...members]), 'A,4,2')
  const sides = [...teamView.sidesOf(ofTeams, { pairs: pairsOf('2-3'), byes: [4, 5] })]
  assert.equal(joined(sides.map(([team, { seats, opponent }]) => [team, seats, opponent])), 'A,2,B B,3,4,A C,5,')
})
