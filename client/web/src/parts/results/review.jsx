import { useEffect } from 'preact/hooks'
import { listed } from '../../model/format.js'
import { starsText } from '../../model/game-texts.js'
import { Said } from '../../words/sentence.jsx'
import { say, t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { useCommand, useSite } from '../hooks.js'
import { Panel } from '../page/panel.jsx'

/** Remarkable events of a finished race, for the host only. @param {{race: number, nameOf: (seat: number) => string}} props */
export function Review({ race, nameOf }) {
  const { session } = useSite()
  const ask = useCommand('review')
  const review = session.reviews.value.get(race)
  useEffect(() => {
    if (!session.reviews.value.has(race)) ask.go(race)
  }, [race])
  if (ask.error) return <Wrong>{ask.error.message}</Wrong>
  if (!review) return null
  const named = (/** @type {number} */ seat) => ({ name: nameOf(seat) })
  const isNothing = review.shared.length + review.onlyDrew.length === 0
  return (
    <Panel class="review" title={t('more.review.title')} part="review">
      {isNothing && <p>{t('more.review.nothing')}</p>}
      <ul>
        {review.shared.map((seats) => (
          <li key={seats.join()}>
            <Said saying={say('more.review.shared', { names: listed(seats.map(named)) })} />
          </li>
        ))}
        {review.onlyDrew.length > 0 && (
          <li>
            <Said saying={say('more.review.onlyDrew', { names: listed(review.onlyDrew.map(named)) })} />
          </li>
        )}
      </ul>
    </Panel>
  )
}

/** Tells that a deal was winnable, and how difficult. @param {{stars: number, onPlay: () => void}} props onPlay: shows how */
export const CouldBeWon = ({ stars, onPlay }) => (
  <p data-part="could-be-won">
    {t('solver.won.could', { stars: starsText(stars) })}{' '}
    <Button kind="small" icon="play" onClick={onPlay} text={t('solver.won.play')} />
  </p>
)
