/** HTTP requests with the guest token, because some files are only for certain guests. */

/** @typedef {(path: string) => Promise<Response>} Get */

/**
 * The guest token is sent in a header. In a URL or a cookie it could leak to others.
 * @param {{get(): string | null}} guestToken @param {(path: string, init?: RequestInit) => Promise<Response>} fetch
 * @returns {Get}
 */
export function createGet(guestToken, fetch) {
  return async (path) => {
    const token = guestToken.get()
    if (token === null) return fetch(path)
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${token}` } })
    // An expired token must not block public files.
    return answer.status === 401 ? fetch(path) : answer
  }
}
