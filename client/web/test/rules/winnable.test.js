import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commitmentOf } from '../../src/rules/secret-deal.js'
import { choiceOf, rootFrom } from '../../src/rules/winnable.js'

/** @typedef {{secrets: string[], root: string, paths: string[][], choices: {nonces: string[], index: number}[]}} Draw */

/** @type {Draw[]} */
const DRAWS = JSON.parse(readFileSync(new URL('../../../../shared/vectors/draws.json', import.meta.url), 'utf8'))

test('the path of every secret leads to the root', () => {
  for (const { secrets, root, paths } of DRAWS) {
    for (const [index, secret] of secrets.entries()) assert.equal(rootFrom(commitmentOf(secret), index, paths[index] ?? []), root)
  }
})

test('it leads to no root from another place, from another secret or by another path', () => {
  for (const { secrets, root, paths } of DRAWS) {
    const leaves = secrets.map(commitmentOf)
    for (const [index, path] of paths.entries()) {
      for (const [other, leaf] of leaves.entries()) {
        const leads = [
          rootFrom(leaf, index, path),
          rootFrom(leaves[index] ?? '', other, path),
          rootFrom(leaves[index] ?? '', index, paths[other] ?? []),
        ]
        assert.deepEqual(
          leads.map((one) => one === root),
          Array(3).fill(index === other),
        )
      }
    }
  }
})

test('nonces choose the deal that they choose on the server', () => {
  for (const { root, choices } of DRAWS) {
    for (const { nonces, index } of choices) assert.equal(choiceOf(root, nonces), index)
  }
})
