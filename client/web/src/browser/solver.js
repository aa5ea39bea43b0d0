/** Solves and analyses in a worker, so that the page stays fast. Each question starts a worker, and a stop ends it. */

/** @import { Can, ProgressOf, ResultOf } from './solver-worker.js' */

/**
 * Ask the solver.
 * @template {keyof Can} K @param {K} what @param {Parameters<Can[K]>[0]} question
 * @param {(progress: ProgressOf<K>) => void} onProgress
 * @returns {{answer: Promise<ResultOf<K> | null>, stop: () => void}} null: the caller stopped it.
 *   The promise is rejected if the worker fails.
 */
export function askSolver(what, question, onProgress) {
  const worker = new Worker(new URL('./solver-worker.js', import.meta.url), { type: 'module' })
  /** @type {(result: ResultOf<K> | null) => void} */
  let end
  /** @type {Promise<ResultOf<K> | null>} */
  const answer = new Promise((resolve, reject) => {
    end = resolve
    worker.onerror = () => reject(new Error('the solver failed'))
    worker.onmessage = ({ data }) => {
      if ('progress' in data) onProgress(data.progress)
      else resolve(data.result)
    }
  })
  worker.postMessage({ what, question })
  return {
    answer: answer.finally(() => worker.terminate()),
    stop: () => end(null),
  }
}
