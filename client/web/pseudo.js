/** English as no language is: longer, accented and in brackets, so that one sees what no catalogue has and what is cut off. */
import { parsed } from './src/words/packed.js'

const ACCENTED = new Map([...'AaCcDdEeIiLlNnOoRrSsTtUuYy'].map((letter, i) => [letter, [...'ÁáÇçĐđÉéÍíĹĺÑñÓóŔŕŠšŤťÚúÝý'][i]]))
/** German and Romanian need up to this much more room than English. */
const LONGER = 0.4

/** @param {string} text */
const accented = (text) => [...text].map((letter) => ACCENTED.get(letter) ?? letter).join('')

/**
 * @param {any} part text, a parameter, or a choice between lists of parts
 * @returns {string}
 */
function marked(part) {
  if (typeof part === 'string') return accented(part)
  const [name, kind, choices] = part
  if (!kind) return `{${name}}`
  const cases = Object.entries(choices).map(([key, parts]) => `${key} {${parts.map(marked).join('')}}`)
  return `{${name}, ${kind}, ${cases.join(' ')}}`
}

/** How long a parameter is taken to be, and what is added: as long as long words are. */
const PARAMETER = 4
const WORD = 8

/** @param {string} message as in a catalogue */
export function pseudo(message) {
  const parts = parsed(message)
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : PARAMETER), 0)
  const more = '~'.repeat(Math.ceil(length * LONGER)).replace(new RegExp(`.{${WORD}}(?=.)`, 'g'), '$& ')
  return `[${parts.map(marked).join('')}${more}]`
}
