import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { minifySync } from 'rolldown/utils'
import { defineConfig, runnerImport } from 'vite'
import { CATALOGUES, compile, fileOf, languages, read } from './catalogues.js'
import { directionOf } from './src/browser/language.js'

/** @import { OutputBundle } from 'rolldown' */
/** @import { Plugin, UserConfig } from 'vite' */

// The server package serves the built client. So the build writes directly into it, and the wheel includes it.
const outDir = '../../server/fortythieves_server/client'

// For `npm run dev`: the address of a running `forty-thieves serve`.
const server = process.env.FORTY_THIEVES_SERVER ?? 'http://localhost:8040'

/** @type {UserConfig['oxc']} */
const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } }

/** Compiles the catalogues, also after each change. @type {Plugin} */
const words = {
  name: 'words',
  buildStart: compile,
  configureServer: ({ watcher }) => {
    watcher.add(CATALOGUES)
    watcher.on('change', (path) => path.startsWith(CATALOGUES) && compile())
  },
}

/** The built file with the messages of a group. @param {OutputBundle} bundle @param {string} tag @param {string} group */
function wordsIn(bundle, tag, group) {
  const end = `/words/compiled/${fileOf(tag, group)}`
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(end))
  if (!chunk) throw new Error(`no ${end}`)
  return `/${chunk.fileName}`
}

/** Ignores style sheets: drawing the pages in the build needs none, and Vite cannot read one there. @type {Plugin} */
const noStyle = {
  name: 'no-style',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-style' : null),
  load: (id) => (id === '\0no-style' ? '' : null),
}

/** How a system shows the installed page, apart from its texts. */
const MANIFEST = {
  id: '/',
  short_name: 'Forty Thieves',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#123f3a',
  theme_color: '#123f3a',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}

/** The cascade layers, from the weakest on (`src/style/tokens.css`). */
const LAYERS = ['tokens', 'base', 'parts', 'pages']

/**
 * Replaces the cascade layers, which Chrome 90 and Safari 15 ignore with all that is in them: a stronger layer gets a higher
 * specificity instead.
 */
const noLayers = {
  postcssPlugin: 'no-layers',
  AtRule: {
    /** @param {any} layer */
    layer(layer) {
      if (!layer.nodes) return layer.remove() // the order
      const stronger = ':not(#a)'.repeat(LAYERS.indexOf(layer.params))
      layer.walkRules((/** @type {any} */ rule) => {
        if (rule.parent.name?.endsWith('keyframes')) return
        rule.selectors = rule.selectors.map((/** @type {string} */ selector) => selector.replace(/(?=::)|$/, stronger))
      })
      layer.replaceWith(layer.nodes)
    },
  },
}

/**
 * The pages of each language. The front page has its own file, such as `front.en.html`. It contains the head of the page, so a
 * phone paints that when the style has loaded, before the script has loaded and run. The other pages have nothing to paint
 * before the script.
 * @type {Plugin}
 */
const front = {
  name: 'front',
  enforce: 'post',
  async generateBundle(_, bundle) {
    const { module } = await runnerImport('./drawn-early.js', {
      configFile: false,
      logLevel: 'error',
      oxc,
      plugins: [noStyle],
    })
    const page = bundle['index.html']
    if (page?.type !== 'asset') throw new Error('no index.html')
    const plain = String(page.source)
    const name = 'load-check.js'
    const check = minifySync(name, readFileSync(`src/browser/${name}`, 'utf8'), { compress: { target: 'es2015' } }).code.trim()
    for (const [tag, { head, site }] of Object.entries(module.DRAWN)) {
      // Only the HTML shows these texts, never a script.
      const { server = {}, front: { 'front.reload': reload = '' } = {} } = read(tag)
      const { 'server.page.description': description = '' } = server
      const manifest = `manifest.${tag}.webmanifest`
      const index = plain
        .replace('<html lang="en"', `<html lang="${tag}" dir="${directionOf(tag)}"`)
        .replace(/(?<=name="description" content=")/, description)
        .replace(/(?<=<title>)/, site)
        .replace(/(?<=<noscript>)/, server['server.page.needsScript'] ?? '')
        .replace(/(?<=<p id="failed".*<span>)/, server['server.page.failed'] ?? '')
        .replace(/(?=<\/button>)/, reload)
        .replace(/(?=<script)/, `<script>${check}</script>\n    `)
        .replace(/(?<=rel="manifest" href=")/, `/${manifest}`)
        .replace('</head>', `<link rel="modulepreload" href="${wordsIn(bundle, tag, 'front')}">\n$&`)
      const files = { index, front: index.replace('<div id="app">', `$&${head}`) }
      for (const [name, source] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName: `${name}.${tag}.html`, source })
      }
      const named = { ...MANIFEST, name: site, description, lang: tag, dir: directionOf(tag) }
      this.emitFile({ type: 'asset', fileName: manifest, source: JSON.stringify(named) })
    }
    delete bundle['index.html']
  },
}

/** The logo, our own drawing, as a data URL. public/ has it as pictures, for systems and for links (server, web/link_previews.py). */
const mark = `data:image/svg+xml,${readFileSync('mark.svg', 'utf8').replace(/\n\s*/g, '').replaceAll('"', "'").replaceAll('#', '%23')}`

/** @type {Plugin} */
const installable = {
  name: 'installable',
  transformIndexHtml: () => [
    // Inside the page: a separate file would be one more request.
    { tag: 'link', attrs: { rel: 'icon', type: 'image/svg+xml', href: mark }, injectTo: 'head' },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icon-maskable.png' }, injectTo: 'head' },
    // `front` fills in the manifest of the language.
    { tag: 'link', attrs: { rel: 'manifest', href: '' }, injectTo: 'head' },
  ],
}

/** The pages that also work without a server, and the modules that they load. */
const WITHOUT_SERVER = [
  'src/pages/practice.jsx',
  'src/stage/line-player.jsx',
  'src/model/hint/hint-search.js',
  'src/parts/help/game-help.jsx',
  'src/parts/page/options.jsx',
  'src/pages/coach.jsx',
  'src/pages/me.jsx',
  'src/parts/results/own-best.jsx',
]
/** The worker that finds deals for practice. Vite builds workers separately, so it is a file here, not a chunk. */
const SOLVER = /^assets\/solver-worker-[\w-]+\.js$/
/** The message groups of these pages. */
const WORDS_WITHOUT_SERVER = ['front', 'race', 'more', 'memory']

/**
 * The service worker, `sw.js`. It stores the files of the pages that open without a network: the front page, the practice and
 * the lessons. Their names change with their content, so each release has a different worker.
 * @type {Plugin}
 */
const shell = {
  name: 'shell',
  enforce: 'post',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []))
    const wanted = chunks.filter(
      (chunk) => chunk.isEntry || chunk.moduleIds.some((id) => WITHOUT_SERVER.some((name) => id.endsWith(name))),
    )
    /** @type {Set<string>} */
    const names = new Set()
    const add = (/** @type {string} */ name) => {
      const chunk = chunks.find(({ fileName }) => fileName === name)
      if (!chunk || names.has(name)) return
      names.add(name)
      chunk.imports.forEach(add)
      for (const sheet of chunk.viteMetadata?.importedCss ?? []) names.add(sheet)
    }
    for (const { fileName } of wanted) add(fileName)
    for (const fileName of Object.keys(bundle)) if (SOLVER.test(fileName)) names.add(fileName)
    const pages = Object.values(bundle).map((file) => file.type === 'asset' && file.fileName.endsWith('.html') && file.source)
    const texts = Object.fromEntries(
      Object.keys(languages()).map((tag) => [tag, WORDS_WITHOUT_SERVER.map((group) => wordsIn(bundle, tag, group))]),
    )
    const files = [...names].sort().map((name) => `/${name}`)
    const release = createHash('sha256')
      .update(JSON.stringify([files, texts, pages]))
      .digest('hex')
      .slice(0, 16)
    const source = readFileSync('src/browser/shell-worker.js', 'utf8')
      .replace('__RELEASE__', release)
      .replace('{ __TEXTS__: [] }', JSON.stringify(texts))
      .replace("'__FILES__'", JSON.stringify(files).slice(1, -1))
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: minifySync('sw.js', source).code })
  },
}

/** The licences of all packages that the page may contain. Vite's own list leaves out those of workers. @type {Plugin} */
const licences = {
  name: 'licences',
  generateBundle() {
    /** @type {{ packages: Record<string, { version: string, license: string, dev?: true, devOptional?: true }> }} */
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const source = Object.entries(packages).flatMap(([path, { version, license, dev, devOptional }]) => {
      const file = path && !dev && !devOptional && readdirSync(path).find((name) => /^licen[cs]e/i.test(name))
      return file ? `# ${path.slice(13)} ${version} ${license}\n\n${readFileSync(`${path}/${file}`, 'utf8').trim()}\n\n` : []
    })
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: source.join('') })
  },
}

/** Writes each file also as brotli and as gzip, next to it, if that is smaller. @type {Plugin} */
const packed = {
  name: 'packed',
  writeBundle({ dir }, bundle) {
    for (const file of Object.values(bundle)) {
      const content = file.type === 'asset' ? file.source : file.code
      const forms = { br: brotliCompressSync(content), gz: gzipSync(content, { level: 9 }) }
      for (const [suffix, form] of Object.entries(forms))
        if (form.length < Buffer.byteLength(content)) writeFileSync(`${dir}/${file.fileName}.${suffix}`, form)
    }
  },
}

export default defineConfig({
  oxc,
  plugins: [words, installable, front, shell, licences, packed],
  css: { postcss: { plugins: [noLayers] } },
  build: {
    outDir,
    emptyOutDir: true,
    // For Chrome 90, Safari 15 and OBS 28, which know as much syntax as Firefox 91. By their own names, the bundler would replace
    // private fields, which they have. `src/browser/older-browsers.js` has the functions that they lack.
    target: 'firefox91',
    cssTarget: ['chrome90', 'safari15', 'firefox91'],
    assetsDir: 'assets',
    // The server's Content-Security-Policy allows files of its own and `load-check.js`: nothing else may be inlined.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      // Numbers and short texts are smaller than the names to export them.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // Each file names many others, and a hash does not compress: eight hexadecimal digits are enough.
        hashCharacters: 'hex',
        codeSplitting: {
          // Each file costs a phone a round trip, and a file that is only named in another file costs one more. So one
          // file has the front page and the shared code, one has the way from there to the cards, and one has the parts
          // that are needed late in a race.
          groups: [
            { name: 'front', tags: ['$initial'], priority: 1 },
            {
              name: 'play',
              test: /[\\/]src[\\/](pages[\\/](room|race)|rules[\\/]rules)\./,
            },
            {
              name: 'late',
              test: /[\\/]src[\\/](pages[\\/]room-later|parts[\\/](race[\\/](end-race|news|tension)|chat[\\/]moderation))\./,
            },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: ['../..'] }, // games.json lives in shared/, read by Python and by this client
    proxy: { '/ws': { target: server, ws: true }, '/api': server, '/healthz': server },
  },
})
