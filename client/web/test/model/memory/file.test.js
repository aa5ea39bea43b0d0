import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileOf, LARGEST, memoryOf } from '../../../src/model/memory/file.js'
import { emptyMemory, MOST_PLAYS, Unusable, withPlay } from '../../../src/model/memory/memory.js'
import { playOfPractice } from '../../../src/model/memory/plays.js'

/** A memory with all that it can have. */
function full() {
  let memory = emptyMemory('a'.repeat(16))
  for (let i = 1; i <= MOST_PLAYS + 5; i++) {
    const play = playOfPractice({ game: 'lucas', name: `lucas:${32000 + i}` }, i, { state: 'solved', ms: i, home: 104 })
    memory = withPlay(memory, i % 2 ? play : { ...play, id: `KQXWVD/${i}`, kind: 'day', of: 'ABCDEF' })
  }
  return memory
}

/** @param {string} text */
const faultOf = (text) => {
  try {
    memoryOf(text)
    return null
  } catch (error) {
    return error instanceof Unusable ? error.message : error
  }
}

test('a file has all of a memory, and is far smaller than the largest', () => {
  const memory = full()
  assert.deepEqual(memoryOf(fileOf(memory)), memory)
  assert.ok(fileOf(memory).length < LARGEST / 5)
})

test('a torn, foreign or newer file says so', () => {
  const text = fileOf(full())
  for (const length of [0, 1, 100, text.length - 1]) assert.equal(faultOf(text.slice(0, length)), 'torn')
  for (const foreign of ['null', '5', '[]', '{}', '{"format": "forty-thieves-tournament"}']) {
    assert.equal(faultOf(foreign), 'foreign')
  }
  assert.equal(faultOf(JSON.stringify({ ...JSON.parse(text), version: 2 })), 'newer')
})

test('a file with any wrong value is refused', () => {
  const plain = JSON.parse(fileOf(full()))
  const device = plain.device
  /** @type {((file: any) => void)[]} */
  const changes = [
    (file) => (file.device = 'me'),
    (file) => (file.base = []),
    (file) => (file.base[device].until = -1),
    (file) => (file.base[device].totals['practice/lucas'].games = -1),
    (file) => (file.base[device].totals['other/lucas'] = file.base[device].totals['practice/lucas']),
    (file) => (file.base[device].totals = null),
    (file) => (file.days = [[2, 1]]),
    (file) => (file.days = {}),
    (file) => file.plays.push(file.plays[0]),
    (file) => (file.plays[0].id = 'javascript:alert(1)'),
    (file) => (file.plays[0].state = 'unknown'),
    (file) => (file.plays[0].more = 1),
    (file) => (file.plays[0] = null),
    (file) => (file.plays[0].at = '5'),
    (file) => (file.version = 0),
  ]
  for (const change of changes) {
    const file = structuredClone(plain)
    change(file)
    assert.equal(faultOf(JSON.stringify(file)), 'torn', String(change))
  }
})
