/** Finds text for people that stands in a script and not in a catalogue. */
import { parseSync } from 'rolldown/utils'

/** Two words, or one that begins a sentence and ends it. */
const TEXT = /\p{L}{2,}[,;:.!?…’]* \p{L}{2,}|^[A-Z][a-z]+[.!?…]$/u
const WORD = /\p{L}{2,}/u
/** What is hashed or signed begins with such a name. */
const NAME = /^forty-thieves [a-z]+ v\d$/
/** What these say is read or heard, so not even one word may stand there. */
const READ = new Set([
  'alt',
  'title',
  'placeholder',
  'label',
  'hint',
  'text',
  'question',
  'yes',
  'no',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
])
/** What these say is for the browser. */
const FOR_BROWSER = new Set([
  'class',
  'd',
  'href',
  'viewBox',
  'transform',
  'style',
  'points',
  'allow',
  'content',
  'media',
  'sizes',
  'style',
])

/**
 * @param {string} path of a script @param {string} source
 * @returns {string[]} where each text stands
 */
export function textsIn(path, source) {
  /** @type {string[]} */
  const found = []
  const { program } = parseSync(path, source)
  /** @param {any} node @param {string} text */
  const add = (node, text) => {
    const line = source.slice(0, node.start).split('\n').length
    found.push(`${path}:${line}: text outside the catalogues: ${text.trim().replace(/\s+/g, ' ')}`)
  }
  /** @param {any} node @param {boolean} [isRead] whether this becomes an attribute that is read */
  function walk(node, isRead = false) {
    if (!node || typeof node !== 'object') return
    if (Array.isArray(node)) return node.forEach((one) => walk(one, isRead))
    const isText = (/** @type {string} */ text) => (isRead ? WORD : TEXT).test(text) && !NAME.test(text)
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ImportExpression':
      case 'ExportAllDeclaration':
        return
      case 'NewExpression': // errors are for programmers
      case 'CallExpression':
        if (/Error$|^RegExp$/.test(node.callee?.name ?? '') || node.callee?.object?.name === 'console') return
        if (node.callee?.type === 'Super') return // only those of errors say something
        return walk([node.callee, ...node.arguments]) // keys, for example
      case 'JSXText':
        if (WORD.test(node.value)) add(node, node.value)
        return
      case 'JSXAttribute':
        if (!FOR_BROWSER.has(node.name?.name)) walk(node.value, READ.has(node.name?.name))
        return
      case 'Literal':
        if (typeof node.value === 'string' && isText(node.value)) add(node, node.value)
        return
      case 'TemplateLiteral': {
        const text = node.quasis.map((/** @type {any} */ quasi) => quasi.value.cooked).join('{}')
        if (isText(text)) add(node, text)
        return walk(node.expressions)
      }
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'type') walk(value, isRead)
  }
  walk(program.body)
  return found
}
