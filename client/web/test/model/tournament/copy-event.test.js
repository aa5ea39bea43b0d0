import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOf } from '../../../src/model/tournament/copy-event.js'
import { faultsOf, planOf } from '../../../src/model/tournament/plan-draft.js'
import { PLAN } from './views.js'

const settings = /** @type {any} */ ({ game: 'maria', time_limit: 600, undo: 'none', public: true })

test('a copy has the plan and the settings of the event', () => {
  const plan = { ...PLAN, format: /** @type {const} */ ('swiss'), rounds: 7, ladder: [{ game: 'lucas' }, {}], pause: 90 }
  const draft = copyOf(plan, settings)
  assert.deepEqual(
    [draft.name, draft.format, draft.rounds, draft.pause, draft.games, draft.time_limit, draft.undo, draft.public],
    ['Club night', 'swiss', 7, 90, ['lucas', 'maria'], 600, 'none', true],
  )
  assert.deepEqual(planOf(draft).points, [25, 18, 15])
})

test('a copy has the size of the teams, and nobody in them', () => {
  const draft = copyOf({ ...PLAN, team_size: 3, team_most: 5, listed_teams: 9 }, settings)
  assert.deepEqual([planOf(draft).team_size, planOf(draft).team_most, planOf(draft).listed_teams], [3, 5, []])
})

test('a copy has no list, no password and no start, and says what is missing', () => {
  const draft = copyOf({ ...PLAN, entry: 'password', starts_at: 1000, listed: 12 }, settings)
  assert.deepEqual([draft.password, draft.listed, draft.starts_at], ['', '', ''])
  assert.deepEqual(faultsOf(draft, 2000), { password: 'password' })
})
