/** The record of a race: the deal, the moves and the results, signed by the server (RECORD.md). `proof.js` verifies it. */
import { decode, encode } from '@msgpack/msgpack'
import { HIGHEST_SEAT, RECORD_SIZE } from '../protocol/constants.js'

/**
 * @import { Event, Log } from '../rules/tally.js'
 * @import { DealPromise } from '../protocol/protocol.d.ts'
 * @typedef {{seat: number, name: string, bot: boolean, late: boolean, state: string, when: number, home: number,
 *   moves: number, reached_at: number, place: number | null}} Racer
 * @typedef {{stars: number, leaf: number, path: string[], line: string[]}} Winnable the proof that a deal can be won, and that
 *   the racers' numbers chose it among 16
 * @typedef {{day: number, key: string, counter: number, stars: number}} DayProof how the deal of a day follows from its key
 * @typedef {{game: string, time_limit: number, undo: 'none' | 'turned' | 'free', late: string, deal: string,
 *   [name: string]: unknown}} RecordSettings
 * @typedef {{format: 'forty-thieves-record', version: 1, code: string, race: number, game: string, settings: RecordSettings,
 *   commitment: string | null, promise: DealPromise | null,
 *   source: [code: string, race: number] | null, day: DayProof | null, secret: string | null, number: string | null,
 *   commitments: [seat: number, commitment: string][], nonces: [seat: number, nonce: string][],
 *   winnable: Winnable | null, deck: string, starts_at: number, ends_at: number, over_at: number, racers: Racer[],
 *   logs: [seat: number, log: Log][], events: Event[], key: string, signature: string}} RaceRecord of the right form
 *   (`shape.js`), times in ms since the epoch
 */

const FORMAT = 'forty-thieves-record'
const VERSION = 1

export class Unreadable extends Error {
  /**
   * @param {'not-a-record' | 'cut-record' | 'newer-record' | 'huge-record'} code of shared/fortythieves/errors.py
   * @param {Readonly<Record<string, number>>} [parameters] of its sentence
   */
  constructor(code, parameters = {}) {
    super(code)
    this.code = code
    this.parameters = parameters
  }
}

/**
 * The map of a MessagePack file. Its format and version are right; `verify` checks everything else. Throws `Unreadable`.
 * @param {Uint8Array} bytes @returns {Record<string, unknown>}
 */
export function read(bytes) {
  if (bytes.length > RECORD_SIZE) throw new Unreadable('huge-record')
  const record = unpacked(bytes)
  const { format, version } = record
  if (format !== FORMAT || !isWhole(version) || version < 1) throw new Unreadable('not-a-record')
  if (version > VERSION) throw new Unreadable('newer-record', { version })
  return record
}

/** @param {unknown} value @returns {value is number} */
const isWhole = (value) => Number.isInteger(value)

/** @param {Uint8Array} bytes @returns {Record<string, unknown>} */
function unpacked(bytes) {
  try {
    // The head of a list reserves memory. No list of a record is longer.
    return Object(decode(bytes, { maxArrayLength: HIGHEST_SEAT }))
  } catch {
    throw new Unreadable('cut-record')
  }
}

/** The record without its signature, as MessagePack with sorted keys. @param {RaceRecord} record @returns {Uint8Array} */
export const signedBytes = ({ signature, ...rest }) => encode(rest, { sortKeys: true })
