/**
 * The message catalogues of the page (shared/fortythieves/words), compiled with Lingui. `node catalogues.js` writes the messages
 * and their types into src/words/compiled.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

export const CATALOGUES = fileURLToPath(new URL('../../shared/fortythieves/words', import.meta.url))
export const ROOT = fileURLToPath(new URL('.', import.meta.url))
export const SOURCES = `${ROOT}src`
const COMPILED = `${SOURCES}/words/compiled`
/** All other languages are translated from this one. */
export const FIRST = 'en'
/** English with marks, for tests: text that is in no catalogue has no marks. */
const PSEUDO = 'en-XA'
/** Messages for the build and the server only (server/fortythieves_server/common/texts.py). */
const OF_SERVER = 'server'
/** These catalogues share one file with `more`, because several small files compress badly. */
const GROUPED = ['watch', 'solver', 'refused']

/** @typedef {ReturnType<typeof compileMessageOrThrow>} Compiled text, and arrays for parameters and choices */
/** @typedef {Record<string, string>} Catalogue messages by key */
/** @typedef {Record<string, Catalogue>} Catalogues of one language, by name or by group */

/** @param {string} folder @param {RegExp} name */
export const filesIn = (folder, name) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .sort()

/** The name of each language in itself, by tag. @returns {Record<string, string>} */
export const languages = () => JSON.parse(readFileSync(`${CATALOGUES}/languages.json`, 'utf8'))

/** @param {string} language @returns {Catalogues} by name */
export function read(language) {
  const folder = `${CATALOGUES}/${language}`
  const names = filesIn(folder, /\.json$/).map((name) => name.slice(0, -'.json'.length))
  return Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))]))
}

/** The group that contains a catalogue. @param {string} name */
export const groupOf = (name) => (GROUPED.includes(name) ? 'more' : name)

/** The messages of the page, by group. @param {Catalogues} catalogues @returns {Catalogues} */
export function groupsOf({ [OF_SERVER]: _, ...catalogues }) {
  /** @type {Catalogues} */
  const groups = {}
  for (const [name, catalogue] of Object.entries(catalogues)) groups[groupOf(name)] = { ...groups[groupOf(name)], ...catalogue }
  return groups
}

/** @param {string} key @param {string} text @returns {Compiled} */
export function compileMessage(key, text) {
  try {
    return compileMessageOrThrow(text)
  } catch (error) {
    throw new Error(`${key}: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * The parameters of a message and their types.
 * @param {Compiled} compiled @param {Map<string, string>} [found]
 * @returns {Map<string, string>} TypeScript types by name
 */
export function parametersOf(compiled, found = new Map()) {
  for (const token of compiled) {
    if (!Array.isArray(token)) continue
    const [name, kind, choices = {}] = /** @type {[string, string?, Record<string, any>?]} */ (token)
    if (kind === 'plural' || kind === 'selectordinal') found.set(name, 'number')
    else if (kind === 'select') {
      const cases = Object.keys(choices).filter((key) => key !== 'other' && key !== 'offset')
      const names = cases.map((key) => `'${key}'`).join(' | ') + (cases.includes('true') ? ' | boolean' : ' | string & {}')
      found.set(name, cases.every((key) => /^\d+$/.test(key)) ? 'number' : names)
    } else if (!found.has(name)) found.set(name, 'string | number')
    for (const choice of Object.values(choices)) if (Array.isArray(choice)) parametersOf(choice, found)
  }
  return found
}

/** The types of all messages and groups, in TypeScript. @param {Catalogues} groups */
function typesOf(groups) {
  const messages = Object.values(groups).flatMap((group) =>
    Object.entries(group).map(([key, text]) => {
      const parameters = [...parametersOf(compileMessage(key, text))].map(([name, type]) => `${name}: ${type}`)
      return `  '${key}': { ${parameters.join('; ')} }`
    }),
  )
  const names = Object.keys(groups).map((group) => `'${group}'`)
  return `/** Written by catalogues.js: the parameters of each message. */\nexport interface Messages {\n${messages.join('\n')}\n}\nexport type Group = ${names.join(' | ')}\n`
}

const ACCENTED = new Map([...'AaCcDdEeIiLlNnOoRrSsTtUuYy'].map((letter, i) => [letter, [...'ÁáÇçĐđÉéÍíĹĺÑñÓóŔŕŠšŤťÚúÝý'][i]]))
/** German and Romanian texts are up to this much longer than English ones. */
const LONGER = 0.4
/** The assumed length of the value of a parameter, and the length of the words that are added. */
const [PARAMETER, WORD] = [4, 8]

/** @param {any} token text, a parameter or a choice @returns {any} the same with accents on all text */
function accented(token) {
  if (typeof token === 'string') return [...token].map((letter) => ACCENTED.get(letter) ?? letter).join('')
  const [name, kind, choices = {}] = token
  const cases = Object.entries(choices).map(([key, tokens]) => [key, Array.isArray(tokens) ? tokens.map(accented) : tokens])
  return kind ? [name, kind, Object.fromEntries(cases)] : token
}

/** A message with accents, in brackets and longer, so that missing translations and cut text are seen. @param {Compiled} compiled */
export function pseudo(compiled) {
  const length = compiled.reduce((sum, token) => sum + (typeof token === 'string' ? token.length : PARAMETER), 0)
  const more = '~'.repeat(Math.ceil(length * LONGER)).replace(new RegExp(`.{${WORD}}(?=.)`, 'g'), '$& ')
  return ['[', ...compiled.map(accented), `${more}]`]
}

/** The file of a group in a language, in src/words/compiled. @param {string} language @param {string} group */
export const fileOf = (language, group) => `${language}-${group}.js`

/** The files of all groups in all languages. @returns {Map<string, string>} scripts by name */
export function compiledFiles() {
  const catalogues = Object.keys(languages()).map((tag) => /** @type {const} */ ([tag, groupsOf(read(tag))]))
  return new Map(
    [...catalogues, /** @type {const} */ ([PSEUDO, groupsOf(read(FIRST))])].flatMap(([tag, groups]) =>
      Object.entries(groups).map(([group, messages]) => {
        const compiled = Object.entries(messages).map(([key, text]) => {
          const message = compileMessage(key, text)
          return [key, tag === PSEUDO ? pseudo(message) : message]
        })
        return [fileOf(tag, group), `export default ${JSON.stringify(Object.fromEntries(compiled))}\n`]
      }),
    ),
  )
}

/** Write the messages of all languages, and the types of all messages. */
export function compile() {
  rmSync(COMPILED, { recursive: true, force: true })
  mkdirSync(COMPILED, { recursive: true })
  const groups = groupsOf(read(FIRST))
  const constants = Object.entries({ LANGUAGES: languages(), PSEUDO, GROUPS: Object.keys(groups) })
  const lines = constants.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
  const files = [...compiledFiles(), ['languages.js', lines.join('')], ['messages.d.ts', typesOf(groups)]]
  for (const [name, text] of files) writeFileSync(`${COMPILED}/${name}`, text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) compile()
