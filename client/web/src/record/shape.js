/**
 * The format of a record: every field, and its possible values. RECORD.md has the table of shape.json in words, and the program
 * reads the same table (shared/fortythieves/record/shape.py): it finds a malformed record in the same place.
 */
import table from '../../../../shared/fortythieves/record/shape.json' with { type: 'json' }
import { HIGHEST_SEAT } from '../protocol/constants.js'
import { HIDDEN, parseCards } from '../rules/cards.js'
import { GAMES } from '../rules/games.js'
import { nth } from '../rules/nth.js'

/**
 * @import { RaceRecord } from './race-record.js'
 * @import { Reason } from './reasons.js'
 * @typedef {any} Shape the name of a leaf (`?`: or null); a list with a shape for each place; a map with the shape of `each` item of
 *   a list, or of a map that may be null; or a map with the shape of each field (`*`: of further ones)
 */

/** @param {unknown} value */
function isTwoPacks(value) {
  if (typeof value !== 'string' || value.length !== 208) return false
  try {
    const cards = parseCards(value)
    const counts = new Map()
    for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1)
    return counts.size === 52 && !counts.has(HIDDEN) && [...counts.values()].every((count) => count === 2)
  } catch {
    return false
  }
}

/** @param {unknown} value */
const isText = (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value)

/** @type {Record<string, (value: any) => boolean>} */
const KINDS = {
  boolean: (value) => typeof value === 'boolean',
  game: (value) => GAMES.has(value),
  text: isText,
  plain: (value) => value === null || typeof value === 'boolean' || Number.isSafeInteger(value) || isText(value),
  deck: isTwoPacks,
}

/** The check of a leaf of shape.json. `form`: a regular expression. @param {Record<string, any>} leaf @returns {(value: any) => boolean} */
function checkOf({ kind, low, high, choices, form }) {
  if (choices) return (value) => choices.includes(value)
  if (high) return (value) => Number.isSafeInteger(value) && value >= low && value <= high
  const all = new RegExp(`^(?:${form})$`)
  return KINDS[kind] ?? ((value) => typeof value === 'string' && all.test(value))
}

const CHECKS = new Map(Object.entries(table.leaves).map(([name, leaf]) => [name, checkOf(leaf)]))

/** The first fault in the format of a record, with its place; null: none. @param {unknown} record @returns {Reason | null} */
export function faultOf(record) {
  const place = fault(table.record, record, '') ?? disorder(/** @type {any} */ (record))
  return place === null ? null : { code: 'malformed', params: { place: place || 'record' } }
}

const NAME = /^[a-z_]{1,30}$/

/** The place of the first fault. @param {Shape} shape @param {any} value @param {string} path @returns {string | null} */
function fault(shape, value, path) {
  if (typeof shape === 'string') {
    const isRight = (value === null && shape.endsWith('?')) || CHECKS.get(shape.replace('?', ''))?.(value)
    return isRight ? null : path
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length !== shape.length) return path
    return first(shape, (place, i) => fault(place, value[i], `${path}.${i}`))
  }
  if ('or_null' in shape) return value === null ? null : fault(shape.or_null, value, path)
  if (!('each' in shape)) return fieldFault(shape, value, path)
  const { each, most = HIGHEST_SEAT } = shape
  if (!Array.isArray(value) || value.length > most) return path
  return first(value, (one, i) => fault(each, one, `${path}.${i}`))
}

/** @param {Record<string, Shape>} shape @param {any} value @param {string} path */
function fieldFault({ '*': others, ...fields }, value, path) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return path
  const head = path && `${path}.`
  const known = first(Object.entries(fields), ([name, shape]) =>
    Object.hasOwn(value, name) ? fault(shape, value[name], head + name) : head + name,
  )
  if (known) return known
  const strange = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
  return first(strange.sort(), (name) => {
    // Text from others is only repeated if it is a plain word.
    if (!others || !NAME.test(name)) return head + (NAME.test(name) ? name : '?')
    return fault(others, value[name], head + name)
  })
}

/** The place of a contradiction between fields that are each valid. @param {RaceRecord} record */
function disorder({ racers, logs, commitments, nonces, events }) {
  const seats = racers.map((racer) => racer.seat)
  if (!seats.length || !rise(seats)) return 'racers'
  if (logs.length !== seats.length || logs.some(([seat], i) => seat !== seats[i])) return 'logs'
  if (!rise(commitments.map(([seat]) => seat))) return 'commitments'
  if (!rise(nonces.map(([seat]) => seat))) return 'nonces'
  const known = new Set(seats)
  return first(events, ([, , seat], i) => (known.has(seat) ? null : `events.${i}`))
}

/** @param {readonly number[]} numbers */
const rise = (numbers) => numbers.every((number, i) => i === 0 || nth(numbers, i - 1) < number)

/** @template T @param {readonly T[]} items @param {(item: T, i: number) => string | null} faultIn @returns {string | null} */
function first(items, faultIn) {
  for (const [i, item] of items.entries()) {
    const found = faultIn(item, i)
    if (found !== null) return found
  }
  return null
}
