/**
 * The message catalogues of the page (shared/fortythieves/words), compiled with Lingui, and their checks.
 *
 * `node catalogues.js` writes the messages and their types into src/words/compiled. `node catalogues.js check` also prints
 * every fault: a message that a language lacks, that no script uses or that has other parameters.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

export const CATALOGUES = fileURLToPath(new URL('../../shared/fortythieves/words', import.meta.url))
const ROOT = fileURLToPath(new URL('.', import.meta.url))
const SOURCES = `${ROOT}src`
const COMPILED = `${SOURCES}/words/compiled`
/** All other languages are translated from this one. */
const FIRST = 'en'
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
const filesIn = (folder, name) =>
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
function groupsOf({ [OF_SERVER]: _, ...catalogues }) {
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

/** The faults in the choices of a message by number or by case. @param {Compiled} compiled @param {string} language @returns {string[]} */
function missingChoices(compiled, language) {
  return compiled.flatMap((token) => {
    if (!Array.isArray(token) || !token[2] || typeof token[2] !== 'object') return []
    const [name, kind, choices] = /** @type {[string, string, Record<string, any>]} */ (token)
    const rules = new Intl.PluralRules(language, { type: kind === 'plural' ? 'cardinal' : 'ordinal' })
    const wanted = kind === 'select' ? ['other'] : rules.resolvedOptions().pluralCategories
    const missing = wanted.filter((category) => !(category in choices)).map((category) => `{${name}} has no "${category}"`)
    return [...missing, ...Object.values(choices).flatMap((choice) => (choice ? missingChoices(choice, language) : []))]
  })
}

/**
 * The faults in the catalogues of some languages.
 * @param {Catalogues} first from which all others are translated @param {Record<string, Catalogues>} all by tag
 * @returns {string[]}
 */
export function wrongMessages(first, all) {
  return Object.entries(all).flatMap(([language, own]) =>
    Object.keys({ ...first, ...own }).flatMap((name) => {
      const [wanted, given] = [first[name] ?? {}, own[name] ?? {}]
      return Object.keys({ ...wanted, ...given }).flatMap((key) => {
        const where = `${language}/${name}.json: ${key}`
        if (!key.startsWith(`${name}.`)) return [`${where} does not begin with "${name}."`]
        if (!given[key]) return [`${where} is missing`]
        if (!wanted[key]) return [`${where} is not in ${FIRST}`]
        const [original, translated] = [compileMessage(key, wanted[key]), compileMessage(key, given[key])]
        const [before, after] = [original, translated].map((message) => String([...parametersOf(message).keys()].sort()))
        const differ = before === after ? [] : [`has {${after}} and not {${before}}`]
        return [...differ, ...missingChoices(translated, language)].map((fault) => `${where} ${fault}`)
      })
    }),
  )
}

/** The keys that no script uses. @param {Catalogues} first @param {string} code of all scripts @returns {string[]} */
export function unusedMessages(first, code) {
  const named = new Set([...code.matchAll(/['"]([a-z]+\.[\w.-]+)['"]/g)].map(([, key]) => key))
  const patterns = [...code.matchAll(/`([a-z]+\.[\w.-]*(?:\$\{[^}]*\}[\w.-]*)+)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`),
  )
  return Object.values(groupsOf(first))
    .flatMap(Object.keys)
    .filter((key) => !named.has(key) && !patterns.some((pattern) => pattern.test(key)))
    .map((key) => `${FIRST}: ${key} is not used`)
}

function faults() {
  const all = Object.fromEntries(Object.keys(languages()).map((tag) => [tag, read(tag)]))
  const scripts = filesIn(SOURCES, /\.jsx?$/).filter((path) => !path.startsWith('words/compiled'))
  const code = [...scripts.map((path) => `${SOURCES}/${path}`), `${ROOT}drawn-early.js`].map((path) => readFileSync(path, 'utf8'))
  return [...wrongMessages(read(FIRST), all), ...unusedMessages(read(FIRST), code.join('\n'))]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compile()
  const found = process.argv[2] === 'check' ? faults() : []
  for (const fault of found) console.error(fault)
  if (found.length) console.error(`${found.length} faults in the catalogues (CONTRIBUTING.md, "Words and languages").`)
  process.exitCode = found.length ? 1 : 0
}
