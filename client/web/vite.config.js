import { writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { defineConfig, runnerImport } from 'vite'
import { HOSTING } from './src/browser/route.js'

// The server package serves the built client, so the build goes right into it; the wheel carries it from there.
const outDir = '../../server/fortythieves_server/client'

// For `npm run dev`: where a running `forty-thieves serve` answers.
const server = process.env.FORTY_THIEVES_SERVER ?? 'http://localhost:8040'

/** @type {import('vite').UserConfig['oxc']} */
const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } }

/** What is drawn while building needs no style, and Vite cannot read one then. @type {import('vite').Plugin} */
const noStyle = {
  name: 'no-style',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-style' : null),
  load: (id) => (id === '\0no-style' ? '' : null),
}

/**
 * The front page's own file, `front.html`: it has the head of the page in it, so that a phone paints that as soon as the
 * style is there, and not only after the script has come and run. The other pages have nothing to paint before that.
 *
 * @type {import('vite').Plugin}
 */
const front = {
  name: 'front',
  enforce: 'post',
  async generateBundle(_, bundle) {
    const { module } = await runnerImport('./src/parts/hero.jsx', {
      configFile: false,
      logLevel: 'error',
      oxc,
      plugins: [noStyle],
    })
    const drawn = renderToString(h('main', { class: 'front', id: HOSTING.slice(1) }, h(module.Hero, {})))
    const page = bundle['index.html']
    const source = String(page.type === 'asset' && page.source).replace('<div id="app">', `$&${drawn}`)
    this.emitFile({ type: 'asset', fileName: 'front.html', source })
  },
}

/** Each file also as brotli and as gzip, beside it, where that is smaller. @type {import('vite').Plugin} */
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
  plugins: [front, packed],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // The server's Content-Security-Policy is script-src 'self' without exceptions: nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each file costs a phone a round trip, and one that is only named in another file costs one more. So there
          // is one with the front page and what all pages share, and one with the way from there to the end of a race.
          groups: [
            { name: 'front', tags: ['$initial'], priority: 1 },
            { name: 'play', test: /[\\/]src[\\/](pages[\\/](room|race|end)|rules[\\/](index|nonce))\./ },
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
