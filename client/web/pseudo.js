/** English as no language is: longer, accented and in brackets, so that one sees what no catalogue has and what is cut off. */

const ACCENTED = new Map([...'AaCcDdEeIiLlNnOoRrSsTtUuYy'].map((letter, i) => [letter, [...'ÁáÇçĐđÉéÍíĹĺÑñÓóŔŕŠšŤťÚúÝý'][i]]))
/** German and Romanian need up to this much more room than English. */
const LONGER = 0.4

/** @param {string} text */
const accented = (text) => [...text].map((letter) => ACCENTED.get(letter) ?? letter).join('')

/**
 * @param {any} part text, a parameter, or a choice between lists of parts
 * @returns {any}
 */
function marked(part) {
  if (typeof part === 'string') return accented(part)
  const [name, kind, choices] = part
  if (typeof choices !== 'object') return part
  const cases = Object.entries(choices).map(([key, parts]) => [key, Array.isArray(parts) ? parts.map(marked) : parts])
  return [name, kind, Object.fromEntries(cases)]
}

/** How long a parameter is taken to be, and what is added: as long as long words are. */
const PARAMETER = 4
const WORD = 8

/** @param {any[]} parts a message as Lingui compiles it @returns {any[]} */
export function pseudo(parts) {
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : PARAMETER), 0)
  const more = '~'.repeat(Math.ceil(length * LONGER)).replace(new RegExp(`.{${WORD}}(?=.)`, 'g'), '$& ')
  return ['[', ...parts.map(marked), `${more}]`]
}
