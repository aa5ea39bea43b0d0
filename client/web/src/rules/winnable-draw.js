/**
 * The draw of a winnable deal: the server commits to 16 secrets with the root of a Merkle tree, and the racers' nonces choose
 * one of them. The recipe is in GAMES.md under "Deals"; the server's code is in shared/fortythieves/rules/winnable.py.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { WINNABLE_DEALS } from '../protocol/constants.js'
import { commitmentOf, deckOfSecret, inOrder, isDealt } from './secret-deal.js'

/** @import { Game } from './games.js' */

const NODE = utf8ToBytes('forty-thieves node v1')
/**
 * The root that a path leads to.
 * @param {string} leaf the commitment of a secret; hexadecimal, as everything here
 * @param {number} index of the leaf, from 0
 * @param {readonly string[]} path from the leaf's sibling upwards
 */
export function rootFrom(leaf, index, path) {
  let node = leaf
  for (const [height, sibling] of path.entries()) {
    const pair = (index >> height) & 1 ? [sibling, node] : [node, sibling]
    node = bytesToHex(sha256(concatBytes(NODE, ...pair.map((one) => hexToBytes(one)))))
  }
  return node
}

/** The index of the deal that the nonces choose. @param {string} root @param {readonly string[]} nonces sorted by seat */
export const choiceOf = (root, nonces) =>
  (hmac(sha256, hexToBytes(root), concatBytes(...nonces.map((nonce) => hexToBytes(nonce))))[0] ?? 0) % WINNABLE_DEALS

/**
 * Whether a race was on the deal that its racers' nonces choose. `nonces`: by seat; `start`: the columns, null: no racer saw them.
 * @param {{game: Game, secret: string, nonces: Readonly<Record<string, string>>, commitment: string, leaf: number,
 *   path: readonly string[], start: readonly string[] | null}} race
 * @returns {'drawn' | 'drawnUnseen' | 'unpromised' | 'unchosen' | 'other'}
 */
export function checkDraw({ game, secret, nonces, commitment, leaf, path, start }) {
  if (rootFrom(commitmentOf(secret), leaf, path) !== commitment) return 'unpromised'
  if (choiceOf(commitment, inOrder(nonces)) !== leaf) return 'unchosen'
  if (!start) return 'drawnUnseen'
  return isDealt(game, deckOfSecret(secret, []), start) ? 'drawn' : 'other'
}
