import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals'
import { createMemory, keepRaces } from '../../src/browser/memory.js'
import { totalsOf, Unusable } from '../../src/model/memory/memory.js'
import { playOfPractice } from '../../src/model/memory/plays.js'
import { raceOf, settle, storage } from '../helpers.js'

const won = playOfPractice({ game: 'lucas', name: 'lucas:32001' }, 1000, { state: 'solved', ms: 500.4, home: 104 })

/** A browser that allows no access, as some do in private windows. */
const blocked = () => {
  throw new Error('SecurityError')
}

test('without IndexedDB a memory lasts as long as the page, and says so', async () => {
  const memory = createMemory(storage(), blocked)
  const { plays } = await memory.keep(won)
  assert.deepEqual([plays.length, plays[0].ms, memory.isKept()], [1, 500, false])
  assert.deepEqual((await memory.read()).plays, plays)
  const refuse = () => {
    throw new Unusable('torn')
  }
  await assert.rejects(memory.change(refuse), Unusable)
  assert.deepEqual((await memory.forget()).plays, [])
})

test('wins in practice that an earlier release has stored go on', async () => {
  const store = storage()
  store.remember('practice', JSON.stringify([{ game: 'lucas', streak: 2, best: 400.5, deal: null, known: null }]))
  const total = totalsOf(await createMemory(store, blocked).keep(won)).get('practice/lucas')
  assert.deepEqual([total?.wins, total?.streak, total?.best], [3, 3, 401])
})

test('a race is kept from the first move of the player on', async () => {
  const view = { ...raceOf({ 1: {} }, { number: 1, game: 'lucas' }), code: 'KQXWVD' }
  const room = signal(/** @type {any} */ (null))
  const shown = signal(/** @type {any} */ (null))
  /** @type {any[]} */
  const kept = []
  keepRaces(/** @type {any} */ ({ room, shown }), { keep: async (play) => void kept.push(play) })
  room.value = { view, seat: 1 }
  shown.value = { race: 1, moves: 0, board: { home: 8 } }
  assert.equal(kept.length, 0)
  shown.value = { race: 1, moves: 1, board: { home: 9 } }
  shown.value = { race: 1, moves: 2, board: { home: 9 } }
  room.value = { view: { ...view, race: { ...view.race, over_at: 5000 } }, seat: 1 }
  room.value = null
  await settle()
  assert.deepEqual(
    kept.map(({ id, stage }) => [id, stage]),
    [
      ['KQXWVD/1', 0],
      ['KQXWVD/1', 2],
    ],
  )
})
