import { useEffect } from 'preact/hooks'
import { starsText } from '../../model/game-texts.js'
import { Rich } from '../../words/sentence.jsx'
import { language, t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { useCommand, useSite } from '../hooks.js'
import { Panel } from '../page/panel.jsx'

/** @param {string[]} names */
const listed = (names) =>
  new Intl.ListFormat(language())
    .formatToParts(names)
    .map(({ type, value }, i) => (type === 'element' ? <bdi key={i}>{value}</bdi> : value))

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
  const isNothing = review.shared.length + review.onlyDrew.length === 0
  return (
    <Panel class="review" title={t('more.review.title')} part="review">
      {isNothing && <p>{t('more.review.nothing')}</p>}
      <ul>
        {review.shared.map((seats) => (
          <li key={seats.join()}>
            <Rich id="more.review.shared" with={{ names: listed(seats.map(nameOf)) }} />
          </li>
        ))}
        {review.onlyDrew.length > 0 && (
          <li>
            <Rich id="more.review.onlyDrew" with={{ names: listed(review.onlyDrew.map(nameOf)) }} />
          </li>
        )}
      </ul>
      <p class="hint">{t('more.review.hint')}</p>
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
