import { Rich } from './rich.jsx'

/** @import { Saying } from './saying.js' */

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
