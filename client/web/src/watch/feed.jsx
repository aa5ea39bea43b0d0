import { useEffect, useRef, useState } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { NEWS_EVERY, newsOfAll } from '../model/race/rivals.js'
import { newsText, spokenNews } from '../model/watch/race-feed.js'
import { useShortcuts } from '../parts/keyboard.js'
import { t } from '../words/translate.js'
import './feed.css'

/** @import { Lane } from '../model/race/room-view.js' */
/** @import { Story } from './use-story.js' */

/** The events, the latest first. @param {{story: Story}} props */
export function Feed({ story }) {
  const news = story.news.value
  return (
    <section class="feed" aria-label={t('watch.whatHappened')} data-part="feed">
      <h2>{t('watch.whatHappened')}</h2>
      <ol class="scrolls" tabindex={0} aria-label={t('watch.feed.order')}>
        {news.toReversed().map((one) => (
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
