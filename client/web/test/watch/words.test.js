import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatText, shownText, waitsFor } from '../../src/watch/words.js'

/** @import { Settings } from '../../src/protocol/protocol.d.ts' */

const SETTINGS = /** @type {Settings} */ ({ late: 'watch', watch: 'frontier', delay: 60, after_win: 120, hints: false })

/** @param {string} policy @param {Record<string, any>} [more] */
function text(policy, more = {}) {
  const { waits = null, hidden = null, late = 'watch', undo = 'turned', start = ['9S'], now = 0 } = more
  const settings = { ...SETTINGS, late, undo }
  return shownText({ waits, gallery: { policy, start }, hidden, settings, starts: 0, now }).short
}

test('the frontier names the last card that all racers have drawn', () => {
  const hidden = { race: 1, stock: 23 }
  assert.equal(text('frontier', { hidden }), 'Held back to the slowest racer (no tipping): stock card 23.')
  assert.match(text('frontier', { hidden: { ...hidden, stock: 0 } }), /when all racers have drawn a card/)
  assert.match(text('frontier'), /slowest racer/)
  assert.equal(text('frontier', { hidden, undo: 'free' }), 'Only the deal is shown: any move can be undone.')
})

test('the frontier names the racer who is away, has not moved or gives up, while all boards wait for that racer', () => {
  const lane = (/** @type {string} */ name, /** @type {object} */ more) =>
    /** @type {any} */ ({ name, state: 'racing', moves: 9, stock: 50, awayAt: null, gaveUpAt: null, ...more })
  const said = (/** @type {any[]} */ ...lanes) =>
    text('frontier', { waits: waitsFor(lanes, { race: 1, stock: 7 }, 'lucas'), hidden: { stock: 7 } })
  const ann = lane('Ann', { stock: 40 })
  assert.equal(said(ann, lane('Bob', { awayAt: 9 })), 'Boards wait for Bob, who is away.')
  assert.equal(said(ann, lane('Bob', { stock: 57, moves: 0 })), 'Boards wait for Bob, who has not moved yet.')
  assert.equal(said(ann, lane('Bob', { gaveUpAt: 9 })), 'Boards wait for Bob, who may still take giving up back.')
  for (const no of [lane('Bob', {}), lane('Bob', { awayAt: 9, stock: 40 }), lane('Bob', { awayAt: 9, state: 'gave_up' })])
    assert.match(said(ann, no), /stock card 7/)
})

test('each policy has its own text, with a delay or a restriction', () => {
  assert.equal(text('frontier', { late: 'join' }), 'Only the deal is shown: people can still join.')
  assert.match(text('delayed', { start: null, now: 18_500 }), /1 minute late\. The boards open in 0:42/)
  assert.equal(text('delayed'), 'Shown 1 minute late.')
  const all = ['progress', 'frontier', 'delayed', 'open', 'over'].map((policy) => text(policy))
  assert.equal(new Set(all).size, all.length)
  assert.match(shownText({ waits: null, gallery: null, hidden: null, settings: SETTINGS, starts: 0, now: 0 }).short, /Loading/)
})

test('a chat during a race says who reads it', () => {
  assert.match(chatText(false, true), /once they are done/)
  assert.match(chatText(true, true), /once they are done/)
  assert.equal(chatText(false, false), '')
})
