import { useEffect, useRef, useState } from 'preact/hooks'
import { askSolver } from '../browser/solver.js'
import { fallsOf } from '../solver/analysis.js'

/** @import { Fairness } from '../model/hint/fairness.js' */
/** @import { Line } from '../model/replay/racer-line.js' */
/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Looked } from '../solver/analysis.js' */

/** @typedef {{looked: readonly Looked[], isWhole: boolean, also: readonly number[], fairness: Fairness | null}} Result of one racer */

/**
 * @typedef {object} Work
 * @property {'nothing' | 'racer' | 'fair' | 'done' | 'stopped' | 'failed'} is
 * @property {string} [name] the racer of the analysis
 * @property {number} [done] @property {number} [of] points of the log
 */

/** The analysis of a race in a worker, on request. @param {RaceRecord} record */
export function usePossible(record) {
  const [work, setWork] = useState(/** @type {Work} */ ({ is: 'nothing' }))
  const [results, setResults] = useState(/** @type {Readonly<Record<number, Result>>} */ ({}))
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  const { game, deck } = record

  /** @param {Line} line @param {readonly number[]} also @returns {Promise<boolean>} whether it was finished */
  async function lookAt(line, also) {
    const { seat, name } = line.racer
    const put = (/** @type {Partial<Result>} */ more) =>
      setResults((before) => {
        const known = before[seat] ?? { looked: [], isWhole: false, also, fairness: null }
        return { ...before, [seat]: { ...known, ...more } }
      })
    const log = { game, deck, log: line.texts }
    put({ looked: [], isWhole: false, also, fairness: null })
    const asked = askSolver('possible', { ...log, home: line.home, also }, ({ done, of, looked }) => {
      setWork({ is: 'racer', name, done, of })
      put({ looked })
    })
    stop.current = asked.stop
    const looked = await asked.answer
    if (!looked) return false
    put({ looked, isWhole: true })
    setWork({ is: 'fair', name })
    const judging = askSolver('fairness', { ...log, falls: fallsOf(line.home, looked) }, () => {})
    stop.current = judging.stop
    const fairness = await judging.answer
    put({ fairness })
    return fairness !== null
  }

  /** Look at these racers, also at these points of their logs. @param {readonly Line[]} lines @param {readonly number[]} also */
  async function start(lines, also) {
    try {
      for (const line of lines) {
        const known = results[line.racer.seat]
        if (known?.fairness && also.every((n) => known.also.includes(n))) continue
        setWork({ is: 'racer', name: line.racer.name, done: 0, of: 1 })
        if (!(await lookAt(line, also))) return setWork({ is: 'stopped' })
      }
      setWork({ is: 'done' })
    } catch (error) {
      console.error(error)
      setWork({ is: 'failed' })
    }
  }

  return { work, results, start, stop: () => stop.current() }
}
