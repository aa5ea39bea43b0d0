/**
 * The format of a record: every field, and its possible values. RECORD.md has the table of shape.json in words, and the program
 * reads the same table (shared/fortythieves/record/shape.py): a record that is made wrongly is wrong there in the same place and
 * with the same code.
 */
import table from '../../../../shared/fortythieves/record/shape.json' with { type: 'json' }
import { HIGHEST_SEAT } from '../protocol/constants.js'
import { HIDDEN, parseCards } from '../rules/cards.js'
import { GAMES } from '../rules/games.js'
import { nth } from '../rules/nth.js'

/**
 * @import { RaceRecord } from './race-record.js'
 * @import { Reason } from './reasons.js'
 * @typedef {Record<string, any>} Params
 * @typedef {{code: string, fits: (value: any) => boolean, params: Params}} Leaf one plain value; `code`: the fault if it does not fit
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

/** The check of each leaf without parameters, by code. @type {Record<string, (value: any) => boolean>} */
const FITS = {
  'not-time': (value) => Number.isSafeInteger(value) && value >= 0,
  'not-boolean': (value) => typeof value === 'boolean',
  'not-game': (value) => GAMES.has(value),
  'not-text': isText,
  'not-plain': (value) => value === null || typeof value === 'boolean' || Number.isSafeInteger(value) || isText(value),
  'not-deck': isTwoPacks,
}

/** A leaf of shape.json. `form`: a regular expression. @param {Params} leaf @returns {Leaf} */
function leafOf({ code, form, ...params }) {
  const { low, high, choices, digits } = params
  if (choices) return { code, params, fits: (value) => choices.includes(value) }
  if (high) return { code, params, fits: (value) => Number.isSafeInteger(value) && value >= low && value <= high }
  const all = new RegExp(`^(?:${form ?? `[0-9a-f]{${digits}}`})$`)
  return { code, params, fits: FITS[code] ?? ((value) => typeof value === 'string' && all.test(value)) }
}

/** @param {Leaf} leaf @returns {Leaf} */
const orNull = ({ code, fits, params }) => ({
  code,
  params: { ...params, or_null: true },
  fits: (value) => value === null || fits(value),
})

const NAMED = Object.entries(table.leaves).map(([name, leaf]) => /** @type {const} */ ([name, leafOf(leaf)]))
const LEAVES = new Map([...NAMED, ...NAMED.map(([name, leaf]) => /** @type {const} */ ([`${name}?`, orNull(leaf)]))])

/** The first fault in the format of a record, with its place; null: none. @param {unknown} record @returns {Reason | null} */
export const faultOf = (record) => fault(table.record, record, '') ?? disorder(/** @type {any} */ (record))

const NAME = /^[a-z_]{1,30}$/

/** @type {(path: string, code: string, params?: Params) => Reason} */
const at = (path, code, params) => ({ code, params: { place: path || 'record', ...params } })

/** @param {Shape} shape @param {any} value @param {string} path @returns {Reason | null} */
function fault(shape, value, path) {
  const leaf = LEAVES.get(shape)
  if (leaf) return leaf.fits(value) ? null : at(path, leaf.code, leaf.params)
  if (Array.isArray(shape)) {
    const { length } = shape
    if (!Array.isArray(value) || value.length !== length) return at(path, 'not-row', { length })
    return first(shape, (place, i) => fault(place, value[i], `${path}.${i}`))
  }
  if ('or_null' in shape) return value === null ? null : fault(shape.or_null, value, path)
  if (!('each' in shape)) return fieldFault(shape, value, path)
  const { each, most = HIGHEST_SEAT } = shape
  if (!Array.isArray(value)) return at(path, 'not-list')
  if (value.length > most) return at(path, 'too-many-items', { most })
  return first(value, (one, i) => fault(each, one, `${path}.${i}`))
}

/** @param {Record<string, Shape>} shape @param {any} value @param {string} path */
function fieldFault({ '*': others, ...fields }, value, path) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return at(path, 'not-map')
  const head = path && `${path}.`
  const known = first(Object.entries(fields), ([name, shape]) =>
    Object.hasOwn(value, name) ? fault(shape, value[name], head + name) : at(head + name, 'missing'),
  )
  if (known) return known
  const strange = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
  return first(strange.sort(), (name) => {
    // Text from others is only repeated if it is a plain word.
    if (!others || !NAME.test(name)) return at(head + (NAME.test(name) ? name : '?'), 'unknown-field')
    return fault(others, value[name], head + name)
  })
}

/** A contradiction between fields that are each valid. @param {RaceRecord} record */
function disorder({ racers, logs, commitments, nonces, events }) {
  const seats = racers.map((racer) => racer.seat)
  if (!seats.length) return { code: 'no-racers' }
  if (!rise(seats)) return at('racers', 'unsorted')
  if (logs.length !== seats.length || logs.some(([seat], i) => seat !== seats[i])) return { code: 'other-seats' }
  if (!rise(commitments.map(([seat]) => seat))) return at('commitments', 'unsorted')
  if (!rise(nonces.map(([seat]) => seat))) return at('nonces', 'unsorted')
  const known = new Set(seats)
  return first(events, ([, , seat], i) => (known.has(seat) ? null : at(`events.${i}`, 'stranger')))
}

/** @param {readonly number[]} numbers */
const rise = (numbers) => numbers.every((number, i) => i === 0 || nth(numbers, i - 1) < number)

/** @template T @param {readonly T[]} items @param {(item: T, i: number) => Reason | null} faultIn @returns {Reason | null} */
function first(items, faultIn) {
  for (const [i, item] of items.entries()) {
    const found = faultIn(item, i)
    if (found) return found
  }
  return null
}
