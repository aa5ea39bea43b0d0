import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf } from '../../../src/model/tournament/desk.js'
import { checkInOf, isCheckedIn, presenceOf } from '../../../src/model/tournament/rounds.js'
import { checkInText, deedSaying, planRules } from '../../../src/model/tournament/words.js'
import { entrant, entrants, PLAN, textOf, tournament, viewOf } from './views.js'

/** @import { AuditEntry } from '../../../src/protocol/protocol.d.ts' */

const MINUTE = 60_000
const times = { opens: 60 * MINUTE, ends: 120 * MINUTE, over: false, here: { 1: true, 3: true } }
const event = tournament({
  check_in: times,
  entrants: { ...entrants(4), 3: entrant('Cleo', 'withdrawn', 'left') },
})

/** @param {number} now */
const textAt = (now) => {
  const asked = checkInOf(event, now)
  return asked && checkInText(asked, now)
}

test('check-in opens, has a time left, and ends', () => {
  assert.match(textAt(0) ?? '', /^Check-in opens at /)
  assert.equal(textAt(110 * MINUTE), 'Check in: 10:00 left')
  assert.equal(checkInOf(tournament({ check_in: { ...times, over: true } }), 0)?.is, 'over')
  assert.equal(checkInOf(tournament({ check_in: { ...times, opens: null, ends: null } }), 0)?.is, 'unknown')
  assert.equal(checkInOf(tournament({}), 0), null)
  assert.equal(checkInOf(tournament({ check_in: times, round: 1 }), 0), null)
})

test('hosts see who is here and who is missing, also after the end', () => {
  assert.deepEqual(presenceOf(event), { here: [1], missing: [2, 4] })
  const ended = { ...event.entrants, 4: entrant('Dan', 'withdrawn', 'check_in') }
  const over = tournament({ check_in: { ...times, over: true }, entrants: ended })
  assert.deepEqual(groupsOf(viewOf(over)).missing, [2, 4])
  assert.deepEqual(presenceOf(tournament({})), { here: [], missing: [] })
  assert.equal(isCheckedIn(event, 2), false)
})

test('the actions of clock and hosts and the rules of check-in have texts', () => {
  const saidOf = (/** @type {AuditEntry} */ deed) => textOf(deedSaying(deed, (seat) => ['', 'Ann', 'Bob'][seat]))
  assert.equal(saidOf([0, null, 'check_in_ended', null, '2']), 'Check-in ended. 2 entrants did not check in.')
  assert.equal(saidOf([0, null, 'check_in_ended', null, '0']), 'Check-in ended. Everyone is in.')
  assert.equal(saidOf([0, 1, 'checked_in', 2, '']), 'Ann checked Bob in')
  assert.equal(saidOf([0, null, 'entry_closed', null, '']), 'Registration closed at its time')
  assert.equal(saidOf([0, 1, 'entry_closed', null, '']), 'Ann closed registration')
  assert.equal(saidOf([0, 1, 'entry_opened', null, '']), 'Ann opened registration again')
  const rules = Object.fromEntries(planRules({ ...PLAN, most: 40, entry_closes: 1800, check_in: 600 }))
  assert.equal(rules['Most entrants'], '40 entrants')
  assert.match(rules['Registration closes'], /30 minutes before the start/)
  assert.match(rules['Check-in'], /10 minutes before the first round/)
})
