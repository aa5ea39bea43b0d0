/** Every test speaks English: `node --import ./test/english.js`. */
import { GROUPS } from '../src/words/compiled/languages.js'
import { bringWords, speak } from '../src/words/translate.js'

/** @import { Group } from '../src/words/compiled/messages.d.ts' */

await speak('en')
await bringWords(.../** @type {Group[]} */ (GROUPS))
