import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ghostFragment,
  ghostsIn,
  linkParts,
  practiceFragment,
  practiceOf,
  ticketFragment,
  ticketOf,
} from '../../src/model/link-fragments.js'

test('ghosts and practised deals are read back from their links', () => {
  assert.deepEqual(
    [0, 12, /** @type {const} */ ('all')].map((ghosts) => ghostsIn(ghostFragment(ghosts))),
    [0, 12, 'all'],
  )
  for (const hash of ['', '#play=', '#play=x', '#play=1x', '#play=allx', '#t=4']) assert.equal(ghostsIn(hash), null, hash)
  assert.deepEqual(practiceOf(practiceFragment('number-ten', '32313')), { game: 'number-ten', number: '32313' })
  for (const hash of ['', '#number-ten', '#=1', '#lucas=-1', '#tournament']) assert.equal(practiceOf(hash), null, hash)
})

/** What may be behind a link: signs, some of them in code, and words. */
const SIGNS = ['', '.', ',', ').', ']', '>', '”', '…', '/', '%', '#']
const BEHIND = [...SIGNS, '%20', '%20and more', ' and more', '\n', '%E2%80%A6', '%3E', '%23']

test('what a program takes into a link behind it is left out, and %23 is #', () => {
  const ticket = 'a-b_c4567890123456789-'
  const fragments = [ticketFragment(ticket), ghostFragment(12), '#lucas=32001', '#t=83.4']
  for (const fragment of ['', ...fragments, '#card=23&board=2'])
    for (const path of ['/r/KQXWVD', '/r/KQXWVD/w', '/practice', '/'])
      for (const behind of BEHIND)
        for (const hash of ['#', '%23', '/#'])
          assert.deepEqual(linkParts(path + fragment.replace('#', hash) + behind), [path, fragment], path + fragment + behind)
  assert.deepEqual(linkParts('/series#name=Cup+%231&events=KQXWVD).'), ['/series', '#name=Cup+%231&events=KQXWVD'])
  for (const behind of ['', '_', '--', '&utm_source=x', ',Ann', 'Next'])
    assert.equal(ticketOf(ticketFragment(ticket) + behind), ticket)
  for (const link of ['//R/KQXWVD#', '/r/KQXWVD&utm=1#', '/r/KQXWVD%3Fx#', '/%72/KQXWVD_%2523', '/r/KQXWVD|a#'])
    for (const entry of [`entry=${ticket}?utm_source=x`, `entry%3D${ticket.replaceAll('-', '%2D')}`])
      assert.deepEqual(linkParts(link + entry), ['/r/KQXWVD', ticketFragment(ticket)], link + entry)
  assert.deepEqual(ghostsIn(linkParts('/r/KQXWVD/3#play%3D12&fbclid=x')[1]), 12)
  assert.equal(practiceOf('#lucas=32001&utm_source=x')?.number, '32001')
  for (const end of ['%', '%20', '.', '%%2', '%41', '-']) assert.equal(linkParts(`/r/${end.repeat(100_000)}x/w`).length, 2)
})
