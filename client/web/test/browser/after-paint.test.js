import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAfterPaint } from '../../src/browser/after-paint.js'

test('the last function given runs after the next paint, immediately or never', () => {
  /** @type {(() => void)[]} */
  const frames = []
  /** @type {(() => void)[]} */
  const tasks = []
  /** @type {string[]} */
  const seen = []
  const requestAnimationFrame = (/** @type {() => void} */ run) => frames.push(run)
  const later = createAfterPaint(
    /** @type {any} */ ({ requestAnimationFrame, setTimeout: (/** @type {() => void} */ run) => tasks.push(run) }),
  )
  function paint() {
    for (const run of frames.splice(0)) run()
    seen.push('|')
    for (const run of tasks.splice(0)) run()
  }
  later.do(() => seen.push('old'))
  later.do(() => seen.push('new'))
  paint()
  later.do(() => seen.push('newer'))
  paint()
  paint()
  later.do(() => seen.push('now'))
  later.now()
  paint()
  later.do(() => seen.push('never'))
  later.drop()
  paint()
  assert.equal(seen.join(' '), '| new | newer | now | |')
})
