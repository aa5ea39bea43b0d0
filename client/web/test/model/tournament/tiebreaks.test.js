import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TIEBREAKS, tiebreaksOf } from '../../../src/model/tournament/tiebreaks.js'

const TEXT = readFileSync(new URL('../../../../../shared/TOURNAMENTS.md', import.meta.url), 'utf8')

test('the tie-breaks of each format are those of TOURNAMENTS.md, by default and to choose from', () => {
  for (const [format, known] of Object.entries(TIEBREAKS)) {
    const line = new RegExp(`^\`${format}\` \\|(.*)\\|(.*)$`, 'm').exec(TEXT)
    const [usual, more] = [1, 2].map((cell) => [...(line?.[cell] ?? '').matchAll(/`(\w+)`/g)].map((found) => found[1]))
    assert.deepEqual(tiebreaksOf({ format }), usual)
    assert.deepEqual([...known].sort(), [...usual, ...more].sort())
  }
})

test('what a host has chosen decides', () => {
  assert.deepEqual(tiebreaksOf({ format: 'swiss', tiebreaks: ['direct'] }), ['direct'])
})
