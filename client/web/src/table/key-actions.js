/** Keys and what they mean: everything that a pointer can do. */

/**
 * `column-11` and so on are Shift with 1, 2, 3. The place of a digit counts, not what the layout writes there: on a French
 * keyboard the digits need Shift themselves.
 *
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

/**
 * @param {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>} event
 * @returns {Action | null}
 */
export function actionOf({ key, code, shiftKey, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null
  if (NAMED[key]) return NAMED[key]
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)
  if (digit) return `column-${(Number(digit[1]) || 10) + (shiftKey ? 10 : 0)}`
  // Where the layout has no Latin letters, the place of the key counts.
  const letter = /^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')
  return LETTERS[letter.toLowerCase()] ?? null
}
