/** What the places of signs say on a keyboard with Latin letters. @type {Readonly<Record<string, string>>} */
const SIGNS = { Comma: ',', Period: '.', BracketLeft: '[', BracketRight: ']', Minus: '-', Equal: '=', Slash: '?' }

/** Latin letters, and named keys such as Enter. */
const SURE = /^[a-z]$|^(?!process|dead|unidentified)[a-z]\w+$/

/**
 * What belongs to a key. A keyboard for Russian has no C, one for Nepali no 0, and an input method hides what a key is: there the
 * place of the key counts, unless the sign on it means something.
 * @template T @param {Readonly<Record<string, T>>} meanings by `event.key`, in lower case
 * @param {Pick<KeyboardEvent, 'key' | 'code'>} event @returns {T | undefined}
 */
export function meaningOf(meanings, { key, code }) {
  const said = key.toLowerCase()
  const place = SIGNS[code] ?? code.replace(/^(?:Key|Digit)(?=.$)/, '').toLowerCase()
  return meanings[said] ?? (SURE.test(said) ? undefined : meanings[place])
}
