/** The file of a memory, which may be torn, foreign or forged. */
import { KINDS, MOST_DEVICES, MOST_PLAYS, Unusable, VERSION } from './memory.js'

/** @import { Memory } from './memory.js' */

const FORMAT = 'forty-thieves-memory'
/** Bytes: a full memory has less than a fifth. */
export const LARGEST = 1_000_000

/** @param {Memory} memory */
export const fileOf = (memory) => JSON.stringify({ format: FORMAT, ...memory })

/** @param {unknown} value @returns {value is Record<string, any>} */
const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** @param {RegExp} form @returns {Fits} */
const like = (form) => (value) => typeof value === 'string' && form.test(value)
/** @param {number} most @returns {Fits} */
const upTo = (most) => (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most
/** @param {Fits} fits @returns {Fits} */
const orNull = (fits) => (value) => value === null || fits(value)

const STATES = /^(racing|done|solved|stuck|gave_up|timed_out|did_not_start|disqualified)$/
const isCount = upTo(1e10)
/** Any that a `Date` can have: clocks may be wrong. */
const isTime = upTo(8.64e15)
const isDevice = like(/^[a-z]{16}$/)
const isKey = like(new RegExp(`^(${KINDS.join('|')})/[a-z-]{1,40}$`))

/** @typedef {(value: unknown) => boolean} Fits */
/** @type {Record<string, Fits>} */
const PLAY = {
  ...{ id: like(/^([A-Z]{6}\/\d{1,6}|practice\/([A-Z]{6}\/\d{1,6}|[a-z-]{1,40}:\d{1,21}))$/), device: isDevice },
  ...{ kind: like(new RegExp(`^(${KINDS.join('|')})$`)), game: like(/^[a-z-]{1,40}$/), at: isTime, stage: upTo(2) },
  ...{ state: like(STATES), ms: orNull(isCount), home: upTo(104), place: orNull(isCount), racers: isCount },
  of: like(/^([A-Z]{6})?$/),
}

/** @type {Record<string, Fits>} */
const TOTAL = {
  ...{ games: isCount, wins: isCount, best: orNull(isCount), streak: isCount, longest: isCount, at: isTime },
  open: (value) => typeof value === 'boolean',
}

/** @param {unknown} value @param {Record<string, Fits>} fields */
const has = (value, fields) =>
  isMap(value) &&
  Object.keys(value).length === Object.keys(fields).length &&
  Object.entries(fields).every(([name, fits]) => fits(value[name]))

/** @param {any} memory */
function isMemory({ device, base, days, plays }) {
  const isRange = (/** @type {any} */ range) =>
    Array.isArray(range) && range.length === 2 && range.every(isCount) && range[0] <= range[1]
  return (
    isDevice(device) &&
    isMap(base) &&
    Object.keys(base).length <= MOST_DEVICES &&
    Object.keys(base).every(isDevice) &&
    Object.values(base).every(
      (one) =>
        has(one, { until: isTime, totals: isMap }) &&
        Object.entries(one.totals).every(([key, total]) => isKey(key) && has(total, TOTAL)),
    ) &&
    [days, plays].every(Array.isArray) &&
    days.every(isRange) &&
    plays.length <= MOST_PLAYS &&
    plays.every((/** @type {unknown} */ play) => has(play, PLAY))
  )
}

/** @param {string} text @returns {Memory} throws `Unusable` */
export function memoryOf(text) {
  /** @type {any} */
  let plain
  try {
    plain = JSON.parse(text)
  } catch {
    throw new Unusable('torn')
  }
  if (plain?.format !== FORMAT) throw new Unusable('foreign')
  const { format: _, ...memory } = plain
  return checked(memory)
}

/** A memory from elsewhere. @param {any} memory @returns {Memory} throws `Unusable` */
export function checked(memory) {
  if (memory?.version > VERSION) throw new Unusable('newer')
  if (memory?.version !== VERSION || !isMemory(memory)) throw new Unusable('torn')
  return memory
}
