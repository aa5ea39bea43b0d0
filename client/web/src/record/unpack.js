/**
 * MessagePack from anywhere: with the values that JSON has, and nothing else.
 *
 * The library reserves as much memory as the head of a list asks for, list within list; this takes only existing items. Data
 * from the server, which is trusted, is read by the library.
 */

/** No record is deeper than this. */
const DEEPEST = 32

/** @type {ReadonlyMap<number, null | boolean>} */
const CONSTANTS = new Map([
  [0xc0, null],
  [0xc2, false],
  [0xc3, true],
])

/** The other numbers than unsigned ones of up to 32 bits: the reading method, and the size. */
const NUMBERS = new Map(
  /** @type {const} */ ([
    [0xca, ['getFloat32', 4]],
    [0xcb, ['getFloat64', 8]],
    [0xcf, ['getBigUint64', 8]],
    [0xd0, ['getInt8', 1]],
    [0xd1, ['getInt16', 2]],
    [0xd2, ['getInt32', 4]],
    [0xd3, ['getBigInt64', 8]],
  ]),
)

/** Well-formed, but with values that JSON does not have: bytes, extension types, or a key that is no text. */
export class Foreign extends Error {}

/** The value of these bytes. @param {Uint8Array} bytes @throws `Foreign`, or a RangeError or TypeError for no MessagePack */
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
    const head = this.#unsigned(0)
    const number = NUMBERS.get(/** @type {any} */ (head))
    if (number) return Number(this.#view[number[0]](this.#pass(number[1])))
    if (head < 0x80) return head
    if (head < 0x90) return this.#map(head & 0xf, depth)
    if (head < 0xa0) return this.#list(head & 0xf, depth)
    if (head < 0xc0) return this.#text(head & 0x1f)
    if (CONSTANTS.has(head)) return CONSTANTS.get(head)
    if (head < 0xcc) return this.#skip(head < 0xc7 ? this.#unsigned(head - 0xc4) : this.#unsigned(head - 0xc7) + 1)
    if (head < 0xcf) return this.#unsigned(head - 0xcc)
    if (head < 0xd9) return this.#skip(1 + 2 ** (head - 0xd4))
    if (head < 0xdc) return this.#text(this.#unsigned(head - 0xd9))
    if (head < 0xde) return this.#list(this.#unsigned(head - 0xdb), depth)
    return head < 0xe0 ? this.#map(this.#unsigned(head - 0xdd), depth) : head - 0x100
  }

  /** Passes over what JSON does not have: bytes, and other types. @param {number} size */
  #skip(size) {
    this.foreign = true
    this.#pass(size)
  }

  /** The place before the next `size` bytes, which are now read. @param {number} size */
  #pass(size) {
    const start = this.at
    this.at += size
    if (this.at > this.#bytes.length) throw new RangeError('it is cut')
    return start
  }

  /** An unsigned number of 1, 2 or 4 bytes. @param {number} power their number as a power of 2 */
  #unsigned(power) {
    const kind = /** @type {const} */ (['getUint8', 'getUint16', 'getUint32'])[power]
    if (!kind) throw new RangeError('there is no such type')
    return this.#view[kind](this.#pass(1 << power))
  }

  /** @param {number} size */
  #text(size) {
    const start = this.#pass(size)
    return this.#utf8.decode(this.#bytes.subarray(start, this.at))
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
