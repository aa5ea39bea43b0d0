/**
 * What a list has at a place that is known to be in it: of `list[i]` it is not known.
 *
 * @template T
 * @param {ArrayLike<T>} list
 * @param {number} i
 */
export const nth = (list, i) => /** @type {T} */ (list[i])
