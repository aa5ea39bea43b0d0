/** JSON merge patches, RFC 7396: a null deletes its key, an object goes deeper, anything else replaces. */

/** @typedef {{[key: string]: any}} Json */

/** @param {unknown} value @returns {value is Json} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The target with the patch applied. The target itself is left alone, and parts the patch does not name are shared,
 * so that whoever compares by identity sees what has changed.
 *
 * @param {unknown} target
 * @param {unknown} patch
 * @returns {any}
 */
export function merge(target, patch) {
  if (!isObject(patch)) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}
