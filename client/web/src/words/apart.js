/** Hebrew, Arabic and other letters that are written from right to left. Of those beyond U+FFFF, the first half. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a]/

/**
 * What people have written, so that it leaves the order of the words around it alone: between U+2068 and U+2069, if it has
 * letters that are written from right to left. Anything else is left as it is.
 *
 * @param {any} value
 */
export const apart = (value) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value)
