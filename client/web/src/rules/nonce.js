/** The commitment to a racer's nonce, made before any racer reveals one: GAMES.md, "Secret deals". Callers compute the hash. */

const PREFIX = new TextEncoder().encode('forty-thieves nonce v1')

/** The bytes to hash. Their hash binds the racer to the nonce and does not reveal it. @param {string} nonce hexadecimal */
export const committedBytes = (nonce) =>
  new Uint8Array([...PREFIX, ...(nonce.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))])
