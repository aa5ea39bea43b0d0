/** Every test speaks English: `node --import ./test/english.js`. */
import { GROUPS } from '../src/words/compiled/languages.js'
import { bringWords, speak } from '../src/words/index.js'

await speak('en')
await bringWords(.../** @type {import('../src/words/index.js').Group[]} */ (GROUPS))
