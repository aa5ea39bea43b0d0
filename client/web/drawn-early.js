/** The parts of the pages that the build draws in each language. They are visible before the script loads (vite.config.js). */
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { HOSTING } from './src/browser/route.js'
import { Hero } from './src/pages/hero.jsx'
import { LANGUAGES } from './src/words/compiled/languages.js'
import { speak, t } from './src/words/translate.js'

/** @type {Record<string, {head: string, site: string}>} by language */
export const DRAWN = {}
for (const tag of Object.keys(LANGUAGES)) {
  await speak(tag)
  DRAWN[tag] = {
    head: renderToString(h('main', { class: 'front', id: HOSTING.slice(1) }, h(Hero, {}))),
    site: t('front.site'),
  }
}
