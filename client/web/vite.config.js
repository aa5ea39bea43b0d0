import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { minifySync } from 'rolldown/utils'
import { defineConfig, runnerImport } from 'vite'
import { CATALOGUES, compile, fileOf, languages, read } from './catalogues.js'
import { icon, markAddress, poster } from './mark.js'
import { directionOf } from './src/browser/language.js'

/**
 * @import { OutputBundle } from 'rolldown'
 * @import { Plugin, UserConfig } from 'vite'
 */

// The server package serves the built client, so the build goes right into it; the wheel carries it from there.
const outDir = '../../server/fortythieves_server/client'

// For `npm run dev`: where a running `forty-thieves serve` answers.
const server = process.env.FORTY_THIEVES_SERVER ?? 'http://localhost:8040'

/** @type {UserConfig['oxc']} */
const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } }

/** Compiles the catalogues, and again after each change. @type {Plugin} */
const words = {
  name: 'words',
  buildStart: compile,
  configureServer: ({ watcher }) => {
    watcher.add(CATALOGUES)
    watcher.on('change', (path) => path.startsWith(CATALOGUES) && compile())
  },
}

/** The built file with the words of a group. @param {OutputBundle} bundle @param {string} tag @param {string} group */
function wordsIn(bundle, tag, group) {
  const end = `/words/compiled/${fileOf(tag, group)}`
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(end))
  if (!chunk) throw new Error(`no ${end}`)
  return `/${chunk.fileName}`
}

/** What is drawn while building needs no style, and Vite cannot read one then. @type {Plugin} */
const noStyle = {
  name: 'no-style',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-style' : null),
  load: (id) => (id === '\0no-style' ? '' : null),
}

/** What a system shows of the page where it is installed, besides its words. */
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

/**
 * The pages of each language. The front page has its own file, `front.en.html`: it has the head of the page in it, so that
 * a phone paints that as soon as the style is there, and not only after the script has come and run. The other pages have
 * nothing to paint before that.
 *
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
    for (const [tag, { head, site }] of Object.entries(module.DRAWN)) {
      // No script shows these.
      const { 'server.page.description': description = '', 'server.page.needsScript': needsScript = '' } = read(tag).server ?? {}
      const manifest = `manifest.${tag}.webmanifest`
      const index = plain
        .replace('<html lang="en"', `<html lang="${tag}" dir="${directionOf(tag)}"`)
        .replace(/(?<=name="description" content=")/, description)
        .replace(/(?<=<title>)/, site)
        .replace(/(?<=<noscript>)/, needsScript)
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

/** @type {Plugin} */
const installable = {
  name: 'installable',
  transformIndexHtml: () => [
    // In the page itself: a file of its own would be one more request.
    { tag: 'link', attrs: { rel: 'icon', type: 'image/svg+xml', href: markAddress() }, injectTo: 'head' },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icon-maskable.png' }, injectTo: 'head' },
    // `front` names that of the language.
    { tag: 'link', attrs: { rel: 'manifest', href: '' }, injectTo: 'head' },
  ],
  generateBundle() {
    const files = {
      'icon-192.png': icon(192),
      'icon-512.png': icon(512),
      'icon-maskable.png': poster(512),
      // What messengers show of a link to a room (server, web/link_previews.py).
      'picture.png': poster(1200, 630),
    }
    for (const [fileName, source] of Object.entries(files)) this.emitFile({ type: 'asset', fileName, source })
  },
}

/** The pages that also work without a server, and what they open. */
const WITHOUT_SERVER = [
  'src/pages/practice.jsx',
  'src/pages/winnable.jsx',
  'src/stage/line-player.jsx',
  'src/model/hint/hint-search.js',
  'src/parts/page/options.jsx',
  'src/pages/coach.jsx',
]
/** The worker that finds deals to practise. Vite builds workers apart, so it is a file and not a chunk here. */
const SOLVER = /^assets\/solver-worker-[\w-]+\.js$/
/** The words on them. */
const WORDS_WITHOUT_SERVER = ['front', 'race', 'more']

/**
 * The worker that keeps the files with which the page opens without a network, `sw.js`: the front page, and the practice
 * and the lessons that need no server. Their names change with their content, so it is another worker for each release.
 *
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
    const said = Object.keys(languages()).flatMap((tag) => WORDS_WITHOUT_SERVER.map((group) => wordsIn(bundle, tag, group)))
    const files = [...[...names].sort().map((name) => `/${name}`), ...said]
    const release = createHash('sha256')
      .update(JSON.stringify([files, pages]))
      .digest('hex')
      .slice(0, 16)
    const source = readFileSync('src/browser/shell-worker.js', 'utf8')
      .replace('__RELEASE__', release)
      .replace("['__FILES__']", JSON.stringify(files))
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: minifySync('sw.js', source).code })
  },
}

/** Each file also as brotli and as gzip, beside it, where that is smaller. @type {Plugin} */
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
  plugins: [words, installable, front, shell, packed],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // The server's Content-Security-Policy is script-src 'self' without exceptions: nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      // Numbers and short texts are smaller than the names that would export them.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // Each file names many others, and no compression makes a hash smaller: eight hexadecimal digits are enough.
        hashCharacters: 'hex',
        codeSplitting: {
          // Each file costs a phone a round trip, and one that is only named in another file costs one more. So there
          // is one with the front page and what all pages share, one with the way from there to the cards, and one with
          // what comes late in a race.
          groups: [
            { name: 'front', tags: ['$initial'], priority: 1 },
            {
              name: 'play',
              test: /[\\/]src[\\/](pages[\\/](room|race)|rules[\\/]rules)\./,
            },
            {
              name: 'late',
              test: /[\\/]src[\\/](pages[\\/]room-later|parts[\\/](race[\\/](end-race|stand-aside)|chat[\\/]moderation))\./,
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
