/** The functions that Chrome 90 and Safari 15 lack. `main.jsx` and the workers import this first. */

/** @this {ArrayLike<unknown>} @param {number} index */
function at(index) {
  return this[index < 0 ? this.length + index : index]
}
for (const { prototype } of [Array, String, Object.getPrototypeOf(Int8Array)])
  if (!('at' in prototype)) Object.defineProperty(prototype, 'at', { value: at, writable: true, configurable: true })

Object.hasOwn ??= (object, key) => Object.getOwnPropertyDescriptor(object, key) !== undefined
