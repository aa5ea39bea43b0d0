/** How words.js packs the messages of a group, and how the page reads them: pure. */

/** @import { Keys } from '../../words.js' */

/**
 * A text in which the letters of each pair have changed places.
 *
 * @param {string} pairs @param {string} text
 */
export function swap(pairs, text) {
  const letters = [...pairs]
  const other = new Map(letters.map((letter, i) => [letter, letters[i ^ 1]]))
  return Array.from(text, (letter) => other.get(letter) ?? letter).join('')
}

/** @param {string} packed the pairs of letters that have changed places, and the texts */
function textsIn(packed) {
  const [pairs = ''] = packed.split('|', 1)
  return swap(pairs, packed.slice(pairs.length + 1)).split('|')
}

/** @param {string[]} pieces of a text, up to the end of the choice they are in @returns {any[]} */
function partsOf(pieces) {
  const parts = []
  for (let piece = pieces.shift(); piece !== undefined && piece !== '}'; piece = pieces.shift()) {
    if (piece !== '{') {
      parts.push(...piece.split(/(#)/))
      continue
    }
    const [name, kind, first = ''] = (pieces.shift() ?? '').split(', ')
    /** @type {Record<string, any[]>} */
    const choices = {}
    for (let choice = first; pieces.shift() === '{'; choice = pieces.shift() ?? '') {
      choices[choice.trim().replace('=', '')] = partsOf(pieces)
    }
    parts.push(kind ? [name, kind, choices] : [name])
  }
  return parts
}

/** A message as Lingui wants it: parameters, choices and numbers in a text are parts of their own. @param {string} text */
export const parsed = (text) => partsOf(text.split(/([{}])/))

/**
 * The messages of a group by key.
 *
 * @param {Keys} keys @param {string} packed
 */
export function unpacked([first, numbered, families], packed) {
  const texts = textsIn(packed)
  const keys = [
    ...Array.from({ length: numbered }, (_, i) => (first + i).toString(36)),
    ...families.flatMap(([head, tails]) => tails.split(' ').map((tail) => head + tail)),
  ]
  return Object.fromEntries(keys.map((key, i) => [key, parsed(texts[i] ?? '')]))
}
