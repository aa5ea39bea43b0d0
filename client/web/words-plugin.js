/** The catalogues in the built page: a file for each language and group, in which messages have numbers. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { CATALOGUES, compile, fileOf, numbering, scriptsOf } from './words.js'

/** @import { Plugin } from 'vite' */

/** Where src/words/index.js looks for them while one works at the page. */
const WORKING = "'./compiled/'"

/** @type {{numbers: Map<string, string>, keys: Map<string, string>, files: Map<string, string>, base: string}} what the build has of them; scripts by name */
const built = { numbers: new Map(), keys: new Map(), files: new Map(), base: '' }

/** In a script, a key stands alone in quotes. @param {string} code */
const numbered = (code) =>
  code.replace(/(['"])([a-z]+\.[\w.-]+)\1/g, (all, quote, key) => {
    const number = built.numbers.get(key)
    return number ? `${quote}${number}${quote}` : all
  })

/** Where the built page finds the words of a language. @param {string} tag @param {string} group */
export const addressOf = (tag, group) => `/${built.base}${fileOf(tag, group)}`

/** @type {Plugin[]} */
export const words = [
  {
    name: 'compile-words',
    apply: 'serve',
    buildStart: () => void compile(),
    configureServer: ({ watcher }) => {
      watcher.add(CATALOGUES)
      watcher.on('change', (path) => path.startsWith(CATALOGUES) && compile())
    },
  },
  {
    name: 'pack-words',
    apply: 'build',
    buildStart() {
      const how = numbering()
      compile()
      Object.assign(built, { numbers: how.numbers }, scriptsOf(how))
      // All names change with any of them: so the page has to know one name, and not one for each.
      const hash = createHash('sha256')
        .update(JSON.stringify([...built.keys, ...built.files]))
        .digest('hex')
        .slice(0, 8)
      built.base = `assets/words-${hash}-`
    },
    load: (id) => built.keys.get(basename(id)),
    transform: (code, id) => (id.includes('/src/') ? numbered(code).replace(WORKING, `'/${built.base}'`) : null),
    generateBundle() {
      for (const [name, source] of built.files) this.emitFile({ type: 'asset', fileName: `${built.base}${name}`, source })
    },
  },
]
