/** The import rules: the folders of `src` have one order, and each imports only from earlier ones. Biome finds circles. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { groupOf, read } from '../catalogues.js'

/** From the bottom up; `.` is `main.jsx`, which wires everything. CONTRIBUTING.md describes each folder. */
const FOLDERS =
  `protocol words rules solver record model net browser table parts stage pages watch replay tournament shell .`.split(' ')

/** Values in, values out: no page, no connection and no storage. They use libraries for hashes and bytes, and nothing else. */
const PURE = ['rules', 'record', 'solver', 'model']
const PURE_LIBRARIES = /^@(noble|msgpack)\//
const WORLD =
  /(?<![.#\w])(window|document|location|history|localStorage|sessionStorage|fetch|WebSocket|setTimeout|setInterval|Date\.now|Math\.random)\b/

const SRC = fileURLToPath(new URL('../src', import.meta.url))
const TEST = fileURLToPath(new URL('.', import.meta.url))

/** @param {string} folder @param {RegExp} [name] @returns {string[]} paths of all scripts in it, or of the files with such names */
const scriptsIn = (folder, name = /\.jsx?$/) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .sort()

/** The modules that a script imports: `import … from`, `export … from`, `import()`, and types in comments. @param {string} source */
function importsOf(source) {
  const found = source.matchAll(/\b(?:from|import)\s*\(?\s*(['"])(?<name>[^'"]+)\1/g)
  return [...found].map((match) => match.groups?.name ?? '')
}

/** Without comments, roughly. @param {string} source */
const codeOf = (source) => source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')

/** @param {string} path */
const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.')

const SOURCES = new Map(
  scriptsIn(SRC)
    .filter((path) => !path.startsWith('words/compiled/'))
    .map((path) => [path, readFileSync(join(SRC, path), 'utf8')]),
)
const IMPORTS = new Map([...SOURCES].map(([path, source]) => [path, importsOf(source)]))

/** The scripts of ours that a script imports. @param {string} path */
const oursOf = (path) =>
  (IMPORTS.get(path) ?? [])
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name))
    .filter((name) => SOURCES.has(name))

/** @param {(path: string, imported: string) => boolean} wrong */
const wrongImports = (wrong) =>
  [...SOURCES.keys()].flatMap((path) =>
    oursOf(path)
      .filter((name) => wrong(path, name))
      .map((name) => `${path} imports ${name}`),
  )

test('every kind of import is found', () => {
  const plain = `import a from './a.js'; import './b.js'; export { c } from "./c.js"; import {\n d,\n} from 'd'`
  const others = "const e = await import('./e.js') /** @typedef {import('./f.js').F} F */"
  assert.deepEqual(importsOf(plain + others), ['./a.js', './b.js', './c.js', 'd', './e.js', './f.js'])
})

test('every folder has its place in the order', () => {
  assert.deepEqual(new Set([...SOURCES.keys()].map(folderOf)), new Set(FOLDERS))
})

test('a folder imports only from earlier folders', () => {
  assert.deepEqual(
    wrongImports((path, name) => FOLDERS.indexOf(folderOf(name)) > FOLDERS.indexOf(folderOf(path))),
    [],
  )
})

test('pure scripts use nothing of the browser', () => {
  for (const [path, source] of SOURCES) {
    if (!PURE.includes(folderOf(path))) continue
    const libraries = (IMPORTS.get(path) ?? []).filter((name) => !name.startsWith('.') && !PURE_LIBRARIES.test(name))
    assert.deepEqual(libraries, [], path)
    assert.equal(WORLD.exec(codeOf(source).replace(/'[^'\n]*'|`[^`]*`/g, ''))?.[0], undefined, path)
  }
})

test('a test is in the folder of its script', () => {
  const folders = new Set([...SOURCES.keys()].map((path) => dirname(path)))
  const lost = scriptsIn(TEST).filter((path) => !folders.has(dirname(path)))
  assert.deepEqual(lost, [])
})

// Style sheets: a script imports each sheet that it needs, in any order. The layers decide which rule applies.

const SHEETS = new Map(scriptsIn(SRC, /\.css$/).map((path) => [path, readFileSync(join(SRC, path), 'utf8')]))

/** @param {string} path */
function layerOf(path) {
  if (path === 'style/tokens.css') return 'tokens'
  if (path === 'style/base.css') return 'base'
  return ['style', 'parts', 'table'].includes(folderOf(path)) ? 'parts' : 'pages'
}

test('every style sheet is imported by a script and has its layer', () => {
  const imported = new Set([...IMPORTS].flatMap(([path, names]) => names.map((name) => join(dirname(path), name))))
  for (const [path, sheet] of SHEETS) {
    assert.ok(imported.has(path), `nobody imports ${path}`)
    // Biome formats the sheets, so only lines outside all layers start at the left margin.
    const outermost = sheet.split('\n').filter((line) => /^[^ /}]/.test(line))
    assert.deepEqual(
      outermost,
      [...(layerOf(path) === 'tokens' ? ['@layer tokens, base, parts, pages;'] : []), `@layer ${layerOf(path)} {`],
      path,
    )
  }
})

test('no style sheet needs what the oldest browsers do not know', () => {
  // Chrome 90 and Safari 15 ignore such a rule, or all of it. (They also ignore `:has`, and each page must do without.)
  const newer = /@container|\bcontainer-type|color-mix\(|\d(cq[whib]|cqmin|cqmax)\b|\boklch\(|@scope|@starting-style/
  for (const [path, sheet] of SHEETS) assert.equal(newer.exec(sheet)?.[0], undefined, path)
})

test('the order of the layers is the first style', () => {
  assert.equal(IMPORTS.get('main.jsx')?.[0], './style/tokens.css')
})

test('one style sheet has the look of buttons', () => {
  const look = /\.button[^{}]*\{[^{}]*\b(background|color|border-color|font-weight|opacity)[^{}]*\}/
  for (const [path, sheet] of SHEETS)
    if (path !== 'parts/controls/controls.css') assert.equal(look.exec(sheet)?.[0], undefined, path)
})

/** The classes of its elements. @param {string} source */
const classesIn = (source) =>
  [...source.matchAll(/class=(?:"([^"]*)"|\{[^}]*\})/g)].flatMap(([all, plain]) => (plain ?? all).match(/[a-z][\w-]+/g) ?? [])

test('every page loads the style sheets of its parts', () => {
  /** All scripts that load together with this one. Later imports and types do not count. @param {string} path @param {Set<string>} [known] */
  function loadedWith(path, known = new Set()) {
    if (known.has(path)) return known
    known.add(path)
    for (const [, name] of codeOf(SOURCES.get(path) ?? '').matchAll(/^(?:import|\} from|export .*from)\b.*'(\..*)'$/gm)) {
      loadedWith(join(dirname(path), name), known)
    }
    return known
  }
  const later = [...SOURCES].flatMap(([path, source]) =>
    [...source.matchAll(/await import\('(.*\.jsx)'\)/g)].map(([, name]) => join(dirname(path), name)),
  )
  const shown = new Map([...SOURCES].map(([path, source]) => [path, classesIn(source)]))
  const sheetsOf = new Map(
    [...new Set([...shown.values()].flat())].map((name) => {
      const rule = new RegExp(`^ *\\.${name}(?![\\w-])`, 'm')
      return [name, [...SHEETS].filter(([, sheet]) => rule.test(sheet)).map(([path]) => path)]
    }),
  )
  const always = loadedWith('main.jsx')
  assert.ok(later.length > 8)
  for (const page of later) {
    const loaded = new Set([...always, ...loadedWith(page)])
    for (const name of [...loaded].flatMap((path) => shown.get(path) ?? [])) {
      const sheets = sheetsOf.get(name) ?? []
      assert.ok(!sheets.length || sheets.some((sheet) => loaded.has(sheet)), `${page} shows .${name} without any of ${sheets}`)
    }
  }
})

// Words: each group loads together with the scripts of the pages that need it (`parts/page/lazy.jsx`).

/** A part of a page that is loaded later, with its words. */
const LATER = /lazy\w+\(\s*\[([^\]]*)\],\s*async \(\) => \(await import\('([^']+)'\)\)/g
/** A key of a message, or the beginning of one that is put together. */
const KEY = new RegExp(`['"\`](${Object.keys(read('en')).join('|')})\\.[\\w$]`, 'g')
/** A script loads some groups only when it needs them. */
const BROUGHT = /\bbringWords\('(\w+)'\)/g
/** Uses only loaded words (`hasWords`), else the server's sentence. Texts of tournament refusals load with their pages. */
const IF_THERE = 'net/refusal.js'

/** The first capture of each match. @param {string} text @param {RegExp} pattern */
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, first]) => first ?? '')

/** The code of a script, without the parts that bring their own words. @param {string} path */
const ownCode = (path) => codeOf(SOURCES.get(path) ?? '').replace(LATER, '')

/** All scripts that a script imports, now or later. @param {string} path @param {Set<string>} [known] */
function comesWith(path, known = new Set()) {
  if (known.has(path) || !SOURCES.has(path)) return known
  known.add(path)
  for (const name of importsOf(ownCode(path))) comesWith(join(dirname(path), name), known)
  return known
}

test('every page loads the texts of its parts', () => {
  const pages = [...SOURCES].flatMap(([path, source]) =>
    [...codeOf(source).matchAll(LATER)].map(([, groups = '', name = '']) => ({
      page: join(dirname(path), name),
      groups: all(groups, /'(\w+)'/g),
    })),
  )
  assert.ok(pages.length > 15)
  for (const { page, groups } of [{ page: 'main.jsx', groups: [] }, ...pages]) {
    assert.ok(SOURCES.has(page), page)
    const used = new Set()
    for (const path of comesWith(page)) {
      const brought = new Set(['front', ...all(ownCode(path), BROUGHT)])
      for (const group of all(ownCode(path), KEY).map(groupOf)) {
        if (brought.has(group) || path === IF_THERE) continue
        used.add(group)
        assert.ok(groups.includes(group), `${page} shows ${path} without the words of "${group}"`)
      }
    }
    for (const group of groups) assert.ok(used.has(group), `${page} shows nothing with the words of "${group}"`)
  }
})
