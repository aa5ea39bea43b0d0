import { useState } from 'preact/hooks'
import { dealText } from '../model/words.js'
import { GAMES } from '../rules/games.js'
import { useSite } from './hooks.js'
import { Icon } from './icon.jsx'
import './deal-proof.css'

const VERIFIED =
  'Verified: the secret is the one promised before the race, and with everybody’s numbers it deals exactly the ' +
  'cards you had.'
const PROMISE_KEPT = 'The secret is the one promised before the race.'
const BROKEN_PROMISE = 'This is not the secret that was promised before the race.'
const OTHER_CARDS = 'The secret is the one promised, but it does not deal the cards you had.'

/**
 * Whose numbers went into a deal, in a sentence. If nobody's did, the server alone chose the cards, for it knew the secret.
 *
 * @param {number} given
 * @param {number} racers who were there at the start
 */
export const contributed = (given, racers) =>
  given
    ? `${given} of ${racers} racers’ numbers went into the deal.`
    : 'No racer’s number went into the deal: the server alone chose the cards.'

/**
 * The proof that the deal was fair: what was promised before the race, what is known after it, and the calculation.
 *
 * @param {{view: import('../model/room-view.js').View, start: string[] | null}} props start: one's own board as it was dealt
 */
export function Proof({ view, start }) {
  const [result, setResult] = useState(/** @type {{ok: boolean, text: string} | null} */ (null))
  const { promises } = useSite()
  const { commitment, promise, secret, commitments = {}, nonces = {}, racers = {} } = view.race
  const game = GAMES.get(view.settings.game)
  if (commitment == null || secret == null || !game) {
    return (
      <section class="card proof" aria-label="Proof of the deal">
        <h2>The deal</h2>
        <p>
          {view.race.practice
            ? dealText({ ...view.settings, deal: view.race.practice })
            : `Open deal number ${view.settings.deal}. Everybody had the same.`}
        </p>
      </section>
    )
  }

  async function verify() {
    const { checkDeal, commitmentOf } = await import('../rules/secret-deal.js')
    if (!game || commitment == null || secret == null) return
    if (commitmentOf(secret) !== commitment) return setResult({ ok: false, text: BROKEN_PROMISE })
    if (!start) return setResult({ ok: true, text: PROMISE_KEPT })
    const { dealt } = checkDeal({ game, secret, nonces, commitment, start })
    setResult({ ok: dealt, text: dealt ? VERIFIED : OTHER_CARDS })
  }

  const seats = [...new Set([...Object.keys(nonces), ...Object.keys(racers)])].sort((a, b) => Number(a) - Number(b))
  const given = Object.keys(nonces).length
  const objections = promises.objections(view, commitment, nonces, promise)
  return (
    <section class="card proof" aria-label="Proof of the deal" data-part="proof">
      <div class="card-head">
        <h2>Proof of the deal</h2>
        <button type="button" class="button button-small" onClick={verify}>
          Verify
        </button>
      </div>
      <p>
        Before the race the server promised a secret by its fingerprint, and racers’ browsers promised a number each. The deal is
        made of the secret and of the numbers that were told in the countdown.
      </p>
      <p class="proof-result" data-part="contributed" data-ok={given ? undefined : false}>
        {!given && <Icon name="close" />} {contributed(given, seats.length)}
      </p>
      {objections.map((text) => (
        <p key={text} class="proof-result" role="alert" data-part="objection" data-ok={false}>
          <Icon name="close" /> {text}
        </p>
      ))}
      <p class="proof-result" role="status" data-ok={result?.ok}>
        {result && (
          <>
            <Icon name={result.ok ? 'check' : 'close'} /> {result.text}
          </>
        )}
      </p>
      <details>
        <summary>The numbers</summary>
        <dl class="numbers">
          <dt>Fingerprint</dt>
          <dd>{commitment}</dd>
          <dt>Secret</dt>
          <dd>{secret}</dd>
          {seats.map((seat) => (
            <div key={seat}>
              <dt>
                <bdi>{racers[seat]?.name ?? view.people[seat]?.name ?? `Seat ${seat}`}</bdi>
              </dt>
              <dd>{nonces[seat] || (commitments[seat] ? 'none: it was not told in time' : 'none')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
