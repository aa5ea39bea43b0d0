import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  BLANK,
  changesOf,
  draftOf,
  faultsOf,
  localTime,
  namesOf,
  PRESETS,
  passwordOf,
  planOf,
  pointsOf,
  withPreset,
} from '../../../src/model/tournament/plan-draft.js'
import { PLAN } from './views.js'

test('there are the presets that the server has', () => {
  const source = readFileSync(new URL('../../../../../shared/fortythieves/tournament/plan.py', import.meta.url), 'utf8')
  const keys = [...source.slice(source.indexOf('PRESETS:')).matchAll(/^ {8}"([\w-]+)": \{/gm)].map((found) => found[1])
  assert.deepEqual(
    PRESETS.map(({ key }) => key),
    keys,
  )
})

test('a preset keeps what was typed', () => {
  const draft = { ...BLANK, name: 'Club night', games: ['maria'], entry: /** @type {const} */ ('password'), password: 'sesame' }
  const cup = withPreset(draft, { format: 'knockout' }, 'lucas')
  assert.equal(cup.name, 'Club night')
  assert.deepEqual(cup.games, ['maria'])
  assert.equal(cup.password, 'sesame')
  assert.deepEqual(withPreset({ ...draft, games: ['maria', 'lucas'] }, {}, 'indian').games, ['indian'])
})

test('a table of points is numbers that do not rise', () => {
  assert.deepEqual(pointsOf('10, 8 6;4'), [10, 8, 6, 4])
  assert.deepEqual(pointsOf('2.5'), [2.5])
  for (const text of ['', 'ten', '8, 10', '-1', '2000']) assert.equal(pointsOf(text), null, text)
})

test('names are a line each, and nobody is there twice', () => {
  assert.deepEqual(namesOf(' Ann \n\nBob, Cleo\nAnn'), ['Ann', 'Bob', 'Cleo'])
})

test('what is wrong with a plan is said where it is', () => {
  const wrong = faultsOf({ ...BLANK, points: 'x', entry: 'password', starts_at: '2020-01-01T20:00' }, Date.UTC(2026, 0, 1))
  assert.deepEqual(Object.keys(wrong).sort(), ['password', 'points', 'starts_at'])
  assert.deepEqual(faultsOf(BLANK, 0), {})
  assert.deepEqual(Object.keys(faultsOf({ ...BLANK, entry: 'list' }, 0)), ['listed'])
})

test('one game is no ladder', () => {
  assert.deepEqual(planOf(BLANK).ladder, [])
  assert.deepEqual(planOf({ ...BLANK, games: ['lucas', 'maria'] }).ladder, [{ game: 'lucas' }, { game: 'maria' }])
})

test('only what a host has changed is sent', () => {
  const settings = /** @type {any} */ ({ game: 'lucas' })
  const before = draftOf({ ...PLAN, entry: 'list', listed: 12 }, settings)
  assert.deepEqual(changesOf(before, before), {})
  assert.deepEqual(changesOf(before, { ...before, pause: 120, blind: true }), { pause: 120, blind: true })
  assert.deepEqual(changesOf(before, { ...before, listed: 'Ann' }), { listed: ['Ann'] })
})

test('a password is said where one is asked for, and is no part of the plan', () => {
  const draft = { ...BLANK, entry: /** @type {const} */ ('password'), password: 'sesame' }
  assert.equal(passwordOf(draft), 'sesame')
  assert.equal(passwordOf({ ...draft, entry: 'open' }), '')
  assert.ok(!JSON.stringify(planOf(draft)).includes('sesame'))
  assert.deepEqual(changesOf(BLANK, draft), { entry: 'password' })
})

test('a time is shown and read in the time of this place', () => {
  const at = Date.UTC(2026, 5, 1, 18, 30)
  assert.equal(Date.parse(localTime(at)), at)
  assert.equal(localTime(null), '')
})
