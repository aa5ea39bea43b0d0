import { useState } from 'preact/hooks'
import { createVerifier } from '../browser/verifier.js'
import { CHECKS } from '../model/replay/words.js'
import { recordPath } from '../net/load-record.js'
import { Download } from '../parts/download-button.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { reasonText } from '../record/reasons.js'
import '../parts/checks.css'

/** @typedef {import('../record/proof.js').Check} Check */

/** Not one of the record's own checks: this browser remembers what it was told before the race. */
const KEPT = 'the fingerprint is the one this browser was told before the race'

/**
 * @param {object} props
 * @param {keyof typeof CHECKS} props.about
 * @param {boolean} props.ok
 * @param {string} props.reason
 * @param {any} [props.children] whom it is about
 */
const Line = ({ about, ok, reason, children }) => (
  <li data-check={about} data-ok={ok}>
    <Icon name={ok ? 'check' : 'close'} />
    <span>
      <b>{CHECKS[about]}</b>{' '}
      <span class="checks-reason">
        {children}
        {reason}
      </span>
    </span>
  </li>
)

/** The record as a file, and whether it is true. @param {{record: import('../record/race-record.js').RaceRecord}} props */
export function Verify({ record }) {
  const { promises } = useSite()
  const [checks, setChecks] = useState(/** @type {Check[] | null} */ (null))
  const [said, setSaid] = useState(/** @type {ReturnType<typeof import('../record/proof.js').remarks>} */ ([]))
  const [unsigned, setUnsigned] = useState(/** @type {string[]} */ ([]))
  const named = { code: record.code, race: { number: record.race } }
  const promised = promises.of(named)
  const nonces = Object.fromEntries(record.nonces)
  // A practice race has the secret of the earlier one.
  const objections =
    record.practice === null ? [...promises.objections(named, record.commitment, nonces, record.promise), ...unsigned] : []
  const path = recordPath(record.code, record.race)
  const nameAt = (/** @type {number | undefined} */ seat) => record.racers.find((racer) => racer.seat === seat)?.name

  const verify = useAction(async () => {
    setChecks(null)
    const verifier = createVerifier()
    try {
      const found = await verifier.verify(record, await verifier.serverKeys())
      setSaid(found[0].ok ? await verifier.remarks(record) : [])
      setUnsigned(await promises.objectionsToShown(named, verifier.isPromised))
      setChecks(found)
    } finally {
      verifier.stop()
    }
  })

  const isWrong = checks && (objections.length > 0 || checks.some((check) => !check.ok))
  return (
    <section class="card verify" aria-label="Proof of this race" data-part="verify">
      <div class="card-head">
        <h2>Proof of this race</h2>
        <button type="button" class="button button-small" disabled={verify.busy} onClick={() => verify.go()}>
          Verify
        </button>
      </div>
      <p class="hint">
        The record holds the secret of the deal, every move with its time, and the server’s signature. Verifying works all of it
        out again, here in your browser.
      </p>
      {objections.map((text) => (
        <p key={text} class="proof-result" role="alert" data-part="objection" data-ok={false}>
          <Icon name="close" /> {text}
        </p>
      ))}
      <p class="proof-result" role="status" data-ok={checks ? !isWrong : undefined}>
        {verify.busy ? 'Checking …' : verify.error?.message}
        {checks && (
          <>
            <Icon name={isWrong ? 'close' : 'check'} /> {isWrong ? 'Something in this record is wrong.' : 'All of it is true.'}
          </>
        )}
      </p>
      {checks && (
        <ul class="checks">
          {checks.map((check, i) => (
            <Line key={i} about={check.check} ok={check.ok} reason={reasonText(check.check, check)}>
              {check.seat !== undefined && (
                <>
                  <bdi>{nameAt(check.seat) ?? `seat ${check.seat}`}</bdi>
                  {check.at !== undefined && `, move ${check.at + 1}`}:{' '}
                </>
              )}
            </Line>
          ))}
          {promised !== null && record.practice === null && !objections.length && <Line about="promise" ok reason={KEPT} />}
          {said.map((remark, i) => (
            <Line key={i} about="numbers" ok={!remark.warns} reason={reasonText('remarks', remark)} />
          ))}
        </ul>
      )}
      <p class="row">
        <Download path={path} name={`forty-thieves-${record.code}-${record.race}.ftr`}>
          Record
        </Download>
        <Download path={`${path}.json`} name={`forty-thieves-${record.code}-${record.race}.json`}>
          as JSON
        </Download>
      </p>
    </section>
  )
}
