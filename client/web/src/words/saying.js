/** Sentences that are kept until somebody says them: in the language of that moment. `Said` shows one. */

/**
 * @import { Messages } from './compiled/messages.d.ts'
 * @import { Key } from './index.js'
 */

/**
 * @typedef {{name: string}} Name or what else people have written: it is kept apart from our words, for it may be in the other direction
 * @typedef {(string | Name)[]} List names, and what stands between them
 * @typedef {{id: Key, with: Record<string, string | number | boolean | Name | List>}} Saying
 */

/**
 * @template {Key} K
 * @param {K} id
 * @param {{} extends Messages[K] ? [] : [{[P in keyof Messages[K]]: Messages[K][P] | Name | List}]} parameters
 * @returns {Saying}
 */
export const say = (id, ...parameters) => ({ id, with: /** @type {any} */ (parameters[0] ?? {}) })
