/** The card table. See `table.js` for how to use it, `state.js` and `render.js` for how it works. */

export { createTable } from './table.js'
