import { useEffect, useRef, useState } from 'preact/hooks'
import { askSolver } from '../browser/solver.js'

/** @typedef {import('../solver/analysis.js').Looked} Looked */
/** @typedef {import('../model/replay/racer-line.js').Line} Line */
/** @typedef {{looked: readonly Looked[], isWhole: boolean, also: readonly number[]}} Result of one racer */

/**
 * @typedef {object} Work
 * @property {'nothing' | 'racer' | 'bot' | 'done' | 'stopped' | 'failed'} is
 * @property {string} [name] whose moves are looked at
 * @property {number} [done] @property {number} [of] points of the log
 */

/** What was still possible in a race, found in a worker when one asks for it. @param {import('../record/race-record.js').RaceRecord} record */
export function usePossible(record) {
  const [work, setWork] = useState(/** @type {Work} */ ({ is: 'nothing' }))
  const [results, setResults] = useState(/** @type {Readonly<Record<number, Result>>} */ ({}))
  const [bot, setBot] = useState(/** @type {number | null} */ (null))
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  const { game, deck } = record

  /** @param {Line} line @param {readonly number[]} also @returns {Promise<boolean>} whether it was finished */
  async function lookAt(line, also) {
    const { seat, name } = line.racer
    const put = (/** @type {readonly Looked[]} */ looked, isWhole = false) =>
      setResults((before) => ({ ...before, [seat]: { looked, isWhole, also } }))
    const asked = askSolver('possible', { game, deck, log: line.texts, also }, ({ done, of, looked }) => {
      setWork({ is: 'racer', name, done, of })
      put(looked)
    })
    stop.current = asked.stop
    const looked = await asked.answer
    if (looked) put(looked, true)
    return looked !== null
  }

  async function playAsBot() {
    if (bot !== null) return true
    setWork({ is: 'bot' })
    const asked = askSolver('playedByBot', { game, deck }, () => {})
    stop.current = asked.stop
    const home = await asked.answer
    setBot(home)
    return home !== null
  }

  /** Look at these racers, also at these points of their logs. @param {readonly Line[]} lines @param {readonly number[]} also */
  async function start(lines, also) {
    try {
      for (const line of lines) {
        const known = results[line.racer.seat]
        if (known?.isWhole && also.every((n) => known.also.includes(n))) continue
        setWork({ is: 'racer', name: line.racer.name, done: 0, of: 1 })
        if (!(await lookAt(line, also))) return setWork({ is: 'stopped' })
      }
      setWork({ is: (await playAsBot()) ? 'done' : 'stopped' })
    } catch (error) {
      console.error(error)
      setWork({ is: 'failed' })
    }
  }

  return { work, results, bot, start, stop: () => stop.current() }
}
