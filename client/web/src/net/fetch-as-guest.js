/** What is asked of the server over HTTP, by the guest that one is: some files are not for everybody. */

/** @typedef {(path: string) => Promise<Response>} Get */

/**
 * The guest pass goes into a header: an address, a cookie or a link would tell it to others.
 *
 * @param {{get(): string | null}} pass
 * @param {(path: string, init?: RequestInit) => Promise<Response>} fetch
 * @returns {Get}
 */
export function createGet(pass, fetch) {
  return async (path) => {
    const token = pass.get()
    if (token === null) return fetch(path)
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${token}` } })
    // A pass that has expired keeps nobody from what is for everybody.
    return answer.status === 401 ? fetch(path) : answer
  }
}
