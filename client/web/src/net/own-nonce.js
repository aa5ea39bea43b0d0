/** A racer's nonce for the deal (16 random bytes in hexadecimal), and the commitment to it that is sent before the reveal. */
import { committedBytes } from '../rules/nonce.js'

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const newNonce = () => hexOf(crypto.getRandomValues(new Uint8Array(16)))

/**
 * Browsers offer SHA-256 only to secure pages. On a page over plain HTTP, as in a home network, a library computes it.
 * @param {string} nonce @param {Pick<Crypto, 'subtle'>} [browser]
 */
export async function nonceCommitmentOf(nonce, { subtle } = crypto) {
  if (!subtle) return (await import('../rules/secret-deal.js')).nonceCommitmentOf(nonce)
  return hexOf(new Uint8Array(await subtle.digest('SHA-256', committedBytes(nonce))))
}
