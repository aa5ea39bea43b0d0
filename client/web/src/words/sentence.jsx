/** Messages with parts that are not only text: a name, a link, a time in bold. */
import { t } from './translate.js'

/**
 * @import { Messages } from './compiled/messages.d.ts'
 * @import { Key, Saying } from './translate.js'
 */

/** Around the name of a part, in a message that is split there. No text has it: it is for private use. */
const MARK = '\uE000'

/**
 * A message some of whose parameters are elements: those stand between the texts.
 *
 * @template {Key} K
 * @param {{id: K, with: Record<keyof Messages[K] & string, any>}} props
 */
export function Rich({ id, with: parameters }) {
  /** @type {Record<string, any>} */
  const texts = {}
  for (const [name, value] of Object.entries(parameters)) {
    texts[name] = value !== null && typeof value === 'object' ? `${MARK}${name}${MARK}` : value
  }
  // What stands between two marks is the name of a part: the odd ones.
  const pieces = /** @type {any} */ (t)(id, texts).split(MARK)
  return pieces.map((/** @type {string} */ piece, /** @type {number} */ i) =>
    i % 2 ? /** @type {any} */ (parameters)[piece] : piece,
  )
}

/** What stands for a parameter. @param {Saying['with'][string]} part @param {string | number} key @returns {any} */
const shown = (part, key) =>
  Array.isArray(part) ? part.map(shown) : typeof part === 'object' ? <bdi key={key}>{part.name}</bdi> : part

/** A sentence in which names are kept apart from our own words. @param {{saying: Saying}} props */
export const Said = ({ saying: { id, with: parameters } }) => (
  <Rich
    id={id}
    with={/** @type {any} */ (Object.fromEntries(Object.entries(parameters).map(([key, part]) => [key, shown(part, key)])))}
  />
)
