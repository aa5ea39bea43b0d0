/** Personal links of a tournament's entry list: what stands behind the `#`, which no server is sent. */

/** @param {string} hash @returns {string} '' where there is none */
export const ticketOf = (hash) => /^#entry=([\w-]{16,64})$/.exec(hash)?.[1] ?? ''

/** @param {string} ticket */
export const ticketFragment = (ticket) => `#entry=${ticket}`
