/**
 * The words of the page in the language in use. The catalogues are in shared/fortythieves/words, in groups of which each
 * comes with the pages that need it; words.js compiles them for this.
 */
import { setupI18n } from '@lingui/core'
import { signal } from '@preact/signals'

/** @import { Group, Messages } from './compiled/messages.d.ts' */

/**
 * @typedef {keyof Messages} Key
 */

/** What every page needs. */
const FIRST = 'front'

const i18n = setupI18n()
/** The language of everything that is shown now: a BCP 47 tag. Whatever reads it is rendered again when it changes. */
const inUse = signal('en')
/** The groups of words that some page has needed: all of them are there in the language in use. @type {Set<Group>} */
const brought = new Set()
/** The language that was asked for last: its words may still be on the way. */
let wanted = inUse.peek()
/** How often some came. */
const arrivals = signal(0)

/** The language in use, a BCP 47 tag, for `Intl`. */
export const language = () => inUse.value

/** @param {string} tag @param {Group} group */
const load = async (tag, group) => i18n.load(tag, (await import(`./compiled/${tag}-${group}.js`)).default)

/**
 * Bring more words in the language in use, and in each to come.
 *
 * @param {...Group} groups
 * @throws if they cannot be loaded
 */
export async function bringWords(...groups) {
  const missing = groups.filter((group) => !brought.has(group))
  const tag = inUse.peek()
  await Promise.all(missing.map((group) => load(tag, group)))
  if (tag !== inUse.peek()) return bringWords(...groups) // it was changed meanwhile
  for (const group of missing) brought.add(group)
  if (missing.length) arrivals.value += 1
}

/**
 * Show everything in another language, once all its words are there that have been needed so far. If another one is asked
 * for meanwhile, that one is shown.
 *
 * @param {string} tag @throws if they cannot be loaded: then all stays as it is
 */
export async function speak(tag) {
  wanted = tag
  brought.add(FIRST)
  /** @type {Set<Group>} */
  const here = new Set()
  // More may be brought meanwhile.
  while (here.size < brought.size) {
    const missing = [...brought].filter((group) => !here.has(group))
    await Promise.all(missing.map((group) => load(tag, group)))
    for (const group of missing) here.add(group)
  }
  if (tag !== wanted) return
  i18n.activate(tag)
  inUse.value = tag
}

/**
 * A message in the language in use.
 *
 * @template {Key} K
 * @param {K} key
 * @param {{} extends Messages[K] ? [] : [parameters: Messages[K]]} parameters what stands for its names in braces
 * @returns {string}
 */
export function t(key, ...parameters) {
  inUse.value // whoever renders this is rendered again in another language
  /** @type {Record<string, unknown>} */
  const given = { ...parameters[0] }
  for (const name in given) given[name] = apart(given[name])
  return i18n._(key, given)
}

/**
 * Whether there is such a message, and its group has come. Whoever renders what follows from this is rendered again when it
 * comes.
 *
 * @param {string} key @returns {key is Key}
 */
export function hasWords(key) {
  arrivals.value
  return Object.hasOwn(i18n.messages, key)
}

/**
 * Loads a part of the page together with its words (for `later`).
 *
 * @template T
 * @param {Group[]} groups @param {() => Promise<T>} load
 */
export const withWords = (groups, load) => async () => (await Promise.all([load(), bringWords(...groups)]))[0]

// Hebrew, Arabic and other letters that are written from right to left. Of those beyond U+FFFF, the first half.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a]/

/**
 * What people have written, so that it leaves the order of the words around it alone: between U+2068 and U+2069, if it has
 * letters that are written from right to left. Anything else is left as it is.
 *
 * @param {any} value
 */
export const apart = (value) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value)

// Sentences that are kept until somebody says them: in the language of that moment. `Said` shows one.

/**
 * @typedef {{name: string}} Name or what else people have written: it is kept apart from our words, for it may be in the other direction
 * @typedef {(string | Name)[]} List names, and what stands between them
 * @typedef {{id: Key, with: Record<string, string | number | boolean | Name | List>}} Saying
 */

/**
 * @template {Key} K
 * @param {K} id
 * @param {{} extends Messages[K] ? [] : [{[P in keyof Messages[K]]: Messages[K][P] | Name | List}]} parameters
 * @returns {Saying}
 */
export const say = (id, ...parameters) => ({ id, with: /** @type {any} */ (parameters[0] ?? {}) })
