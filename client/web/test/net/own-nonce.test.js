import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newNonce, nonceCommitmentOf } from '../../src/net/own-nonce.js'
import * as proof from '../../src/rules/secret-deal.js'

test('each nonce is new, and has one commitment, also without the browser’s hash', async () => {
  assert.match(newNonce(), /^[0-9a-f]{32}$/)
  assert.notEqual(newNonce(), newNonce())
  for (const nonce of ['00'.repeat(16), 'ab'.repeat(16), newNonce()]) {
    const commitment = proof.nonceCommitmentOf(nonce)
    assert.equal(await nonceCommitmentOf(nonce), commitment)
    assert.equal(await nonceCommitmentOf(nonce, /** @type {any} */ ({})), commitment)
  }
})
