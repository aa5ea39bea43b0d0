/** What is special about the challenge of a day: its heading, its opening, and the days before. */
import { memory } from '../browser/memory.js'
import { clockText, dayText } from '../model/format.js'
import { gameName, starsText } from '../model/game-texts.js'
import { rowText } from '../model/race/challenge.js'
import { Button } from '../parts/controls/button.jsx'
import { Face } from '../parts/controls/face.jsx'
import { useLoaded, useNow, useSite } from '../parts/hooks.js'
import { t } from '../words/translate.js'

/** @import { Challenge, TryRow } from '../protocol/protocol.d.ts' */
/**
 * @typedef {object} Day
 * @property {number} day days since 1970 @property {string} game its key @property {number} stars 0: perhaps it cannot be won
 * @property {string} code of its room @property {number} opens_at @property {number} closes_at
 * @property {string | null} [key] once it is over @property {number} [counter]
 * @property {{finished: number, winner: TryRow | null, face: number, median: TryRow | null} | null} [summary]
 */

/** The date, the stars and the time until the deal opens. @param {{challenge: Challenge, day: NonNullable<Challenge['day']>}} props */
export function DayFacts({ challenge, day: [number, stars] }) {
  const streak = useLoaded(memory.daysInARow, []) ?? 0
  const left = useNow(1000, (now) => Math.max(0, Math.ceil((challenge.opens_at - now) / 1000)) * 1000)
  return (
    <>
      <p class="challenge-goal" translate={false}>
        {dayText(number)}
      </p>
      <p>{stars ? t('challenge.day.canBeWon', { stars: starsText(stars) }) : t('challenge.day.unproved')}</p>
      {streak > 1 && <p>{t('challenge.day.streak', { count: streak })}</p>}
      {left > 0 && (
        <p role="timer" translate={false}>
          {t('challenge.day.opens', { time: clockText(left) })}
        </p>
      )}
    </>
  )
}

/** The share of the results that are not as good, in per cent. @param {number} place @param {number} count */
export const betterThan = (place, count) => Math.floor(((count - place) / count) * 100)

/** @param {{day: Day}} props */
function DayRow({ day: { day, game, code, closes_at, key, summary } }) {
  const { route } = useSite()
  const isOver = useNow(1000, (now) => now >= closes_at)
  const winner = summary?.winner
  return (
    <li data-day={day}>
      <span>
        <b translate={false}>{dayText(day)}</b> {gameName(game)}
        {winner && (
          <>
            {' · '}
            <bdi>
              <Face face={summary.face} />
              {winner[0]}
            </bdi>{' '}
            {rowText(winner)} · {t('challenge.finished', { count: summary.finished })}
          </>
        )}
      </span>
      {key ? (
        <Button kind="small" onClick={() => route.toPractice('day', String(day))} text={t('challenge.day.practise')} />
      ) : (
        !isOver && <Button kind="small" onClick={() => route.toChallenge(code)} text={t('challenge.day.open')} />
      )}
    </li>
  )
}

/** The days before, and the next one. @param {{here: number}} props the day of this page */
export function Days({ here }) {
  const { get } = useSite()
  const days = useLoaded(async () => /** @type {Day[]} */ ((await (await get('/api/days')).json()).days), [here])
  return (
    <section class="card challenge-part" aria-label={t('challenge.day.others')}>
      <h2>{t('challenge.day.others')}</h2>
      <ul class="challenge-owner">{days?.map((day) => day.day !== here && <DayRow key={day.day} day={day} />)}</ul>
      <p class="hint">{t('challenge.day.fair')}</p>
    </section>
  )
}
