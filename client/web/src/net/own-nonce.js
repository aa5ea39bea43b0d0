/** A racer's share in the deal, 16 random bytes in hexadecimal, and what is said of it before it is revealed. */
import { committedBytes } from '../rules/nonce.js'

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const newNonce = () => hexOf(crypto.getRandomValues(new Uint8Array(16)))

/**
 * Browsers have the hash for it, unless the page came over plain HTTP from another machine, as in a home network: there, a
 * library is loaded.
 *
 * @param {string} nonce
 * @param {Pick<Crypto, 'subtle'>} [browser]
 */
export async function nonceCommitmentOf(nonce, { subtle } = crypto) {
  if (!subtle) return (await import('../rules/secret-deal.js')).nonceCommitmentOf(nonce)
  return hexOf(new Uint8Array(await subtle.digest('SHA-256', committedBytes(nonce))))
}
