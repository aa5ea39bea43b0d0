import { useState } from 'preact/hooks'
import { Icon } from '../parts/icon.jsx'
import { recordPath } from './load.js'
import { CHECKS } from './words.js'

/** @typedef {import('../rules/proof.js').Check} Check */

/** The key that the server says is its own; null if it does not say. */
async function serverKey() {
  try {
    const answer = await fetch('/api/key')
    const { key } = await answer.json()
    return typeof key === 'string' ? key : null
  } catch {
    return null
  }
}

/** The record as a file, and whether it is true. @param {{record: import('../rules/record.js').RaceRecord}} props */
export function Verify({ record }) {
  const [checks, setChecks] = useState(/** @type {Check[] | 'checking' | null} */ (null))
  const path = recordPath(record.code, record.race)
  const nameAt = (/** @type {number | undefined} */ seat) => record.racers.find((racer) => racer.seat === seat)?.name

  async function verify() {
    setChecks('checking')
    const [{ verify: check }, key] = await Promise.all([import('../rules/proof.js'), serverKey()])
    setChecks(check(record, key))
  }

  const failed = Array.isArray(checks) ? checks.filter((check) => !check.ok) : []
  return (
    <section class="card verify" aria-label="Proof of this race" data-part="verify">
      <div class="card-head">
        <h2>Proof of this race</h2>
        <button type="button" class="button button-small" disabled={checks === 'checking'} onClick={verify}>
          Verify
        </button>
      </div>
      <p class="hint">
        The record holds the secret of the deal, every move with its time, and the server’s signature. Verifying works all of it
        out again, here in your browser.
      </p>
      <p class="proof-result" role="status" data-ok={Array.isArray(checks) ? failed.length === 0 : undefined}>
        {checks === 'checking' && 'Checking …'}
        {Array.isArray(checks) && (
          <>
            <Icon name={failed.length ? 'close' : 'check'} /> {failed.length ? 'Something in this record is wrong.' : 'All of it is true.'}
          </>
        )}
      </p>
      {Array.isArray(checks) && (
        <ul class="checks">
          {checks.map((check, i) => (
            <li key={i} data-check={check.check} data-ok={check.ok}>
              <Icon name={check.ok ? 'check' : 'close'} />
              <span>
                <b>{CHECKS[check.check]}</b>{' '}
                <span class="checks-reason">
                  {check.seat !== undefined && (
                    <>
                      <bdi>{nameAt(check.seat) ?? `seat ${check.seat}`}</bdi>
                      {check.at !== undefined && `, move ${check.at + 1}`}:{' '}
                    </>
                  )}
                  {check.reason}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        <a class="button button-small" href={path} download={`forty-thieves-${record.code}-${record.race}.ftr`}>
          <Icon name="down" /> Record
        </a>
        <a class="button button-small" href={`${path}.json`} download={`forty-thieves-${record.code}-${record.race}.json`}>
          <Icon name="down" /> as JSON
        </a>
      </p>
    </section>
  )
}
