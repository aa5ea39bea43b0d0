/**
 * The decks of numbered deals, in the order of PySolFC, which shuffles with Python's `random.Random(number)`. This is the
 * Mersenne Twister MT19937 of Matsumoto and Nishimura, seeded by an array as in their `init_by_array`. The recipe is in
 * GAMES.md under "Numbered deals".
 */
import { HIGHEST_NUMBER, LOWEST_NUMBER } from '../protocol/constants.js'
import { shuffled } from './cards.js'
import { nth } from './nth.js'

/** @import { Card } from './cards.js' */

/** The number of words in the state, and the distance to the word that is mixed in. */
const N = 624
const M = 397

/** @param {string} text the number as text, because most are too large for a JavaScript number @returns {Card[]} in deal order */
export function deckOfNumber(text) {
  const number = /^[1-9][0-9]{0,20}$/.test(text) ? BigInt(text) : 0n
  if (number < LOWEST_NUMBER || number > HIGHEST_NUMBER) throw new RangeError(`there is no deal of the number ${text}`)
  const next = floats(twister(words(number)))
  // The last card of the list is dealt first.
  return shuffled((below) => Math.floor(next() * below)).reverse()
}

/** A number as 32-bit words, the lowest first. @param {bigint} number */
function words(number) {
  const key = []
  for (let rest = number; rest > 0n; rest >>= 32n) key.push(Number(rest & 0xffffffffn))
  return key
}

/** Floats from 0 up to 1, of 53 random bits each. @param {() => number} next */
const floats = (next) => () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000

/** A source of 32-bit words. @param {readonly number[]} key @returns {() => number} */
function twister(key) {
  const state = seeded(key)
  let at = N
  return () => {
    if (at === N) {
      turn(state)
      at = 0
    }
    let word = nth(state, at)
    at += 1
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }
}

/** A word of the state, its highest bits mixed into its lowest. @param {Uint32Array} state @param {number} i */
const mixed = (state, i) => nth(state, i) ^ (nth(state, i) >>> 30)

/** The state that a key gives, by `init_genrand` and `init_by_array`. @param {readonly number[]} key */
function seeded(key) {
  const state = new Uint32Array(N)
  state[0] = 19650218
  for (let i = 1; i < N; i += 1) state[i] = Math.imul(1812433253, mixed(state, i - 1)) + i
  let i = 1
  let j = 0
  const step = (/** @type {number} */ factor, /** @type {number} */ plus) => {
    state[i] = (nth(state, i) ^ Math.imul(mixed(state, i - 1), factor)) + plus
    i += 1
    if (i === N) {
      state[0] = nth(state, N - 1)
      i = 1
    }
  }
  for (let k = Math.max(N, key.length); k > 0; k -= 1) {
    step(1664525, nth(key, j) + j)
    j = (j + 1) % key.length
  }
  for (let k = N - 1; k > 0; k -= 1) step(1566083941, -i)
  state[0] = 0x80000000
  return state
}

/** The next 624 words. @param {Uint32Array} state */
function turn(state) {
  for (let i = 0; i < N; i += 1) {
    const both = (nth(state, i) & 0x80000000) | (nth(state, (i + 1) % N) & 0x7fffffff)
    state[i] = nth(state, (i + M) % N) ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0)
  }
}
