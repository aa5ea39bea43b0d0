import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepMoves, keptMoves } from '../../src/browser/kept-practice.js'

function tab() {
  const kept = new Map()
  return () => ({ getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: kept.set.bind(kept) })
}

test('the moves of the last deal are kept, and those of no other', () => {
  const here = tab()
  assert.deepEqual(keptMoves('lucas:7', here), [])
  keepMoves('lucas:7', ['draw', '1-2', 'undo'], here)
  assert.deepEqual(keptMoves('lucas:7', here), ['draw', '1-2', 'undo'])
  assert.deepEqual(keptMoves('lucas:8', here), [])
  keepMoves('lucas:8', [], here)
  assert.deepEqual(keptMoves('lucas:7', here), [])
  assert.deepEqual(keptMoves('lucas:8', here), [])
})

test('where storage is blocked or full, nothing is kept', () => {
  const blocked = () => {
    throw new Error('SecurityError')
  }
  keepMoves('lucas:7', ['draw'], blocked)
  assert.deepEqual(keptMoves('lucas:7', blocked), [])
})
