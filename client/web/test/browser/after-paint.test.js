import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAfterPaint } from '../../src/browser/after-paint.js'

/** A window that paints when the test calls `paint`. */
function paintable() {
  /** @type {(() => void)[]} */
  const frames = []
  /** @type {(() => void)[]} */
  const tasks = []
  /** @type {string[]} */
  const seen = []
  const later = createAfterPaint(
    /** @type {any} */ ({
      requestAnimationFrame: (/** @type {() => void} */ run) => frames.push(run),
      setTimeout: (/** @type {() => void} */ run) => tasks.push(run),
    }),
  )
  return {
    later,
    seen,
    paint() {
      for (const run of frames.splice(0)) run()
      seen.push('paint')
      for (const run of tasks.splice(0)) run()
    },
  }
}

test('what is put off comes after the next paint, and only once', () => {
  const { later, seen, paint } = paintable()
  later.do(() => seen.push('words'))
  assert.deepEqual(seen, [])
  paint()
  paint()
  assert.deepEqual(seen, ['paint', 'words', 'paint'])
})

test('only the last thing that was put off is done', () => {
  const { later, seen, paint } = paintable()
  later.do(() => seen.push('old'))
  later.do(() => seen.push('new'))
  paint()
  later.do(() => seen.push('newer'))
  paint()
  assert.deepEqual(seen, ['paint', 'new', 'paint', 'newer'])
})

test('it can be done at once, or not at all', () => {
  const { later, seen, paint } = paintable()
  later.do(() => seen.push('words'))
  later.now()
  paint()
  later.do(() => seen.push('never'))
  later.drop()
  paint()
  assert.deepEqual(seen, ['words', 'paint', 'paint'])
})
