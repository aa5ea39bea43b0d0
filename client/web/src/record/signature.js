/**
 * Ed25519 signatures, and which keys and signatures are refused though the mathematics would accept them.
 *
 * There are eight points of the curve with an order that divides eight. With one of them as the key and as R, S = 0 is a signature of
 * any content, or of every eighth, without a secret. The program `forty-thieves verify` refuses the same
 * (shared/fortythieves/record/signature.py).
 *
 * `crypto.subtle` does not exist on a plain-http address in the local network, where friends play, so signatures are checked by
 * a library. Nothing in here is needed before a race is over.
 */
import { hashes, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'

hashes.sha512 = sha512

const KEY_BYTES = 32

const P = 2n ** 255n - 19n
/** The y of two of the four points of order 8; the y of the other two is its negative. */
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n
/** A point and its negative share y, so five of them belong to the eight points: orders 4, 1, 2, and 8. */
const SMALL_ORDER = [0n, 1n, P - 1n, Y8, P - Y8]

/**
 * Whether 32 bytes may be a key, or the R of a signature: canonical, and not of small order. RFC 8032, 5.1.3: y is a number
 * below p, written with its lowest byte first; the highest bit is the sign of x.
 * @param {Uint8Array} point
 */
export function isSound(point) {
  if (point.length !== KEY_BYTES) return false
  const number = point.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const y = number & (2n ** 255n - 1n)
  return y < P && !SMALL_ORDER.includes(y)
}

/** Whether the key has signed the content. @param {Uint8Array} content @param {string} signature hex @param {string} key hex */
export function isSigned(content, signature, key) {
  try {
    const [signed, by] = [hexToBytes(signature), hexToBytes(key)]
    return isSound(by) && isSound(signed.slice(0, KEY_BYTES)) && verify(signed, content, by, { zip215: false })
  } catch {
    return false // The key is no point of the curve.
  }
}

/** Whether a text is a key that somebody can have signed with, and nobody else. @param {unknown} key */
export const isKey = (key) => typeof key === 'string' && /^[0-9a-f]{64}$/.test(key) && isSound(hexToBytes(key))
