import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as drafts from '../../../src/model/tournament/plan-draft.js'
import { PLAN } from './views.js'

test('a preset keeps the typed values', () => {
  const draft = {
    ...drafts.BLANK,
    name: 'Club night',
    games: ['maria'],
    entry: /** @type {const} */ ('password'),
    password: 'sesame',
  }
  const cup = drafts.withPreset(draft, { format: 'knockout' }, 'lucas')
  assert.equal(cup.name, 'Club night')
  assert.deepEqual(cup.games, ['maria'])
  assert.equal(cup.password, 'sesame')
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
  const draft = { ...drafts.BLANK, entry: /** @type {const} */ ('list'), listed: 'Rating;Name\n1500;Ann\n1700;Bob' }
  assert.deepEqual(drafts.planOf(draft).listed, ['Bob', 'Ann'])
  assert.deepEqual(drafts.faultsOf(draft, 0), {})
  assert.deepEqual(drafts.faultsOf({ ...draft, listed: 'Ann\nAnn' }, 0), { listed: 'lines' })
})

test('a wrong number of rounds stays as typed, with a fault', () => {
  for (const rounds of [99, -1, 0, 2.5, Number.NaN]) {
    assert.deepEqual(drafts.faultsOf({ ...drafts.BLANK, rounds }, 0), { rounds: 'rounds' }, `${rounds}`)
  }
  assert.deepEqual(drafts.faultsOf({ ...drafts.BLANK, rounds: 30 }, 0), {})
  const cup = { ...drafts.BLANK, format: /** @type {const} */ ('knockout'), rounds: Number.NaN }
  assert.deepEqual(drafts.faultsOf(cup, 0), {})
  assert.equal(drafts.planOf(cup).rounds, 5)
})

test('a start is at most a year away', () => {
  const now = Date.UTC(2026, 0, 1)
  assert.equal(drafts.startFault('2199-01-01T20:00', now), 'far')
  assert.equal(drafts.startFault('2025-01-01T20:00', now), 'past')
  assert.equal(drafts.startFault('2026-06-01T20:00', now), null)
  assert.deepEqual(drafts.faultsOf({ ...drafts.BLANK, starts_at: '2199-01-01T20:00' }, now), { starts_at: 'far' })
})

test('faults are at their fields, and only changed values are sent', () => {
  const wrong = drafts.faultsOf(
    { ...drafts.BLANK, points: 'x', entry: 'password', starts_at: '2020-01-01T20:00' },
    Date.UTC(2026, 0, 1),
  )
  assert.deepEqual(Object.keys(wrong).sort(), ['password', 'points', 'starts_at'])
  assert.deepEqual(drafts.faultsOf(drafts.BLANK, 0), {})
  assert.deepEqual(Object.keys(drafts.faultsOf({ ...drafts.BLANK, entry: 'list' }, 0)), ['listed'])
  assert.deepEqual(drafts.planOf(drafts.BLANK).ladder, [])
  assert.deepEqual(drafts.planOf({ ...drafts.BLANK, games: ['lucas', 'maria'] }).ladder, [{ game: 'lucas' }, { game: 'maria' }])
  const settings = /** @type {any} */ ({ game: 'lucas' })
  const before = drafts.draftOf({ ...PLAN, entry: 'list', listed: 12 }, settings)
  assert.deepEqual(drafts.changesOf(before, before), {})
  assert.deepEqual(drafts.changesOf(before, { ...before, pause: 120, blind: true }), { pause: 120, blind: true })
  assert.deepEqual(drafts.changesOf(before, { ...before, listed: 'Ann' }), { listed: ['Ann'] })
})

test('groups to keep apart are lines, and can be kept or removed', () => {
  assert.deepEqual(drafts.groupsOf('Ann, Bob\n\n Cleo; Dan ,Eve'), [
    ['Ann', 'Bob'],
    ['Cleo', 'Dan', 'Eve'],
  ])
  assert.equal(drafts.faultsOf({ ...drafts.BLANK, is_apart: true, apart: 'Ann, Bob\nCleo' }, 0).apart, 'apart')
  const many = Array.from({ length: 101 }, (_, n) => `A${n}, B${n}`)
  for (const apart of [many.join('\n'), many.slice(0, 26).join(), `Ann, ${'W'.repeat(25)}`])
    assert.equal(drafts.faultsOf({ ...drafts.BLANK, is_apart: true, apart }, 0).apart, 'apartMany')
  assert.deepEqual(drafts.faultsOf({ ...drafts.BLANK, is_apart: true, apart: many.slice(1).join('\n') }, 0), {})
  assert.deepEqual(drafts.faultsOf({ ...drafts.BLANK, apart: 'Cleo' }, 0), {}, 'nobody is kept apart')
  const before = drafts.draftOf({ ...PLAN, apart: 3 }, /** @type {any} */ ({ game: 'lucas' }))
  assert.equal(before.is_apart, true)
  assert.deepEqual(drafts.changesOf(before, before), {})
  assert.deepEqual(drafts.changesOf(before, { ...before, apart: 'Ann, Bob' }), { apart: [['Ann', 'Bob']] })
  assert.deepEqual(drafts.changesOf(before, { ...before, is_apart: false }), { apart: [] })
})

test('entrants of one club are kept apart, if the host wants that', () => {
  const listed = 'Name,Club\nAnn,Red\nBob,Blue\nCleo,Red'
  const draft = { ...drafts.BLANK, entry: /** @type {const} */ ('list'), listed, is_apart: true, apart: 'Bob, Cleo' }
  assert.deepEqual(drafts.planOf(draft).apart, [
    ['Bob', 'Cleo'],
    ['Ann', 'Cleo'],
  ])
  assert.deepEqual(drafts.planOf({ ...draft, is_apart: false }).apart, [])
  assert.deepEqual(drafts.planOf({ ...draft, entry: 'open' }).apart, [['Bob', 'Cleo']])
})

test('a password is separate from the plan, and times are local', () => {
  const draft = { ...drafts.BLANK, entry: /** @type {const} */ ('password'), password: 'sesame' }
  assert.equal(drafts.passwordOf(draft), 'sesame')
  assert.equal(drafts.passwordOf({ ...draft, entry: 'open' }), '')
  assert.ok(!JSON.stringify(drafts.planOf(draft)).includes('sesame'))
  assert.deepEqual(drafts.changesOf(drafts.BLANK, draft), { entry: 'password' })
  const at = Date.UTC(2026, 5, 1, 18, 30)
  assert.equal(Date.parse(drafts.localTime(at)), at)
  assert.equal(drafts.localTime(null), '')
})

test('teams come from the list, in formats with teams', () => {
  const list = 'name,team\nAnn,Red\nBob,\nCleo,Red'
  const draft = {
    ...drafts.BLANK,
    format: /** @type {const} */ ('swiss'),
    team_size: 2,
    entry: /** @type {const} */ ('list'),
    listed: list,
  }
  assert.deepEqual([drafts.planOf(draft).team_size, drafts.planOf(draft).listed_teams], [2, ['Red', '', 'Red']])
  assert.deepEqual(drafts.planOf({ ...draft, listed: 'Ann\nBob' }).listed_teams, [])
  assert.deepEqual(
    [drafts.planOf({ ...draft, format: 'knockout' }).team_size, drafts.planOf({ ...draft, format: 'knockout' }).listed_teams],
    [0, []],
  )
  assert.equal(drafts.faultsOf({ ...draft, team_most: 1 }, 0).team_most, 'teamMost')
  assert.equal(drafts.faultsOf({ ...draft, team_most: 2 }, 0).team_most, undefined)
  assert.deepEqual(drafts.changesOf({ ...draft, listed: '' }, { ...draft, listed: '', team_most: 5 }), { team_most: 5 })
})

const SETTINGS = /** @type {any} */ ({ game: 'maria', time_limit: 600, undo: 'none', public: true })

test('a copy has the plan and the settings of the event', () => {
  const plan = { ...PLAN, format: /** @type {const} */ ('swiss'), rounds: 7, ladder: [{ game: 'lucas' }, {}], pause: 90 }
  const draft = drafts.copyOf(plan, SETTINGS)
  assert.deepEqual(
    [draft.name, draft.format, draft.rounds, draft.pause, draft.games, draft.time_limit, draft.undo, draft.public],
    ['Club night', 'swiss', 7, 90, ['lucas', 'maria'], 600, 'none', true],
  )
  assert.deepEqual(drafts.planOf(draft).points, [25, 18, 15])
})

test('a copy has no members, list, password or start, and names the missing ones', () => {
  const teams = drafts.planOf(drafts.copyOf({ ...PLAN, team_size: 3, team_most: 5, listed_teams: 9 }, SETTINGS))
  assert.deepEqual([teams.team_size, teams.team_most, teams.listed_teams], [3, 5, []])
  const draft = drafts.copyOf({ ...PLAN, entry: 'password', starts_at: 1000, listed: 12 }, SETTINGS)
  assert.deepEqual([draft.password, draft.listed, draft.starts_at], ['', '', ''])
  assert.deepEqual(drafts.faultsOf(draft, 2000), { password: 'password' })
})
