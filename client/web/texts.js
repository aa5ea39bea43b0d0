/** Finds text for people that is written in a script, a style sheet or a page, not in a catalogue. */
import { parseSync } from 'rolldown/utils'

/** Two words, or a sentence of one word. */
const TEXT = /\p{L}{2,}[,;:.!?…’]* \p{L}{2,}|^[A-Z][a-z]+[.!?…]$/u
const WORD = /\p{L}{2,}/u
/** Bytes to hash or to sign begin with such a name. */
const NAME = /^forty-thieves [a-z]+ v\d$/
/** People read or hear the values of these attributes, so even a single word is text. */
const READ = new Set(
  (
    'alt title placeholder label hint text question yes no ' + 'aria-label aria-description aria-roledescription aria-valuetext'
  ).split(' '),
)
/** The values of these attributes are for the browser. `kind`: the classes of a `Button`; `main`: those of a `Page`. */
const FOR_BROWSER = new Set('kind class main d href viewBox transform style points allow content media sizes'.split(' '))

/** The properties with which a style sheet can show text. */
const SAYS = /\b(?:content|quotes|list-style(?:-type)?)\s*:([^;{}]+)/g
const STRING = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g
/** A character written as its number. */
const ESCAPED = /\\[0-9a-f]{1,6}/gi
/** The parts of a page that are not text: placeholders of the server, comments and styles. */
const NO_TEXT = /\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<!.*?>|<style>.*?<\/style>/gs
const TAG = /<\/?[a-z][^>]*>/gi
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g
/** A name that is the same in all languages. */
const SAME = new Set(['Redis'])

/** A message with the line of each text. @param {string} path @param {string} source @returns {string[]} */
export function textsIn(path, source) {
  const find = path.endsWith('.css') ? textsOfStyle : path.endsWith('.html') ? textsOfPage : textsOfScript
  return find(source, path).map(([at, text]) => {
    const line = source.slice(0, at).split('\n').length
    return `${path}:${line}: text outside the catalogues: ${text.trim().replace(/\s+/g, ' ')}`
  })
}

/** @typedef {[at: number, text: string]} Found */

/** Spaces in place of a text, with its line breaks kept. @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, ' ')

/** @param {string} source @returns {Found[]} */
function textsOfStyle(source) {
  const declared = [...source.replace(/\/\*.*?\*\//gs, blank).matchAll(SAYS)]
  return declared.flatMap(({ index, 1: value = '' }) =>
    (value.match(STRING) ?? [])
      .map((string) => string.slice(1, -1))
      .filter((text) => /\p{L}/u.test(text.replace(ESCAPED, '')))
      .map((text) => /** @type {Found} */ ([index, text])),
  )
}

/** @param {string} source of a page, or of a template of the server @returns {Found[]} */
function textsOfPage(source) {
  const page = source.replace(NO_TEXT, blank)
  const read = [...page.matchAll(TAG)].flatMap(({ index, 0: tag }) => {
    const isDescription = /^<meta [^>]*name="description"/.test(tag)
    return [...tag.matchAll(ATTRIBUTE)]
      .filter(([, name = '', text = '']) => (READ.has(name) || (isDescription && name === 'content')) && WORD.test(text))
      .map(([, , text = '']) => /** @type {Found} */ ([index, text]))
  })
  const shown = [...page.replace(TAG, (tag) => `<${blank(tag.slice(2))}>`).matchAll(/[^<>]+/g)]
    .map(({ index, 0: text }) => /** @type {Found} */ ([index + text.search(/\S|$/), text]))
    .filter(([, text]) => WORD.test(text) && !SAME.has(text.trim()))
  return [...read, ...shown].sort(([one], [other]) => one - other)
}

/** @param {string} source @param {string} path @returns {Found[]} */
function textsOfScript(source, path) {
  /** @type {Found[]} */
  const found = []
  const { program } = parseSync(path, source)
  /** @param {any} node @param {string} text */
  const add = (node, text) => void found.push([node.start, text])
  /** @param {any} node @param {boolean} [isRead] whether this is the value of an attribute for people */
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
        if (node.callee?.type === 'Super') return // the only texts in such calls are those in errors
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
