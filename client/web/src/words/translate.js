/** The page's texts in the language in use. Each page loads the groups of texts that it needs. */
import { setupI18n } from '@lingui/core'
import { signal } from '@preact/signals'

/** @import { Group, Messages } from './compiled/messages.d.ts' */

/** @typedef {keyof Messages} Key */

/** The group that every page needs. */
const FIRST = 'front'

const i18n = setupI18n()
/** The language of all shown texts, a BCP 47 tag. A component that reads it re-renders when it changes. */
const inUse = signal('en')
/** The groups requested so far. All of them are loaded in the language in use. @type {Set<Group>} */
const brought = new Set()
/** The language requested last. Its texts may still be loading. */
let wanted = inUse.peek()
/** Changes whenever new groups have loaded. */
const arrivals = signal(0)

/** The language in use, a BCP 47 tag, for `Intl`. */
export const language = () => inUse.value

/** @param {string} tag @param {Group} group */
const load = async (tag, group) => i18n.load(tag, (await import(`./compiled/${tag}-${group}.js`)).default)

/** Load more groups. `speak` loads them in later languages. @param {...Group} groups @throws if they cannot be loaded */
export async function bringWords(...groups) {
  const missing = groups.filter((group) => !brought.has(group))
  const tag = inUse.peek()
  await Promise.all(missing.map((group) => load(tag, group)))
  if (tag !== inUse.peek()) return bringWords(...groups) // the language changed during the load
  for (const group of missing) brought.add(group)
  if (missing.length) arrivals.value += 1
}

/** Switch to a language when its groups have loaded. The last call wins. @param {string} tag @throws if they cannot be loaded */
export async function speak(tag) {
  wanted = tag
  brought.add(FIRST)
  /** @type {Set<Group>} */
  const here = new Set()
  // `bringWords` may add groups during the load.
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
 * @template {Key} K @param {K} key
 * @param {{} extends Messages[K] ? [] : [parameters: Messages[K]]} parameters the values for its names in braces
 * @returns {string}
 */
export function t(key, ...parameters) {
  inUse.value // re-render the caller when the language changes
  /** @type {Record<string, unknown>} */
  const given = { ...parameters[0] }
  for (const name in given) given[name] = apart(given[name])
  return i18n._(key, given)
}

/** Whether the message has loaded; re-renders the caller when a group loads. @param {string} key @returns {key is Key} */
export function hasWords(key) {
  arrivals.value
  return Object.hasOwn(i18n.messages, key)
}

// Hebrew, Arabic and other letters written from right to left. For letters beyond U+FFFF: the high surrogate.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a]/

/** Isolates right-to-left user text (U+2068, U+2069), so that the order of the text around it stays. @param {any} value */
export const apart = (value) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value)

// A `Saying` is a message that is translated only when `Said` shows it, in the language in use then.

/** @typedef {{name: string}} Name or other user text, isolated because its direction may differ */
/** @typedef {(string | Name)[]} List names and the text between them */
/** @typedef {{id: Key, with: Record<string, string | number | boolean | Name | List>}} Saying */

/**
 * @template {Key} K @param {K} id
 * @param {{} extends Messages[K] ? [] : [{[P in keyof Messages[K]]: Messages[K][P] | Name | List}]} parameters @returns {Saying}
 */
export const say = (id, ...parameters) => ({ id, with: /** @type {any} */ (parameters[0] ?? {}) })
