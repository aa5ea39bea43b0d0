/** Verifies records in a worker: the page stays fast, and does not load the code that only verification needs. */
import { Refusal } from '../net/refusal.js'

/** @import { Answer, Can } from './verifier-worker.js' */

/** @typedef {ReturnType<typeof createVerifier>} Verifier */

/** The caller must stop it after the last question. */
export function createVerifier() {
  const worker = new Worker(new URL('./verifier-worker.js', import.meta.url), { type: 'module' })
  /** @type {Map<number, {resolve: (value: any) => void, reject: (refusal: Refusal) => void}>} */
  const waiting = new Map()
  let asked = 0

  worker.onmessage = (/** @type {MessageEvent<Answer>} */ { data: { id, value, error } }) => {
    const asking = waiting.get(id)
    waiting.delete(id)
    if (error) asking?.reject(new Refusal(error.code, undefined, error.parameters))
    else asking?.resolve(value)
  }
  worker.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Refusal('reload'))
    waiting.clear()
  }

  /**
   * @template {keyof Can} K @param {K} what
   * @returns {(...of: Parameters<Can[K]>) => Promise<Awaited<ReturnType<Can[K]>>>} rejects with a `Refusal`
   */
  const ask =
    (what) =>
    (...of) =>
      new Promise((resolve, reject) => {
        asked += 1
        waiting.set(asked, { resolve, reject })
        worker.postMessage({ id: asked, what, of })
      })

  return {
    serverKeys: ask('serverKeys'),
    isPromised: ask('isPromised'),
    remarks: ask('remarks'),
    verify: ask('verify'),
    stop: () => worker.terminate(),
  }
}
