import { effect, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { createReporter, MOST_NEWS } from '../model/watch/race-feed.js'
import { createTrace } from '../model/watch/race-trace.js'
import { useSite } from '../parts/hooks.js'

/** @import { Race } from '../protocol/protocol.d.ts' */
/** @import { News } from '../model/watch/race-feed.js' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

/**
 * The course of the race: a line for each racer, and the events. Both are made from the public progress, and are kept during
 * watching.
 * @typedef {object} Story
 * @property {ReturnType<typeof createTrace>} trace
 * @property {ReadonlySignal<readonly News[]>} news the latest last
 */

/** @param {ReadonlySignal<Lane[]>} lanes @param {Race} race @param {number} dealt cards home at the beginning @returns {Story} */
export function useStory(lanes, race, dealt) {
  const { session } = useSite()
  const starts = race.starts_at ?? 0
  const story = useMemo(
    () => ({ trace: createTrace(dealt), report: createReporter(), news: signal(/** @type {readonly News[]} */ ([])) }),
    [race.number, dealt],
  )
  useEffect(() => {
    const stopNoting = effect(() => {
      const now = lanes.value
      const ms = Math.max(0, session.clock.now() - starts)
      for (const { seat, home, ms: ended } of now) story.trace.note(seat, ended ?? ms, home)
      const news = story.report(now, ms)
      if (news.length) story.news.value = [...story.news.peek(), ...news].slice(-MOST_NEWS)
    })
    const stopRecalling = effect(() => {
      const told = session.history.value
      if (told?.race === race.number) story.trace.recall(told.rows)
    })
    return () => {
      stopNoting()
      stopRecalling()
    }
  }, [story, lanes, starts])
  return story
}
