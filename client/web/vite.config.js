import { defineConfig } from 'vite'

// The server package serves the built client, so the build goes right into it; the wheel carries it from there.
const outDir = '../../server/fortythieves_server/client'

// For `npm run dev`: where a running `forty-thieves serve` answers.
const server = process.env.FORTY_THIEVES_SERVER ?? 'http://localhost:8040'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // The server's Content-Security-Policy is script-src 'self' without exceptions: nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each file costs a phone a round trip, and one that is only named in another file costs one more. So there
          // is one with the front page and what all pages share, and one with the way from there to the end of a race.
          groups: [
            { name: 'front', tags: ['$initial'], priority: 1 },
            { name: 'play', test: /[\\/]src[\\/](pages[\\/](room|race|end)|rules[\\/]index)\./ },
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
