/**
 * The format of a record: every field, and its possible values. RECORD.md has the same table in words, and the
 * server has it in shared/fortythieves/record/shape.py: a record that is made wrongly is wrong there in the same place and with
 * the same code.
 */
import { MOST_ENTRIES } from '../protocol/constants.js'
import { HIDDEN, parseCards } from '../rules/cards.js'
import { GAMES } from '../rules/games.js'
import { nth } from '../rules/nth.js'

/**
 * @import { RaceRecord } from './race-record.js'
 * @import { Reason } from './reasons.js'
 * @typedef {Record<string, any>} Params
 * @typedef {{code: string, fits: (value: any) => boolean, params?: Params | undefined}} Leaf one plain value; `code`: the fault if it does not fit
 * @typedef {{item: Shape, most: number}} Each a list, all items of one shape
 * @typedef {{places: readonly Shape[]}} Row a list of a fixed length, with a shape for each place
 * @typedef {{fields: Readonly<Record<string, Shape>>, others?: Leaf}} Fields a map with these keys; `others`: the shape of further keys
 * @typedef {{orNull: Fields}} OrNull a map, or null where there is none
 * @typedef {Leaf | Each | Row | OrNull | Fields} Shape
 */

const ENDS = ['solved', 'stuck', 'gave_up', 'timed_out', 'did_not_start', 'disqualified']
const EVENTS = ['started_late', 'gave_up', 'took_back', 'left', 'kicked', 'stopped']

/** No list of a record is longer than this. */
export const HIGHEST_SEAT = 100_000

/** @type {(code: string, fits: (value: any) => boolean, params?: Params) => Leaf} */
const leaf = (code, fits, params) => ({ code, fits, params })
/** @type {(low: number, high: number) => Leaf} */
const whole = (low, high) =>
  leaf('not-whole', (value) => Number.isSafeInteger(value) && value >= low && value <= high, { low, high })
/** @type {(code: string, form: string, params?: Params) => Leaf} */
const textOf = (code, form, params) => {
  const all = new RegExp(`^(?:${form})$`)
  return leaf(code, (value) => typeof value === 'string' && all.test(value), params)
}
/** @type {(...choices: string[]) => Leaf} */
const oneOf = (...choices) => leaf('not-one-of', (value) => choices.includes(value), { choices })
/** @type {(leaf: Leaf) => Leaf} */
const orNull = ({ code, fits, params }) => leaf(code, (value) => value === null || fits(value), { ...params, or_null: true })
/** @type {(digits: number) => Leaf} */
const hexadecimal = (digits) => textOf('not-hexadecimal', `[0-9a-f]{${digits}}`, { digits })
/** @type {(item: Shape, most?: number) => Each} */
const each = (item, most = HIGHEST_SEAT) => ({ item, most })
/** @type {(...places: Shape[]) => Row} */
const row = (...places) => ({ places })

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

const ROOM = '[A-Z]{6}'
const RACE = `${ROOM}/[1-9][0-9]{0,5}`
const NUMBER = '[1-9][0-9]{0,20}'

const TIME = leaf('not-time', (value) => Number.isSafeInteger(value) && value >= 0)
const SEAT = whole(1, HIGHEST_SEAT)
const BOOLEAN = leaf('not-boolean', (value) => typeof value === 'boolean')
const GAME = leaf('not-game', (value) => GAMES.has(value))
const TEXT = leaf('not-text', (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value))
const PLAIN = leaf(
  'not-plain',
  (value) => value === null || BOOLEAN.fits(value) || Number.isSafeInteger(value) || TEXT.fits(value),
)

/** @type {Fields} */
const SETTINGS = {
  fields: {
    game: GAME,
    time_limit: whole(60, 14_400),
    undo: oneOf('none', 'turned', 'free'),
    late: oneOf('refuse', 'watch', 'join'),
    deal: textOf('not-deal', `secret|winnable(-[123])?|${NUMBER}|${RACE}`),
  },
  // The others do not bear on the result, and there will be more of them.
  others: PLAIN,
}

/** @type {Fields} */
const RACER = {
  fields: {
    seat: SEAT,
    name: TEXT,
    bot: BOOLEAN,
    late: BOOLEAN,
    state: oneOf(...ENDS),
    when: TIME,
    home: whole(0, 104),
    moves: whole(0, MOST_ENTRIES),
    reached_at: TIME,
    place: orNull(whole(1, HIGHEST_SEAT)),
  },
}

/** The check of moves decides whether it is a move. This only ensures that it can be shown. */
const MOVE_TEXT = textOf('not-entry', '[!-~]{1,8}')
const ENTRY = row(TIME, MOVE_TEXT)

/** @type {Fields} */
const PROMISE = { fields: { at: TIME, key: hexadecimal(64), signature: hexadecimal(128) } }

/** @type {Fields} */
const WINNABLE = {
  fields: {
    stars: whole(1, 3),
    leaf: whole(0, 15),
    path: row(...Array(4).fill(hexadecimal(64))),
    line: each(MOVE_TEXT, MOST_ENTRIES),
  },
}

/** @type {Fields} */
const RECORD = {
  fields: {
    format: oneOf('forty-thieves-record'),
    version: whole(1, 1),
    code: textOf('not-code', ROOM),
    race: whole(1, 999_999),
    game: GAME,
    settings: SETTINGS,
    commitment: orNull(hexadecimal(64)),
    promise: { orNull: PROMISE },
    secret: orNull(hexadecimal(64)),
    number: orNull(textOf('not-number', NUMBER)),
    practice: orNull(textOf('not-race', RACE)),
    commitments: each(row(SEAT, hexadecimal(64))),
    nonces: each(row(SEAT, hexadecimal(32))),
    winnable: { orNull: WINNABLE },
    deck: leaf('not-deck', isTwoPacks),
    starts_at: TIME,
    ends_at: TIME,
    over_at: TIME,
    racers: each(RACER),
    logs: each(row(SEAT, each(ENTRY, MOST_ENTRIES))),
    events: each(row(TIME, oneOf(...EVENTS), SEAT)),
    key: hexadecimal(64),
    signature: hexadecimal(128),
  },
}

/** The first fault in the format of a record, with its place; null: none. @param {unknown} record @returns {Reason | null} */
export const faultOf = (record) => fault(RECORD, record, '') ?? disorder(/** @type {any} */ (record))

const NAME = /^[a-z_]{1,30}$/

/** @type {(path: string, code: string, params?: Params) => Reason} */
const at = (path, code, params) => ({ code, params: { place: path || 'record', ...params } })

/** @param {Shape} shape @param {any} value @param {string} path @returns {Reason | null} */
function fault(shape, value, path) {
  if ('fits' in shape) return shape.fits(value) ? null : at(path, shape.code, shape.params)
  if ('orNull' in shape) return value === null ? null : fault(shape.orNull, value, path)
  if ('fields' in shape) return fieldFault(shape, value, path)
  if ('item' in shape) {
    if (!Array.isArray(value)) return at(path, 'not-list')
    if (value.length > shape.most) return at(path, 'too-many-items', { most: shape.most })
    return first(value, (one, i) => fault(shape.item, one, `${path}.${i}`))
  }
  const { length } = shape.places
  if (!Array.isArray(value) || value.length !== length) return at(path, 'not-row', { length })
  return first(shape.places, (place, i) => fault(place, value[i], `${path}.${i}`))
}

/** @param {Fields} shape @param {any} value @param {string} path */
function fieldFault({ fields, others }, value, path) {
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
