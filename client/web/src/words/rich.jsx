/** Messages with parts that are not only text: a name, a link, a time in bold. */
import { t } from './index.js'

/**
 * @import { Messages } from './compiled/messages.d.ts'
 * @import { Key } from './index.js'
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
