/**
 * MessagePack from anywhere: with the values that JSON has, and nothing else.
 *
 * The library reserves as much memory as the head of a list asks for, list within list; this takes only existing items. Data
 * from the server, which is trusted, is read by the library.
 */

/** No record is deeper than this. */
const DEEPEST = 32

/** Well-formed, but with values that JSON does not have: bytes, extension types, or a key that is no text. */
export class Foreign extends Error {}

/**
 * The value that these bytes are. Throws `Foreign`, or a RangeError or TypeError for bytes that are no MessagePack.
 * @param {Uint8Array} bytes @returns {unknown}
 */
export function unpack(bytes) {
  const reader = new Reader(bytes)
  const value = reader.value(0)
  if (reader.at !== bytes.length) throw new RangeError('something comes after the end')
  if (reader.foreign) throw new Foreign()
  return value
}

class Reader {
  at = 0
  /** Whether there was something in it that JSON does not have. */
  foreign = false
  #bytes
  #view
  #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    if (depth > DEEPEST) throw new RangeError('too deep')
    const head = this.#number('getUint8', 1)
    if (head < 0x80) return head
    if (head < 0x90) return this.#map(head & 0xf, depth)
    if (head < 0xa0) return this.#list(head & 0xf, depth)
    if (head < 0xc0) return this.#text(head & 0x1f)
    if (head >= 0xe0) return head - 0x100
    switch (head) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xca:
        return this.#number('getFloat32', 4)
      case 0xcb:
        return this.#number('getFloat64', 8)
      case 0xcc:
        return this.#number('getUint8', 1)
      case 0xcd:
        return this.#number('getUint16', 2)
      case 0xce:
        return this.#number('getUint32', 4)
      case 0xcf:
        return this.#number('getBigUint64', 8)
      case 0xd0:
        return this.#number('getInt8', 1)
      case 0xd1:
        return this.#number('getInt16', 2)
      case 0xd2:
        return this.#number('getInt32', 4)
      case 0xd3:
        return this.#number('getBigInt64', 8)
      case 0xd9:
        return this.#text(this.#number('getUint8', 1))
      case 0xda:
        return this.#text(this.#number('getUint16', 2))
      case 0xdb:
        return this.#text(this.#number('getUint32', 4))
      case 0xdc:
        return this.#list(this.#number('getUint16', 2), depth)
      case 0xdd:
        return this.#list(this.#number('getUint32', 4), depth)
      case 0xde:
        return this.#map(this.#number('getUint16', 2), depth)
      case 0xdf:
        return this.#map(this.#number('getUint32', 4), depth)
    }
    return this.#skip(head)
  }

  /** Passes over what JSON does not have: bytes, and types of somebody's own. @param {number} head */
  #skip(head) {
    this.foreign = true
    const size = this.#foreignSize(head)
    this.at += size
    if (this.at > this.#bytes.length) throw new RangeError('it is cut')
  }

  /** @param {number} head */
  #foreignSize(head) {
    switch (head) {
      case 0xc4:
        return this.#number('getUint8', 1)
      case 0xc5:
        return this.#number('getUint16', 2)
      case 0xc6:
        return this.#number('getUint32', 4)
      case 0xc7:
        return this.#number('getUint8', 1) + 1
      case 0xc8:
        return this.#number('getUint16', 2) + 1
      case 0xc9:
        return this.#number('getUint32', 4) + 1
    }
    if (head >= 0xd4 && head <= 0xd8) return 1 + 2 ** (head - 0xd4)
    throw new RangeError('there is no such type')
  }

  /**
   * @param {'getUint8' | 'getUint16' | 'getUint32' | 'getBigUint64' | 'getInt8' | 'getInt16' | 'getInt32' | 'getBigInt64' |
   *   'getFloat32' | 'getFloat64'} kind
   * @param {number} size
   */
  #number(kind, size) {
    const number = Number(this.#view[kind](this.at))
    this.at += size
    return number
  }

  /** @param {number} size */
  #text(size) {
    const end = this.at + size
    if (end > this.#bytes.length) throw new RangeError('the text is cut')
    const text = this.#utf8.decode(this.#bytes.subarray(this.at, end))
    this.at = end
    return text
  }

  /** @param {number} length @param {number} depth */
  #list(length, depth) {
    const items = []
    for (let i = 0; i < length; i += 1) items.push(this.value(depth + 1))
    return items
  }

  /** @param {number} length @param {number} depth */
  #map(length, depth) {
    /** @type {[any, unknown][]} */
    const entries = []
    for (let i = 0; i < length; i += 1) {
      const key = this.value(depth + 1)
      if (typeof key !== 'string') this.foreign = true
      entries.push([key, this.value(depth + 1)])
    }
    return Object.fromEntries(entries)
  }
}
