/** What the places of signs say on a keyboard with Latin letters. @type {Readonly<Record<string, string>>} */
const SIGNS = { Comma: ',', Period: '.', BracketLeft: '[', BracketRight: ']', Minus: '-', Equal: '=', Slash: '?' }

/** Latin letters, and named keys such as Enter. */
const SURE = /^[a-z]$|^(?!process|dead|unidentified)[a-z]\w+$/

/**
 * Whether a key may act. Who speaks to the computer or has trembling hands can let all single characters need Alt (WCAG 2.1.4).
 * @param {Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>} event @param {boolean} needsAlt
 */
export function mayAct({ key, ctrlKey, metaKey, altKey }, needsAlt) {
  const isSign = /^(?:[^ ]|dead|process|unidentified)$/iu.test(key)
  return !ctrlKey && !metaKey && altKey === (needsAlt && isSign)
}

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
