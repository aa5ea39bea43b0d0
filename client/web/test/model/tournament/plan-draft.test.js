import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as drafts from '../../../src/model/tournament/plan-draft.js'
import { joined } from '../../helpers.js'
import { PLAN } from './views.js'

/** @import { Draft } from '../../../src/model/tournament/plan-draft.js' */

/** @param {Partial<Draft>} some */
const draftWith = (some) => ({ ...drafts.BLANK, ...some })
/** @param {Partial<Draft>} some */
const faultsOf = (some, now = 0) => drafts.faultsOf(draftWith(some), now)

test('a preset keeps the typed values', () => {
  const draft = draftWith({ name: 'Club night', games: ['maria'], entry: 'password', password: 'sesame' })
  const { name, games, password } = drafts.withPreset(draft, { format: 'knockout' }, 'lucas')
  assert.deepEqual([name, games, password], ['Club night', ['maria'], 'sesame'])
  assert.deepEqual(drafts.withPreset({ ...draft, games: ['maria', 'lucas'] }, {}, 'indian').games, ['indian'])
})

test('rounds use the chosen deal, races of an arena secret deals', () => {
  const draft = drafts.withPreset({ ...drafts.BLANK, deal: 'winnable-2' }, { format: 'knockout' }, 'lucas')
  assert.equal(drafts.settingsOf(draft).deal, 'winnable-2')
  assert.equal(drafts.settingsOf({ ...draft, format: 'arena' }).deal, undefined)
  assert.equal(drafts.draftOf(PLAN, /** @type {any} */ ({ game: 'lucas', deal: 'winnable' })).deal, 'winnable')
})

test('points do not rise, and the sent list has only names, by seed', () => {
  assert.deepEqual(drafts.pointsOf('10, 8 6;4'), [10, 8, 6, 4])
  assert.deepEqual(drafts.pointsOf('2.5'), [2.5])
  for (const text of ['', 'ten', '8, 10', '-1', '2000']) assert.equal(drafts.pointsOf(text), null, text)
  const draft = draftWith({ entry: 'list', listed: 'Rating;Name\n1500;Ann\n1700;Bob' })
  assert.deepEqual(drafts.planOf(draft).listed, ['Bob', 'Ann'])
  assert.deepEqual(drafts.faultsOf(draft, 0), {})
  assert.deepEqual(drafts.faultsOf({ ...draft, listed: 'Ann\nAnn' }, 0), { listed: 'lines' })
})

test('a wrong number of rounds stays as typed, with a fault', () => {
  for (const rounds of [99, -1, 0, 2.5, Number.NaN]) {
    assert.deepEqual(faultsOf({ rounds }), { rounds: 'rounds' }, `${rounds}`)
  }
  assert.deepEqual(faultsOf({ rounds: 30 }), {})
  const cup = draftWith({ format: 'knockout', rounds: Number.NaN })
  assert.deepEqual(drafts.faultsOf(cup, 0), {})
  assert.equal(drafts.planOf(cup).rounds, 5)
})

test('a start is at most a year away', () => {
  const now = Date.UTC(2026, 0, 1)
  assert.equal(drafts.startFault('2199-01-01T20:00', now), 'far')
  assert.equal(drafts.startFault('2025-01-01T20:00', now), 'past')
  assert.equal(drafts.startFault('2026-06-01T20:00', now), null)
  assert.deepEqual(faultsOf({ starts_at: '2199-01-01T20:00' }, now), { starts_at: 'far' })
})

test('faults are at their fields, and only changed values are sent', () => {
  const wrong = faultsOf({ points: 'x', entry: 'password', starts_at: '2020-01-01T20:00' }, Date.UTC(2026, 0, 1))
  assert.deepEqual(Object.keys(wrong).sort(), ['password', 'points', 'starts_at'])
  assert.deepEqual(faultsOf({}), {})
  assert.deepEqual(Object.keys(faultsOf({ entry: 'list' })), ['listed'])
  assert.deepEqual(drafts.planOf(drafts.BLANK).ladder, [])
  assert.deepEqual(drafts.planOf({ ...drafts.BLANK, games: ['lucas', 'maria'] }).ladder, [{ game: 'lucas' }, { game: 'maria' }])
  const settings = /** @type {any} */ ({ game: 'lucas' })
  const before = drafts.draftOf({ ...PLAN, entry: 'list', listed: 12 }, settings)
  assert.deepEqual(drafts.changesOf(before, before), {})
  assert.deepEqual(drafts.changesOf(before, { ...before, pause: 120, blind: true }), { pause: 120, blind: true })
  assert.deepEqual(drafts.changesOf(before, { ...before, listed: 'Ann' }), { listed: ['Ann'] })
})

test('groups to keep apart are lines, and can be kept or removed', () => {
  assert.equal(joined(drafts.groupsOf('Ann, Bob\n\n Cleo; Dan ;Eve\nFay, G\tHal')), 'Ann,Bob Cleo,Dan,Eve Fay, G,Hal')
  assert.equal(faultsOf({ is_apart: true, apart: 'Ann, Bob\nCleo' }).apart, 'apart')
  const many = Array.from({ length: 101 }, (_, n) => `A${n}, B${n}`)
  for (const apart of [many.join('\n'), many.slice(0, 26).join(), `Ann, ${'W'.repeat(25)}`])
    assert.equal(faultsOf({ is_apart: true, apart }).apart, 'apartMany')
  assert.deepEqual(faultsOf({ is_apart: true, apart: many.slice(1).join('\n') }), {})
  assert.deepEqual(faultsOf({ apart: 'Cleo' }), {}, 'nobody is kept apart')
  const before = drafts.draftOf({ ...PLAN, apart: 3 }, /** @type {any} */ ({ game: 'lucas' }))
  assert.equal(before.is_apart, true)
  assert.deepEqual(drafts.changesOf(before, before), {})
  assert.deepEqual(drafts.changesOf(before, { ...before, apart: 'Ann, Bob' }), { apart: [['Ann', 'Bob']] })
  assert.deepEqual(drafts.changesOf(before, { ...before, is_apart: false }), { apart: [] })
})

test('a name with a comma stays whole when it is kept apart, and nobody else is', () => {
  const listed = 'Carlsen, Magnus\nLee, Ann\nBob'
  const draft = draftWith({ entry: 'list', listed, is_apart: true, format: 'swiss' })
  for (const apart of ['carlsen,magnus, Lee, Ann', 'Carlsen, Magnus; Lee, Ann', '"Carlsen, Magnus", "Lee, Ann"']) {
    assert.deepEqual(drafts.planOf({ ...draft, apart }).apart, [['Carlsen, Magnus', 'Lee, Ann']], apart)
    assert.deepEqual(drafts.faultsOf({ ...draft, apart }, 0), {})
  }
  assert.deepEqual(drafts.groupsOf('Carlsen, Magnus; Bob'), [['Carlsen, Magnus', 'Bob']], 'without a list')
  assert.deepEqual(drafts.faultsOf({ ...draft, apart: 'Carlsen, Magnus, Bop' }, 0), { apart: 'apartUnknown' })
  assert.deepEqual(drafts.faultsOf({ ...draft, apart: 'Red, Blue', team_size: 2 }, 0), {}, 'teams may be founded later')
})

test('entrants of one club are kept apart, if the host wants that', () => {
  const listed = 'Name,Club\nAnn,Red\nBob,Blue\nCleo,Red'
  const draft = draftWith({ entry: 'list', listed, is_apart: true, apart: 'Bob, Cleo' })
  const apart = (/** @type {Partial<Draft>} */ some) =>
    joined(/** @type {string[][]} */ (drafts.planOf({ ...draft, ...some }).apart))
  assert.deepEqual([apart({}), apart({ is_apart: false }), apart({ entry: 'open' })], ['Bob,Cleo Ann,Cleo', '', 'Bob,Cleo'])
})

test('a password is separate from the plan, and times are local', () => {
  const draft = draftWith({ entry: 'password', password: 'sesame' })
  assert.equal(drafts.passwordOf(draft), 'sesame')
  assert.equal(drafts.passwordOf({ ...draft, entry: 'open' }), '')
  assert.ok(!JSON.stringify(drafts.planOf(draft)).includes('sesame'))
  assert.deepEqual(drafts.changesOf(drafts.BLANK, draft), { entry: 'password' })
  const at = Date.UTC(2026, 5, 1, 18, 30)
  assert.equal(Date.parse(drafts.localTime(at)), at)
  assert.equal(drafts.localTime(null), '')
})

test('teams come from the list, in formats with teams', () => {
  const listed = 'name,team\nAnn,Red\nBob,\nCleo,Red'
  const draft = draftWith({ format: 'swiss', team_size: 2, entry: 'list', listed })
  const teams = (/** @type {Partial<Draft>} */ some) => {
    const { team_size, listed_teams } = drafts.planOf({ ...draft, ...some })
    return [team_size, listed_teams]
  }
  assert.deepEqual(teams({}), [2, ['Red', '', 'Red']])
  assert.deepEqual(teams({ listed: 'Ann\nBob' }), [2, []])
  assert.deepEqual(teams({ format: 'knockout' }), [0, []])
  assert.equal(drafts.faultsOf({ ...draft, team_most: 1 }, 0).team_most, 'teamMost')
  assert.equal(drafts.faultsOf({ ...draft, team_most: 2 }, 0).team_most, undefined)
  assert.deepEqual(drafts.changesOf({ ...draft, listed: '' }, { ...draft, listed: '', team_most: 5 }), { team_most: 5 })
})

const SETTINGS = /** @type {any} */ ({ game: 'maria', time_limit: 600, undo: 'none', public: true })

test('a copy has the plan and the settings of the event', () => {
  const plan = { ...PLAN, format: /** @type {const} */ ('swiss'), rounds: 7, ladder: [{ game: 'lucas' }, {}], pause: 90 }
  const draft = drafts.copyOf(plan, SETTINGS)
  const { name, format, rounds, pause, games, time_limit, undo } = draft
  const copied = [name, format, rounds, pause, games, time_limit, undo, draft.public]
  assert.deepEqual(copied, ['Club night', 'swiss', 7, 90, ['lucas', 'maria'], 600, 'none', true])
  assert.deepEqual(drafts.planOf(draft).points, [25, 18, 15])
})

test('a copy has no members, list, password or start, and names the missing ones', () => {
  const teams = drafts.planOf(drafts.copyOf({ ...PLAN, team_size: 3, team_most: 5, listed_teams: 9 }, SETTINGS))
  assert.deepEqual([teams.team_size, teams.team_most, teams.listed_teams], [3, 5, []])
  const draft = drafts.copyOf({ ...PLAN, entry: 'password', starts_at: 1000, listed: 12 }, SETTINGS)
  assert.deepEqual([draft.password, draft.listed, draft.starts_at], ['', '', ''])
  assert.deepEqual(drafts.faultsOf(draft, 2000), { password: 'password' })
})
