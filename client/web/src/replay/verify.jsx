import { useState } from 'preact/hooks'
import { verifyRecord } from '../browser/verifier.js'
import { recordPath } from '../net/load-record.js'
import { Button } from '../parts/controls/button.jsx'
import { Download } from '../parts/controls/download-button.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Panel } from '../parts/page/panel.jsx'
import { Objections } from '../parts/results/deal-proof.jsx'
import { reasonText } from '../record/reasons.js'
import { Rich } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import './verify.css'

/** @import { Findings } from '../browser/verifier-worker.js' */
/** @import { Check } from '../record/proof.js' */
/** @import { RaceRecord } from '../record/race-record.js' */

/**
 * @param {{about: Check['check'] | 'promise' | 'numbers', ok: boolean, children: any}} props
 *   `about`: `promise` and `numbers` are not checks of the record; `children`: the finding
 */
const Line = ({ about, ok, children }) => (
  <li data-check={about} data-ok={ok}>
    <Icon name={ok ? 'check' : 'close'} />
    <span>
      <b>{t(`watch.check.${about}`)}</b> <span class="checks-reason">{children}</span>
    </span>
  </li>
)

/** A finding with its racer. @param {{check: Check, nameAt: (seat: number) => string | undefined}} props */
function Finding({ check, nameAt }) {
  const { seat, at } = check
  const reason = reasonText(check.check, check)
  if (seat === undefined) return reason
  const name = <bdi>{nameAt(seat) ?? t('race.seat', { seat })}</bdi>
  return at === undefined ? (
    <Rich id="watch.proof.about" with={{ name, reason }} />
  ) : (
    <Rich id="watch.proof.aboutMove" with={{ name, move: at + 1, reason }} />
  )
}

/** The record as a file, and whether it is true. @param {{record: RaceRecord}} props */
export function Verify({ record }) {
  const { promises } = useSite()
  const [findings, setFindings] = useState(/** @type {Findings | null} */ (null))
  const { checks = null, said = [], isUnsigned = false } = findings ?? {}
  const named = { code: record.code, race: { number: record.race }, settings: record.settings }
  const promised = promises.of(named)
  const nonces = Object.fromEntries(record.nonces)
  const objections = [
    ...promises.objections(named, record.commitment, nonces, record.promise),
    ...(isUnsigned ? [/** @type {const} */ ('unsigned')] : []),
  ]
  const path = recordPath(record.code, record.race)
  const nameAt = (/** @type {number} */ seat) => record.racers.find((racer) => racer.seat === seat)?.name

  const verify = useAction(async () => {
    setFindings(null)
    setFindings(await verifyRecord({ record, shown: promises.shown(named) }))
  })

  const isWrong = checks && (objections.length > 0 || checks.some((check) => !check.ok))
  return (
    <Panel
      title={t('watch.proof.title')}
      class="verify"
      part="verify"
      tools={<Button kind="small" text={t('more.proof.verify')} {...verify.button()} />}
    >
      <p class="hint">{t('watch.proof.what')}</p>
      <Objections objections={objections} />
      <p class="proof-result" role="status" data-ok={checks ? !isWrong : undefined}>
        {verify.busy ? t('watch.proof.checking') : verify.error?.message}
        {checks && (
          <>
            <Icon name={isWrong ? 'close' : 'check'} /> {t(isWrong ? 'watch.proof.wrong' : 'watch.proof.right')}
          </>
        )}
      </p>
      {checks && (
        <ul class="checks">
          {checks.map((check, i) => (
            <Line key={i} about={check.check} ok={check.ok}>
              <Finding check={check} nameAt={nameAt} />
            </Line>
          ))}
          {promised !== null && !objections.length && (
            <Line about="promise" ok>
              {t('watch.proof.kept')}
            </Line>
          )}
          {said.map((remark, i) => (
            <Line key={i} about="numbers" ok={!remark.warns}>
              {reasonText('remarks', remark)}
            </Line>
          ))}
        </ul>
      )}
      <p class="row">
        <Download path={path} name={`forty-thieves-${record.code}-${record.race}.ftr`}>
          {t('watch.proof.record')}
        </Download>
        <Download path={`${path}.json`} name={`forty-thieves-${record.code}-${record.race}.json`}>
          {t('watch.proof.json')}
        </Download>
      </p>
    </Panel>
  )
}
