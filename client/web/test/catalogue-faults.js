/** The faults of the message catalogues. */
import { readFileSync } from 'node:fs'
import { compileMessage, FIRST, filesIn, groupsOf, languages, parametersOf, ROOT, read, SOURCES } from '../catalogues.js'

/** @import { Catalogues, Compiled } from '../catalogues.js' */

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

/** All faults: messages that a language lacks, that no script uses or that have other parameters. */
export function faults() {
  const all = Object.fromEntries(Object.keys(languages()).map((tag) => [tag, read(tag)]))
  const scripts = filesIn(SOURCES, /\.jsx?$/).filter((path) => !path.startsWith('words/compiled'))
  const code = [...scripts.map((path) => `${SOURCES}/${path}`), `${ROOT}drawn-early.js`].map((path) => readFileSync(path, 'utf8'))
  return [...wrongMessages(read(FIRST), all), ...unusedMessages(read(FIRST), code.join('\n'))]
}
