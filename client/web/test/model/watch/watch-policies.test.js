import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNarrower, POLICIES, policiesWhere } from '../../../src/model/watch/watch-policies.js'

test('a policy is as narrow as itself and narrower than later ones', () => {
  for (const [i, watch] of POLICIES.entries()) {
    for (const [j, before] of POLICIES.entries()) {
      assert.equal(isNarrower({ watch, delay: 60 }, { watch: before, delay: 60 }), i <= j, `${watch} after ${before}`)
    }
  }
})

test('a longer delay shows less, and late racers need narrow policies', () => {
  assert.ok(isNarrower({ watch: 'delayed', delay: 120 }, { watch: 'delayed', delay: 60 }))
  assert.ok(!isNarrower({ watch: 'delayed', delay: 30 }, { watch: 'delayed', delay: 60 }))
  assert.deepEqual(policiesWhere('join'), ['progress', 'frontier'])
  assert.deepEqual(policiesWhere('watch'), POLICIES)
})
