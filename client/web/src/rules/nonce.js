/** What is said of a racer's number before anybody reveals one: GAMES.md, "Secret deals". Its hash is taken elsewhere. */

const PREFIX = new TextEncoder().encode('forty-thieves nonce v1')

/** What is hashed: that binds, and it gives nothing away. @param {string} nonce hexadecimal */
export const committedBytes = (nonce) =>
  new Uint8Array([...PREFIX, ...(nonce.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))])
