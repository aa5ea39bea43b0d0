/** Verifies a record in a worker: the page stays fast, and does not load the code that only verification needs. */
import { Refusal } from '../net/refusal.js'

/** @import { Findings, Question } from './verifier-worker.js' */

/** @param {Question} question @returns {Promise<Findings>} rejects with a `Refusal` */
export function verifyRecord(question) {
  const worker = new Worker(new URL('./verifier-worker.js', import.meta.url), { type: 'module' })
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data ? resolve(data) : reject(new Refusal('bug')))
    worker.onerror = () => reject(new Refusal('reload'))
  })
  worker.postMessage(question)
  return answer.finally(() => worker.terminate())
}
