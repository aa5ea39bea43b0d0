/**
 * What the record of a race looks like: every field, and what it may hold. RECORD.md has the same table in words, and the
 * server has it in shared/fortythieves/record/shape.py: a record that is made wrongly is wrong there in the same place and for the
 * same reason.
 */

import { HIDDEN, parseCards } from '../rules/cards.js'
import { GAMES } from '../rules/games.js'

/**
 * @typedef {{words: string, fits: (value: any) => boolean}} Leaf one plain value; `words` completes "this is not ..."
 * @typedef {{item: Shape, most: number}} Each a list, all items of one shape
 * @typedef {{places: readonly Shape[]}} Row a list of a fixed length, each place of its own shape
 * @typedef {{fields: Readonly<Record<string, Shape>>, others?: Leaf}} Fields a map with these keys; `others`: what further keys may hold
 * @typedef {{orNull: Fields}} OrNull a map, or null where there is none
 * @typedef {Leaf | Each | Row | OrNull | Fields} Shape
 */

const ENDS = ['solved', 'stuck', 'gave_up', 'timed_out', 'did_not_start', 'disqualified']
const EVENTS = ['started_late', 'gave_up', 'took_back', 'left', 'kicked', 'stopped']

const MOST_ENTRIES = 20_000
const HIGHEST_SEAT = 100_000

/** @type {(words: string, fits: (value: any) => boolean) => Leaf} */
const leaf = (words, fits) => ({ words, fits })
/** @type {(low: number, high: number) => Leaf} */
const whole = (low, high) =>
  leaf(`a whole number from ${low} to ${high}`, (value) => Number.isSafeInteger(value) && value >= low && value <= high)
/** @type {(words: string, form: string) => Leaf} */
const textOf = (words, form) => {
  const all = new RegExp(`^(?:${form})$`)
  return leaf(words, (value) => typeof value === 'string' && all.test(value))
}
/** @type {(...choices: string[]) => Leaf} */
const oneOf = (...choices) => leaf(`one of ${choices.join(', ')}`, (value) => choices.includes(value))
/** @type {(leaf: Leaf) => Leaf} */
const orNull = ({ words, fits }) => leaf(`${words}, or null`, (value) => value === null || fits(value))
/** @type {(digits: number) => Leaf} */
const hexadecimal = (digits) => textOf(`${digits} hexadecimal digits in lower case`, `[0-9a-f]{${digits}}`)
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

const TIME = leaf('a time in milliseconds', (value) => Number.isSafeInteger(value) && value >= 0)
const SEAT = whole(1, HIGHEST_SEAT)
const BOOLEAN = leaf('true or false', (value) => typeof value === 'boolean')
const GAME = leaf('the key of a game', (value) => GAMES.has(value))
const TEXT = leaf('a text', (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value))
const PLAIN = leaf(
  'a text, a whole number, true, false or null',
  (value) => value === null || BOOLEAN.fits(value) || Number.isSafeInteger(value) || TEXT.fits(value),
)

/** @type {Fields} */
const SETTINGS = {
  fields: {
    game: GAME,
    time_limit: whole(60, 14_400),
    undo: oneOf('none', 'turned', 'free'),
    late: oneOf('refuse', 'watch', 'join'),
    deal: textOf('secret, a deal number or CODE/N', `secret|${NUMBER}|${RACE}`),
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

/** Whether it is a move is for the check of moves to say; this is about what can be shown. */
const ENTRY = row(TIME, textOf('1 to 8 letters', '[!-~]{1,8}'))

/** @type {Fields} */
const PROMISE = { fields: { at: TIME, key: hexadecimal(64), signature: hexadecimal(128) } }

/** @type {Fields} */
const RECORD = {
  fields: {
    format: oneOf('forty-thieves-record'),
    version: whole(2, 2),
    code: textOf('a room code', ROOM),
    race: whole(1, 999_999),
    game: GAME,
    settings: SETTINGS,
    commitment: orNull(hexadecimal(64)),
    promise: { orNull: PROMISE },
    secret: orNull(hexadecimal(64)),
    number: orNull(textOf('a deal number', NUMBER)),
    practice: orNull(textOf('CODE/N', RACE)),
    commitments: each(row(SEAT, hexadecimal(64))),
    nonces: each(row(SEAT, hexadecimal(32))),
    deck: leaf('the 104 cards of two packs', isTwoPacks),
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

/** The first one: racers said their nonces without having committed to them, and the server promised nothing. */
const { promise: _, commitments: __, ...earlier } = RECORD.fields
/** @type {Fields} */
const RECORD_1 = { fields: { ...earlier, version: whole(1, 1) } }

/**
 * What is wrong with the form of a record, and where; null if nothing is.
 *
 * @param {unknown} record
 * @returns {string | null}
 */
export function faultOf(record) {
  const found = /** @type {any} */ (record)
  return fault(found?.version === 2 ? RECORD : RECORD_1, record, '') ?? disorder(found)
}

const NAME = /^[a-z_]{1,30}$/

/**
 * @param {Shape} shape
 * @param {any} value
 * @param {string} path
 * @returns {string | null}
 */
function fault(shape, value, path) {
  if ('fits' in shape) return shape.fits(value) ? null : `${path} is not ${shape.words}`
  if ('orNull' in shape) return value === null ? null : fault(shape.orNull, value, path)
  if ('fields' in shape) return fieldFault(shape, value, path)
  if ('item' in shape) {
    if (!Array.isArray(value)) return `${path} is not a list`
    if (value.length > shape.most) return `${path} has more than ${shape.most} items`
    return first(value, (one, i) => fault(shape.item, one, `${path}.${i}`))
  }
  if (!Array.isArray(value) || value.length !== shape.places.length) return `${path} is not a list of ${shape.places.length}`
  return first(shape.places, (place, i) => fault(place, value[i], `${path}.${i}`))
}

/**
 * @param {Fields} shape
 * @param {any} value
 * @param {string} path
 */
function fieldFault({ fields, others }, value, path) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path || 'the record'} is not a map`
  const head = path && `${path}.`
  const known = first(Object.entries(fields), ([name, shape]) =>
    Object.hasOwn(value, name) ? fault(shape, value[name], head + name) : `${head}${name} is missing`,
  )
  if (known) return known
  const strange = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
  return first(strange.sort(), (name) => {
    // What somebody else has made up is not repeated, unless it is a word.
    if (!others || !NAME.test(name)) return `${head}${NAME.test(name) ? name : '?'} is not a field of a record`
    return fault(others, value[name], head + name)
  })
}

/**
 * What is wrong between the fields of a record, each of which is right.
 *
 * @param {import('./race-record.js').RaceRecord} record
 */
function disorder({ racers, logs, commitments = [], nonces, events }) {
  const seats = racers.map((racer) => racer.seat)
  if (!seats.length) return 'racers is empty'
  if (!rise(seats)) return 'racers is not sorted by seat'
  if (logs.length !== seats.length || logs.some(([seat], i) => seat !== seats[i])) return 'logs has other seats than racers'
  if (!rise(commitments.map(([seat]) => seat))) return 'commitments is not sorted by seat'
  if (!rise(nonces.map(([seat]) => seat))) return 'nonces is not sorted by seat'
  const known = new Set(seats)
  return first(events, ([, , seat], i) => (known.has(seat) ? null : `events.${i} is about nobody who raced`))
}

/** @param {readonly number[]} numbers */
const rise = (numbers) => numbers.every((number, i) => i === 0 || numbers[i - 1] < number)

/**
 * The first thing said of any item.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T, i: number) => string | null} say
 * @returns {string | null}
 */
function first(items, say) {
  for (const [i, item] of items.entries()) {
    const said = say(item, i)
    if (said) return said
  }
  return null
}
