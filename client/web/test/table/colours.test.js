/** Ink on paper against WCAG's 4.5 : 1 for text, by day and by night. Plain #f00 on white has only 4 : 1. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const PAIR = /--([\w-]+): (?:(#[0-9a-f]{6})|light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\))/g

/** The light and the dark value of every property that has both, or of one that is the same in both. */
const colours = new Map()
for (const path of ['style/tokens.css', 'table/table.css']) {
  const css = readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')
  for (const [, name, same, light, dark] of css.matchAll(PAIR)) colours.set(name, [light ?? same, dark ?? same])
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

test('text has enough contrast on every felt, in both themes, and the first one is that of the page', () => {
  const css = readFileSync(new URL('../../src/style/taste.css', import.meta.url), 'utf8')
  const felts = [...css.matchAll(/\[data-felt='(\w+)'\] \{([^}]*)\}/g)]
  assert.ok(felts.length >= 4)
  for (const [, felt, rules = ''] of felts) {
    const own = new Map([...rules.matchAll(PAIR)].map(([, name, , light, dark]) => [name, [light, dark]]))
    if (felt === 'green') for (const [name, pair] of own) assert.deepEqual(pair, colours.get(name))
    for (const ink of ['on-felt', 'on-felt-soft', 'felt-gold'])
      for (const paper of ['felt', 'felt-deep'])
        for (const theme of [0, 1]) {
          const ratio = contrast((own.get(ink) ?? colours.get(ink))[theme], own.get(paper)?.[theme] ?? '')
          assert.ok(ratio >= 4.5, `${ratio.toFixed(2)} of ${ink} on ${paper} of ${felt}`)
        }
  }
})

/** The papers of each ink. */
const PAPERS = {
  'black red club diamond': 'paper in-hand',
  ink: 'ground surface sunk accent-soft danger-soft gold-soft',
  'ink-soft': 'ground surface sunk',
  'accent accent-strong': 'ground surface sunk accent-soft',
  'on-accent': 'accent accent-strong',
  danger: 'ground surface sunk danger-soft',
  'on-danger': 'danger',
  gold: 'ground surface sunk gold-soft',
  'on-felt on-felt-soft felt-gold': 'felt felt-deep',
}

for (const [inks, papers] of Object.entries(PAPERS)) {
  test(`${inks} has enough contrast on ${papers}, in both themes`, () => {
    for (const ink of inks.split(' '))
      for (const paper of papers.split(' '))
        for (const theme of [0, 1]) {
          const ratio = contrast(colours.get(ink)[theme], colours.get(paper)[theme])
          assert.ok(ratio >= 4.5, `${ratio.toFixed(2)} of ${ink} on ${paper}`)
        }
  })
}
