/**
 * The catalogues of the page (shared/fortythieves/words): read, compared with each other and with the code, compiled and packed.
 *
 * `node words.js` writes what the page and its types need into src/words/compiled. `node words.js check` also says what is
 * wrong: a message that a language lacks, that nothing uses or that has other parameters, and text outside the catalogues.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { pseudo } from './pseudo.js'
import { swap } from './src/words/packed.js'
import { textsIn } from './texts.js'

export const CATALOGUES = fileURLToPath(new URL('../../shared/fortythieves/words', import.meta.url))
const ROOT = fileURLToPath(new URL('.', import.meta.url))
const SOURCES = `${ROOT}src`
const COMPILED = `${SOURCES}/words/compiled`
const TEMPLATES = '../../server/fortythieves_server/ops/pages'
/** The language in which all others are written, and which is there when another lacks a message. */
const FIRST = 'en'
/** English with marks, for tests: what is not in a catalogue has none. */
export const PSEUDO = 'en-XA'
/** These messages are for what the build and the server make (server/fortythieves_server/common/texts.py). */
const OF_SERVER = 'server'
/** These come with others, in one file: a small file packs badly, because it begins without anything to refer back to. */
const COMES_WITH = new Map([
  ['watch', 'more'],
  ['solver', 'more'],
  ['refused', 'more'],
])

/**
 * @typedef {ReturnType<typeof compileMessageOrThrow>} Compiled text, and lists for what stands in for something
 * @typedef {Record<string, string>} Catalogue the messages by key
 * @typedef {Record<string, Catalogue>} Language the catalogues by their names, or what of them comes in one file, by group
 * @typedef {[first: number, numbered: number, families: [head: string, tails: string][]]} Keys those of a group: see `packed`
 */

/** @param {string} folder @param {RegExp} name */
const filesIn = (folder, name) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .sort()

/** Each language by its own name. @returns {Record<string, string>} */
export const languages = () => JSON.parse(readFileSync(`${CATALOGUES}/languages.json`, 'utf8'))

/** @param {string} language @returns {Language} */
export function read(language) {
  const folder = `${CATALOGUES}/${language}`
  const names = filesIn(folder, /\.json$/).map((name) => name.slice(0, -'.json'.length))
  return Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))]))
}

/**
 * What a message needs, and what kind of thing each is.
 *
 * @param {Compiled} compiled @param {Map<string, string>} [found]
 * @returns {Map<string, string>} TypeScript types by name
 */
export function parametersOf(compiled, found = new Map()) {
  for (const token of compiled) {
    if (!Array.isArray(token)) continue
    const [name, kind, choices] = token
    if (kind === 'plural' || kind === 'selectordinal') found.set(name, 'number')
    else if (kind === 'select') {
      const cases = Object.keys(/** @type {object} */ (choices)).filter((key) => key !== 'other' && key !== 'offset')
      const isNumber = cases.every((key) => /^\d+$/.test(key))
      found.set(
        name,
        isNumber
          ? 'number'
          : cases.map((key) => `'${key}'`).join(' | ') + (cases.includes('true') ? ' | boolean' : ' | string & {}'),
      )
    } else if (!found.has(name)) found.set(name, 'string | number')
    if (choices && typeof choices === 'object') {
      for (const choice of Object.values(choices)) if (Array.isArray(choice)) parametersOf(/** @type {any} */ (choice), found)
    }
  }
  return found
}

/** The kinds of numbers that each choice by number must have an answer for. @param {string} language @param {string} kind */
const categories = (language, kind) =>
  new Intl.PluralRules(language, { type: kind === 'plural' ? 'cardinal' : 'ordinal' }).resolvedOptions().pluralCategories

/**
 * What is wrong with the choices by number of a message.
 *
 * @param {Compiled} compiled @param {string} language @returns {string[]}
 */
function lacking(compiled, language) {
  return compiled.flatMap((token) => {
    if (!Array.isArray(token) || !token[2] || typeof token[2] !== 'object') return []
    const [name, kind, choices] = /** @type {[string, string, Record<string, any>]} */ (token)
    const wanted = kind === 'select' ? ['other'] : categories(language, kind)
    const missing = wanted.filter((category) => !(category in choices)).map((category) => `{${name}} has no "${category}"`)
    return [...missing, ...Object.values(choices).flatMap((choice) => (choice ? lacking(choice, language) : []))]
  })
}

/** @param {string} key @param {string} text */
function compiledOf(key, text) {
  try {
    return text ? compileMessageOrThrow(text) : []
  } catch (error) {
    throw new Error(`${key}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Each message of an object. @template T, U @param {Record<string, T>} messages @param {(message: T, key: string) => U} change */
const changed = (messages, change) =>
  Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, change(message, key)]))

/** The group with which the messages of a catalogue come. @param {string} name */
export const groupOf = (name) => COMES_WITH.get(name) ?? name

/** What the page has of a language, by group. @param {Language} language @returns {Language} */
export function grouped({ [OF_SERVER]: _, ...language }) {
  /** @type {Language} */
  const groups = {}
  for (const [name, catalogue] of Object.entries(language)) {
    const group = groupOf(name)
    groups[group] = { ...groups[group], ...catalogue }
  }
  return groups
}

/**
 * Types for all messages and groups.
 *
 * @param {Language} first @returns {string} TypeScript
 */
function typesOf(first) {
  const messages = Object.values(first).flatMap((group) =>
    Object.entries(group).map(([key, text]) => {
      const parameters = [...parametersOf(compiledOf(key, text))].map(([name, type]) => `${name}: ${type}`)
      return `  '${key}': { ${parameters.join('; ')} }`
    }),
  )
  const groups = Object.keys(first).map((group) => `'${group}'`)
  return `/** Written by words.js: what each message needs. */\nexport interface Messages {\n${messages.join('\n')}\n}\nexport type Group = ${groups.join(' | ')}\n`
}

/** Where a group of a language is. @param {string} language @param {string} group */
export const fileOf = (language, group) => `${language}-${group}.js`

/** Where the keys of a group are. @param {string} group */
const keysFileOf = (group) => fileOf('keys', group)

/** @param {Keys | string} value */
const scriptOf = (value) => `export default ${JSON.stringify(value)}\n`

/**
 * The keys of each group: they are the same in all languages.
 *
 * @param {Language} first by group @param {Map<string, string>} numbers @param {string[]} heads
 * @returns {Map<string, string>} scripts by name
 */
export const keysFilesOf = (first, numbers, heads) =>
  new Map(
    Object.entries(first).map(([group, messages]) => [
      keysFileOf(group),
      scriptOf(packed(Object.keys(messages), numbers, heads).keys),
    ]),
  )

/**
 * Each group in each language, in the order of the keys.
 *
 * @param {Language} first by group @param {Record<string, Language>} all by tag and group
 * @param {Map<string, string>} numbers @param {string[]} heads
 * @returns {Map<string, string>} scripts by name
 */
export const filesOf = (first, all, numbers, heads) =>
  new Map(
    Object.entries(first).flatMap(([group, messages]) => {
      const { order } = packed(Object.keys(messages), numbers, heads)
      return Object.entries(all).map(([language, { [group]: own = {} }]) => [
        fileOf(language, group),
        scriptOf(packedTexts(order.map((key) => own[key] ?? ''))),
      ])
    }),
  )

/**
 * What the page has of each language, by tag and group, and the scripts that it needs, by name. Without numbers, the
 * messages keep their keys.
 *
 * @param {{numbers: Map<string, string>, heads: string[]}} [how]
 */
export function scriptsOf({ numbers, heads } = { numbers: new Map(), heads: [''] }) {
  const first = grouped(read(FIRST))
  const all = {
    ...changed(languages(), (_, language) => grouped(read(language))),
    [PSEUDO]: changed(first, (group) => changed(group, pseudo)),
  }
  return { first, keys: keysFilesOf(first, numbers, heads), files: filesOf(first, all, numbers, heads) }
}

/** Write each language, and the types of all messages. */
export function compile() {
  rmSync(COMPILED, { recursive: true, force: true })
  mkdirSync(COMPILED, { recursive: true })
  const { first, keys, files } = scriptsOf()
  for (const [name, script] of [...keys, ...files]) writeFileSync(`${COMPILED}/${name}`, script)
  writeFileSync(
    `${COMPILED}/languages.js`,
    `export const LANGUAGES = ${JSON.stringify(languages())}\nexport const PSEUDO = '${PSEUDO}'\nexport const GROUPS = ${JSON.stringify(Object.keys(first))}\n`,
  )
  writeFileSync(`${COMPILED}/messages.d.ts`, typesOf(first))
}

/**
 * What is wrong with the catalogues of some languages.
 *
 * @param {Language} first in which all others are written @param {Record<string, Language>} all by tag
 * @returns {string[]}
 */
export function wrongMessages(first, all) {
  return Object.entries(all).flatMap(([language, own]) => {
    const groups = new Set([...Object.keys(first), ...Object.keys(own)])
    return [...groups].flatMap((group) => {
      const [wanted, given] = [first[group] ?? {}, own[group] ?? {}]
      return [...new Set([...Object.keys(wanted), ...Object.keys(given)])].flatMap((key) => {
        const where = `${language}/${group}.json: ${key}`
        if (!key.startsWith(`${group}.`)) return [`${where} does not begin with "${group}."`]
        if (!given[key]) return [`${where} is missing`]
        if (!wanted[key]) return [`${where} is not in ${FIRST}`]
        const [one, other] = [compiledOf(key, wanted[key]), compiledOf(key, given[key])]
        const named = [...parametersOf(one).keys()].sort()
        const namedHere = [...parametersOf(other).keys()].sort()
        const differ = String(named) === String(namedHere) ? [] : [`has {${namedHere}} and not {${named}}`]
        return [...differ, ...lacking(other, language)].map((fault) => `${where} ${fault}`)
      })
    })
  })
}

/** All scripts of the page, and the one of the build that uses messages. */
const scripts = () =>
  [...filesIn(SOURCES, /\.jsx?$/).map((path) => `src/${path}`), 'drawn-early.js']
    .filter((path) => !path.startsWith('src/words/compiled'))
    .map((path) => ({ path, source: readFileSync(`${ROOT}${path}`, 'utf8') }))

/** All style sheets and pages, also those that the server fills in. */
const pages = () => [
  ...filesIn(SOURCES, /\.css$/).map((path) => `src/${path}`),
  'index.html',
  ...filesIn(`${ROOT}${TEMPLATES}`, /\.html$/).map((path) => `${TEMPLATES}/${path}`),
]

/**
 * The keys that scripts name, and those that they put together.
 *
 * @param {string} code
 * @returns {{named: Set<string>, isPutTogether: (key: string) => boolean, heads: string[]}} `heads`: what the latter begin with
 */
function usesIn(code) {
  const named = new Set([...code.matchAll(/['"]([a-z]+\.[\w.-]+)['"]/g)].map(([, key = '']) => key))
  const templates = [...code.matchAll(/`([a-z]+\.[\w.-]*(?:\$\{[^}]*\}[\w.-]*)+)`/g)].map(([, template = '']) => template)
  const patterns = templates.map(
    (template) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`),
  )
  return {
    named,
    isPutTogether: (key) => patterns.some((pattern) => pattern.test(key)),
    heads: templates.map((template) => template.slice(0, template.indexOf('$'))),
  }
}

const codeOfScripts = () =>
  scripts()
    .map(({ source }) => source)
    .join('\n')

/** @param {Language} language @returns {string[]} of all that the page has, by group */
const keysOf = (language) => Object.values(grouped(language)).flatMap((group) => Object.keys(group))

/**
 * How the messages are numbered in the built page. Only the keys that scripts name as they are can be: what those put
 * together at the time, such as the code of a refusal, may be one that has no message.
 *
 * @param {Language} first @param {string} code
 * @returns {{numbers: Map<string, string>, heads: string[]}} `numbers` by key, as scripts write them; `heads` of all other keys
 */
export function numberedIn(first, code) {
  const { isPutTogether, heads } = usesIn(code)
  const named = keysOf(first).filter((key) => !isPutTogether(key))
  return { numbers: new Map(named.map((key, i) => [key, i.toString(36)])), heads }
}

/** How they are in this page. */
export const numbering = () => numberedIn(read(FIRST), codeOfScripts())

/**
 * The keys of a group as the page loads them: how many are numbered and from which number on, and families of those that
 * are put together, with the head that their keys share. They are no part of a language, which has its messages in the same
 * order: so another language comes without them. `unpacked` of src/words/packed.js reads both.
 *
 * @param {string[]} group @param {Map<string, string>} numbers @param {string[]} heads
 * @returns {{keys: Keys, order: string[]}} `order`: that of the messages
 */
export function packed(group, numbers, heads) {
  const longestFirst = heads.toSorted((one, other) => other.length - one.length)
  const numbered = group.filter((key) => numbers.has(key))
  /** @type {Map<string, string[]>} */
  const families = new Map()
  for (const key of group.filter((key) => !numbers.has(key))) {
    const head = longestFirst.find((head) => key.startsWith(head)) ?? ''
    families.set(head, [...(families.get(head) ?? []), key.slice(head.length)])
  }
  const first = Number.parseInt(numbers.get(numbered[0] ?? '') ?? '0', 36)
  return {
    keys: [first, numbered.length, [...families].map(([head, tails]) => [head, tails.join(' ')])],
    order: [...numbered, ...[...families].flatMap(([head, tails]) => tails.map((tail) => head + tail))],
  }
}

/** What stands between the texts of a group. */
const BETWEEN = '|'
/** The characters that take one byte, without those that mean something in a packed file. */
const SHORT = [..." !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{}~"]

/** A pair is worth what it weighs itself if its letters differ by so many times. */
const WORTH = 4

/**
 * The texts of a group as the page loads them: as they are in the catalogue, but each letter that is frequent and takes two
 * or three bytes has changed places with a rare one that takes one byte, because gzip packs bytes and not letters: Hindi
 * weighs an eighth less. The pairs stand before the texts. `unpacked` of src/words/packed.js reads it.
 *
 * @param {string[]} texts
 */
export function packedTexts(texts) {
  const all = texts.join(BETWEEN)
  if (texts.some((text) => text.includes(BETWEEN))) throw new Error(`a message has "${BETWEEN}" in it`)
  const timesOf = (/** @type {string} */ letter) => all.split(letter).length - 1
  const long = [...new Set(all)].filter((letter) => letter > '~').sort((one, other) => timesOf(other) - timesOf(one))
  const short = SHORT.toSorted((one, other) => timesOf(one) - timesOf(other))
  const pairs = long
    .slice(0, short.length)
    .map((letter, i) => [letter, short[i] ?? ''])
    .filter(([frequent = '', rare = '']) => timesOf(frequent) > timesOf(rare) + WORTH)
    .map((pair) => pair.join(''))
    .sort()
    .join('')
  return pairs + BETWEEN + swap(pairs, all)
}

/** The keys that no script uses. @param {Language} first @param {string} code @returns {string[]} */
export function unusedMessages(first, code) {
  const { named, isPutTogether } = usesIn(code)
  return keysOf(first)
    .filter((key) => !named.has(key) && !isPutTogether(key))
    .map((key) => `${FIRST}: ${key} is not used`)
}

function faults() {
  const first = read(FIRST)
  return [
    ...wrongMessages(
      first,
      changed(languages(), (_, language) => read(language)),
    ),
    ...unusedMessages(first, codeOfScripts()),
    ...scripts().flatMap(({ path, source }) => textsIn(path, source)),
    ...pages().flatMap((path) => textsIn(path, readFileSync(`${ROOT}${path}`, 'utf8'))),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compile()
  const found = process.argv[2] === 'check' ? faults() : []
  for (const fault of found) console.error(fault)
  if (found.length) console.error(`${found.length} faults in the catalogues (CONTRIBUTING.md, "Words and languages").`)
  process.exitCode = found.length ? 1 : 0
}
