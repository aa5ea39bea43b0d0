import { effect, signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { NEWS_EVERY, newsOfAll } from '../model/race/news.js'
import { createReporter, earlierNews, latestFirst, MOST_NEWS, newsText, spokenNews } from '../model/watch/race-feed.js'
import { createTrace } from '../model/watch/race-trace.js'
import { useSite } from '../parts/hooks.js'
import { useShortcuts } from '../parts/keyboard.js'
import { t } from '../words/translate.js'
import './feed.css'

/** @import { Race } from '../protocol/protocol.d.ts' */
/** @import { News } from '../model/watch/race-feed.js' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

/** The events, the latest first. @param {{story: Story}} props */
export function Feed({ story }) {
  const news = story.news.value
  return (
    <section class="feed" aria-label={t('watch.whatHappened')} data-part="feed">
      <h2>{t('watch.whatHappened')}</h2>
      <ol class="scrolls" tabindex={0} aria-label={t('watch.feed.order')}>
        {latestFirst(news).map((one) => (
          <li key={one.id} data-kind={one.kind}>
            <span class="feed-time">{clockText(one.ms)}</span> <span>{newsText(one)}</span>
          </li>
        ))}
        {news.length === 0 && <li>{t('watch.feed.none')}</li>}
      </ol>
    </section>
  )
}

/**
 * The same for screen readers: polite and not too often. The key N reads the progress of all racers.
 * @param {{story: Story, lanes: Lane[]}} props
 */
export function SpokenFeed({ story, lanes }) {
  /** @type {() => string} in the language in use, which may be another one when it is shown */
  const nothing = () => ''
  const [said, setSaid] = useState({ id: 0, text: nothing })
  const last = useRef(0)
  useEffect(() => {
    last.current = story.news.peek().at(-1)?.id ?? 0
    const timer = setInterval(() => {
      const news = story.news.peek().filter(({ id }) => id > last.current)
      last.current = news.at(-1)?.id ?? last.current
      if (news.length) setSaid({ id: last.current, text: () => spokenNews(news) })
    }, NEWS_EVERY)
    return () => clearInterval(timer)
  }, [story])
  useShortcuts({ n: () => setSaid(({ id }) => ({ id: id + 0.001, text: () => newsOfAll(lanes, 0) })) })
  return (
    <div class="heard" role="log" aria-live="polite" aria-label={t('watch.feed.spoken')} data-part="news">
      <p key={said.id}>{said.text()}</p>
    </div>
  )
}

/**
 * The course of the race: a line for each racer, and the events. Both are made from the public progress, and are kept during
 * watching.
 * @typedef {object} Story
 * @property {ReturnType<typeof createTrace>} trace @property {ReadonlySignal<readonly News[]>} news the latest last
 * @property {boolean} recalled whether the news from before is there
 */

/** @param {ReadonlySignal<Lane[]>} lanes @param {Race} race @param {number} dealt cards home at the beginning @returns {Story} */
export function useStory(lanes, race, dealt) {
  const { session } = useSite()
  const starts = race.starts_at ?? 0
  const story = useMemo(
    () => ({
      trace: createTrace(dealt),
      report: createReporter(),
      news: signal(/** @type {readonly News[]} */ ([])),
      recalled: false,
    }),
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
      if (told?.race !== race.number) return
      story.trace.recall(told.rows)
      // After a lost connection, the news has been compared with what was known before.
      if (!story.recalled) story.news.value = [...earlierNews(told.rows, lanes.peek(), dealt), ...story.news.peek()]
      story.recalled = true
    })
    return () => {
      stopNoting()
      stopRecalling()
    }
  }, [story, lanes, starts])
  return story
}
