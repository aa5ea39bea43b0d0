import { useState } from 'preact/hooks'
import { useSite } from '../app/site.js'
import { dealText } from '../app/words.js'
import { GAMES } from '../rules/games.js'
import { Icon } from './icon.jsx'

const VERIFIED =
  'Verified: the secret is the one promised before the race, and with everybody’s numbers it deals exactly the ' +
  'cards you had.'
const PROMISE_KEPT = 'The secret is the one promised before the race.'
const BROKEN_PROMISE = 'This is not the secret that was promised before the race.'
const OTHER_PROMISE = 'Before the race the server promised another secret than it says now.'
const OTHER_CARDS = 'The secret is the one promised, but it does not deal the cards you had.'

/**
 * The proof that the deal was fair: what was promised before the race, what is known after it, and the calculation.
 *
 * @param {{view: import('../net/view.js').View, start: string[] | null}} props start: one's own board as it was dealt
 */
export function Proof({ view, start }) {
  const [result, setResult] = useState(/** @type {{ok: boolean, text: string} | null} */ (null))
  const { promises } = useSite()
  const { commitment, secret, nonces = {} } = view.race
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
    const { checkDeal, commitmentOf } = await import('../rules/deal.js')
    if (!game || commitment == null || secret == null) return
    const promised = promises.of(view)
    if (promised !== null && promised !== commitment) return setResult({ ok: false, text: OTHER_PROMISE })
    if (commitmentOf(secret) !== commitment) return setResult({ ok: false, text: BROKEN_PROMISE })
    if (!start) return setResult({ ok: true, text: PROMISE_KEPT })
    const { dealt } = checkDeal({ game, secret, nonces, commitment, start })
    setResult({ ok: dealt, text: dealt ? VERIFIED : OTHER_CARDS })
  }

  const seats = Object.entries(nonces).sort((a, b) => Number(a[0]) - Number(b[0]))
  return (
    <section class="card proof" aria-label="Proof of the deal" data-part="proof">
      <div class="card-head">
        <h2>Proof of the deal</h2>
        <button type="button" class="button button-small" onClick={verify}>
          Verify
        </button>
      </div>
      <p>
        Before the race the server promised a secret by its fingerprint. Everybody’s number went into the deal too, so
        nobody could have chosen the cards.
      </p>
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
          {seats.map(([seat, nonce]) => (
            <div key={seat}>
              <dt>
                <bdi>{view.race.racers?.[seat]?.name ?? view.people[seat]?.name ?? `Seat ${seat}`}</bdi>
              </dt>
              <dd>{nonce || 'none'}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
