/**
 * The proof of a deal. After a race the server publishes the secret, and anyone can compute the commitment and the deck from
 * it. The recipe is in GAMES.md under "Secret deals".
 *
 * A library computes the hash, because `crypto.subtle` does not exist on a plain-http address in the local network, where
 * friends play. This module is not needed before the end of a race.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { Board } from './board.js'
import { shuffled } from './cards.js'
import { committedBytes } from './nonce.js'

/** @import { Card } from './cards.js' */
/** @import { Game } from './games.js' */

const PREFIX = utf8ToBytes('forty-thieves deal v1')

/** The commitment to the secret, public since the race was set up. @param {string} secret hexadecimal, as everything here */
export const commitmentOf = (secret) => bytesToHex(sha256(concatBytes(PREFIX, hexToBytes(secret))))

/** The commitment to a racer's nonce, public from the countdown on. @param {string} nonce */
export const nonceCommitmentOf = (nonce) => bytesToHex(sha256(committedBytes(nonce)))

/** @param {string} secret @param {readonly string[]} nonces sorted by seat @returns {Card[]} in deal order */
export function deckOfSecret(secret, nonces) {
  const words = stream(hmac(sha256, hexToBytes(secret), concatBytes(...nonces.map((nonce) => hexToBytes(nonce)))))
  return shuffled((below) => uniform(words, below))
}

/**
 * Whether a race was on the deal of the committed secret. `nonces`: by seat; `start`: the columns, null: no racer saw them.
 * @param {{game: Game, secret: string, nonces: Readonly<Record<string, string>>, commitment: string,
 *   start: readonly string[] | null}} race
 * @returns {'verified' | 'kept' | 'broken' | 'other'}
 */
export function checkDeal({ game, secret, nonces, commitment, start }) {
  if (commitmentOf(secret) !== commitment) return 'broken'
  if (!start) return 'kept'
  return isDealt(game, deckOfSecret(secret, inOrder(nonces)), start) ? 'verified' : 'other'
}

/** Nonces sorted by seat. @param {Readonly<Record<string, string>>} nonces by seat */
export const inOrder = (nonces) =>
  Object.entries(nonces)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, nonce]) => nonce)

/** Whether a deck gives these columns. @param {Game} game @param {Card[]} deck @param {readonly string[]} start */
export const isDealt = (game, deck, start) => Board.deal(game, deck).start.join() === start.join()

/** The key's stream of big-endian 32-bit words. @param {Uint8Array} key @returns {Generator<number, never>} */
function* stream(key) {
  for (let block = 0n; ; block += 1n) {
    const counter = new DataView(new ArrayBuffer(8))
    counter.setBigUint64(0, block)
    const bytes = hmac(sha256, key, new Uint8Array(counter.buffer))
    const words = new DataView(bytes.buffer, bytes.byteOffset)
    for (let at = 0; at < bytes.length; at += 4) yield words.getUint32(at)
  }
}

/** @param {Generator<number, never>} words @param {number} n */
function uniform(words, n) {
  const limit = 2 ** 32 - (2 ** 32 % n)
  for (;;) {
    const word = words.next().value
    if (word < limit) return word % n
  }
}
