import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ghostFragment, ghostNameOf, practiceFragment, practiceOf } from '../../src/model/link-fragments.js'

test('ghosts and practised deals are read back from their links', () => {
  const ghost = { code: 'KQXWVD', race: 3, seat: 12 }
  assert.deepEqual(ghostNameOf(ghostFragment(ghost)), ghost)
  for (const hash of ['', '#ghost=', '#ghost=KQXWVD/0/1', '#ghost=kqxwvd/1/1', '#ghost=KQXWVD/1/1x', '#t=4'])
    assert.equal(ghostNameOf(hash), null, hash)
  assert.deepEqual(practiceOf(practiceFragment('number-ten', '32313')), { game: 'number-ten', number: '32313' })
  for (const hash of ['', '#number-ten', '#=1', '#lucas=-1', '#tournament']) assert.equal(practiceOf(hash), null, hash)
})
