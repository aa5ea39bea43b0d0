/** The keys and their actions, which cover everything that a pointer can do. */

/**
 * `column-11` and higher are Shift with a digit. Digits are recognised by the key's position, because on a French keyboard the
 * digits themselves need Shift.
 * @typedef {'left' | 'right' | 'up' | 'down' | 'act' | 'drop' | 'draw' | 'waste' | 'home' | 'best' | 'undo' | 'help' | 'read' | 'read-homes' |
 *   `column-${number}`} Action
 */

/** @type {Readonly<Record<string, Action>>} */
const NAMED = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Enter: 'act',
  Escape: 'drop',
  ' ': 'draw',
  '?': 'help',
}

/** @type {Readonly<Record<string, Action>>} */
const LETTERS = { w: 'waste', f: 'home', b: 'best', u: 'undo', r: 'read', h: 'read-homes' }

/** @param {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>} event @returns {Action | null} */
export function actionOf({ key, code, shiftKey, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null
  if (NAMED[key]) return NAMED[key]
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)
  if (digit) return `column-${(Number(digit[1]) || 10) + (shiftKey ? 10 : 0)}`
  // On keyboards without Latin letters, use the key's position.
  const letter = /^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')
  return LETTERS[letter.toLowerCase()] ?? null
}
