/** Messages with elements as parts, for example a name, a link or a time in bold. */
import { t } from './translate.js'

/** @import { Messages } from './compiled/messages.d.ts' */
/** @import { Key, Saying } from './translate.js' */

/** Surrounds the name of a part, so that the message can be split there. No text contains it (a private-use character). */
const MARK = '\uE000'

/** A message with elements in it. @template {Key} K @param {{id: K, with: Record<keyof Messages[K] & string, any>}} props */
export function Rich({ id, with: parameters }) {
  /** @type {Record<string, any>} */
  const texts = {}
  for (const [name, value] of Object.entries(parameters)) {
    texts[name] = value !== null && typeof value === 'object' ? `${MARK}${name}${MARK}` : value
  }
  // The odd pieces are the names of parts.
  const pieces = /** @type {any} */ (t)(id, texts).split(MARK)
  return pieces.map((/** @type {string} */ piece, /** @type {number} */ i) =>
    i % 2 ? /** @type {any} */ (parameters)[piece] : piece,
  )
}

/** The element or text for a parameter. @param {Saying['with'][string]} part @param {string | number} key @returns {any} */
const shown = (part, key) =>
  Array.isArray(part) ? part.map(shown) : typeof part === 'object' ? <bdi key={key}>{part.name}</bdi> : part

/** A sentence with isolated names. @param {{saying: Saying}} props */
export const Said = ({ saying: { id, with: parameters } }) => (
  <Rich
    id={id}
    with={/** @type {any} */ (Object.fromEntries(Object.entries(parameters).map(([key, part]) => [key, shown(part, key)])))}
  />
)
