import { useEffect } from 'preact/hooks'
import { Wrong } from './form-fields.jsx'
import { useAction, useSite } from './hooks.js'

/** @param {string[]} names */
const listed = (names) =>
  names.map((name, i) => [i === 0 ? '' : i === names.length - 1 ? ' and ' : ', ', <bdi key={i}>{name}</bdi>])

/**
 * What stands out in a race that is over, for the host alone.
 *
 * @param {{race: number, nameOf: (seat: number) => string}} props
 */
export function Review({ race, nameOf }) {
  const { session } = useSite()
  const ask = useAction(session.review)
  const review = session.reviews.value.get(race)
  useEffect(() => {
    if (!session.reviews.value.has(race)) ask.go(race)
  }, [race])
  if (ask.error) return <Wrong>{ask.error.message}</Wrong>
  if (!review) return null
  const isNothing = review.shared.length + review.onlyDrew.length === 0
  return (
    <section class="card review" aria-label="For you as the host" data-part="review">
      <h2>For you as the host</h2>
      {isNothing && <p>Nobody shared an address, and nobody drew all cards without playing.</p>}
      <ul>
        {review.shared.map((seats) => (
          <li key={seats.join()}>{listed(seats.map(nameOf))} played from one address.</li>
        ))}
        {review.onlyDrew.length > 0 && (
          <li>{listed(review.onlyDrew.map(nameOf))} drew the whole stock and moved hardly a card before.</li>
        )}
      </ul>
      <p class="hint">Only you see this. It proves nothing: a school or a family is one address.</p>
    </section>
  )
}
