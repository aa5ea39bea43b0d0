import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesToCome, overlayOf, STAYS, seatShown } from '../../../src/model/watch/overlay.js'
import { joined } from '../../helpers.js'

/** @param {number} seat @param {number} home @returns {any} */
const lane = (seat, home) => ({ seat, home, state: 'racing' })

test('the URL has the content and the size, and invalid options are ignored', () => {
  assert.deepEqual(overlayOf(''), { lanes: 6, board: null, width: 420, scale: 1 })
  assert.deepEqual(overlayOf('?lanes=3&width=600&scale=1.5'), { lanes: 3, board: null, width: 600, scale: 1.5 })
  assert.deepEqual(overlayOf('?board=leader'), { lanes: 6, board: 'leader', width: 960, scale: 1 })
  assert.equal(overlayOf('?board=2').board, 2)
  assert.deepEqual(overlayOf('?lanes=1e9&width=-5&scale=x&board=-1'), { lanes: 20, board: null, width: 200, scale: 1 })
  assert.equal(overlayOf('?board=<b>').board, null)
})

test('the leader’s board stays for a while, another only if the seat races', () => {
  const shown = { seat: 1, since: 1000 }
  const none = { seat: 0, since: 0 }
  const passed = [lane(2, 9), lane(1, 8)]
  assert.equal(joined([-1, 0].map((ms) => seatShown('leader', passed, shown, 1000 + STAYS + ms))), '1 2')
  assert.equal(seatShown('leader', [lane(2, 9), lane(1, 9)], shown, 1000 + STAYS), 1, 'level')
  assert.deepEqual([seatShown('leader', [lane(2, 0), lane(3, 0)], none, 5), seatShown('leader', [], none, 5)], [2, 0])
  assert.equal(joined([2, 7].map((seat) => seatShown(seat, passed, none, 0))), '2 0')
})

test('before the start there is a lane for everyone in the room', () => {
  const people = { 1: { name: 'Ann', here: true }, 2: { name: 'Bob', here: false }, 4: { name: 'Cleo', bot: true, here: false } }
  const view = /** @type {any} */ ({ people, race: { number: 1 } })
  assert.equal(joined(lanesToCome(view).map(({ seat, name, home }) => [seat, name, home])), '1,Ann,0 4,Cleo,0')
  assert.deepEqual(lanesToCome({ ...view, tournament: {} }), [])
})
