/** An existing item; `list[i]` has the type of a missing one. @template T @param {ArrayLike<T>} list @param {number} i */
export const nth = (list, i) => /** @type {T} */ (list[i])
