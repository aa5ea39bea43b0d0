/** Ink on paper as in table.css, against WCAG's 4.5 : 1 for text. Plain #f00 on white has only 4 : 1. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync(new URL('../../src/table/table.css', import.meta.url), 'utf8')

/** The light and the dark value of every property that has both. */
const colours = new Map()
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)) {
  colours.set(name, [light, dark])
}

/** @param {string} hex */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

for (const ink of ['black', 'red', 'club', 'diamond']) {
  test(`${ink} can be read on paper, in the hand too, by day and by night`, () => {
    for (const paper of ['paper', 'in-hand']) {
      for (const theme of [0, 1]) {
        const ratio = contrast(colours.get(ink)[theme], colours.get(paper)[theme])
        assert.ok(ratio >= 4.5, `${ratio.toFixed(2)} on ${paper}`)
      }
    }
  })
}
