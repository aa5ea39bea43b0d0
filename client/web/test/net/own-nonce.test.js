import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newNonce, nonceCommitmentOf } from '../../src/net/own-nonce.js'
import * as proof from '../../src/rules/secret-deal.js'

test('each number is another one', () => {
  const [one, other] = [newNonce(), newNonce()]
  assert.match(one, /^[0-9a-f]{32}$/)
  assert.notEqual(one, other)
})

test('a browser that has no hash, and who checks the record, say the same of a number', async () => {
  for (const nonce of ['00'.repeat(16), 'ab'.repeat(16), newNonce()]) {
    const commitment = proof.nonceCommitmentOf(nonce)
    assert.equal(await nonceCommitmentOf(nonce), commitment)
    assert.equal(await nonceCommitmentOf(nonce, /** @type {any} */ ({})), commitment)
  }
})
