import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rivalWins } from '../../src/model/rival-wins.js'

/** @param {Record<number, object>} racers @returns {any} */
const view = (racers) => ({
  race: {
    starts_at: 1000,
    racers: Object.fromEntries(
      Object.entries(racers).map(([seat, racer]) => [seat, { name: `P${seat}`, state: 'racing', ...racer }]),
    ),
  },
})

test('the wins of the others come in the order of their times, whoever sits where', () => {
  assert.deepEqual(rivalWins(view({ 1: { state: 'stuck', finished_at: 1500 } }), 2), [])
  const race = view({
    1: { state: 'solved', finished_at: 9000 },
    2: { state: 'solved', finished_at: 6000 },
    3: { state: 'solved' },
  })
  assert.deepEqual(rivalWins(race, 3), [
    { seat: 2, name: 'P2', at: 6000, ms: 5000 },
    { seat: 1, name: 'P1', at: 9000, ms: 8000 },
  ])
})
