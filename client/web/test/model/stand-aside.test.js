import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsBack, standsAside } from '../../src/model/stand-aside.js'

/** @param {Record<string, any>} [settings] @param {Record<string, number>} [aside] @returns {any} */
const view = (settings, aside = {}) => ({
  settings: { watch: 'frontier', watching: 'link', late: 'watch', ...settings },
  race: { racers: { 1: { state: 'racing' }, 2: { state: 'racing' }, 3: { state: 'solved' } }, aside },
})
/** @param {number} moves @returns {any} */
const rows = (moves) => ({ 2: { moves }, 3: { moves: 3 } })

test('who is behind all who still race holds the boards back', () => {
  assert.equal(holdsBack(view(), rows(6), 1, 5), true)
  assert.equal(holdsBack(view(), rows(5), 1, 5), false)
  assert.equal(holdsBack(view(), {}, 1, 0), false)
  assert.equal(holdsBack(view({}, { 2: 5 }), rows(5), 1, 5), true, 'who stands aside is not waited for')
})

test('where the boards wait for nobody, nobody holds them back', () => {
  for (const settings of [{ watch: 'open' }, { watching: 'nobody' }, { late: 'join' }]) {
    assert.equal(holdsBack(view(settings), rows(6), 1, 5), false)
  }
  assert.equal(holdsBack({ ...view(), tournament: {} }, rows(6), 1, 5), false)
})

test('a move ends standing aside', () => {
  assert.equal(standsAside(view({}, { 1: 5 }), 1, 5), true)
  assert.equal(standsAside(view({}, { 1: 5 }), 1, 6), false)
  assert.equal(standsAside(view(), 1, 0), false)
})
