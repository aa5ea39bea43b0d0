/**
 * The item at an index that is known to exist. TypeScript takes `list[i]` for possibly undefined.
 * @template T @param {ArrayLike<T>} list @param {number} i
 */
export const nth = (list, i) => /** @type {T} */ (list[i])
