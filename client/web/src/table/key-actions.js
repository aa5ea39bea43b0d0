/** The keys and their actions, which cover everything that a pointer can do. */
import { mayAct, meaningOf } from '../model/key-meaning.js'

/**
 * `column-11` and higher are Shift with a digit. Digits are recognised by the key's position, because on a French keyboard the
 * digits themselves need Shift.
 * @typedef {'left' | 'right' | 'up' | 'down' | 'act' | 'drop' | 'draw' | 'waste' | 'home' | 'best' | 'undo' | 'help' | 'spread' | 'read' | 'read-homes' |
 *   `column-${number}`} Action
 */

/** @type {Readonly<Record<string, Action>>} */
const MEANINGS = {
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  arrowdown: 'down',
  enter: 'act',
  escape: 'drop',
  ' ': 'draw',
  '?': 'help',
  ...{ w: 'waste', f: 'home', b: 'best', u: 'undo', r: 'read', h: 'read-homes', v: 'spread' },
}

/**
 * @param {Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>} event
 * @param {boolean} [needsAlt] whether letters and digits need Alt
 * @returns {Action | null}
 */
export function actionOf(event, needsAlt = false) {
  if (!mayAct(event, needsAlt)) return null
  const meant = meaningOf(MEANINGS, event)
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)
  return meant ?? (digit ? `column-${(Number(digit[1]) || 10) + (event.shiftKey ? 10 : 0)}` : null)
}
