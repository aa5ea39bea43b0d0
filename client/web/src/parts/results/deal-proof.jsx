import { useState } from 'preact/hooks'
import { GAMES } from '../../rules/games.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Icon } from '../controls/icon.jsx'
import { useSite } from '../hooks.js'
import { Panel } from '../page/panel.jsx'
import './deal-proof.css'

/** @import { Objection } from '../../browser/deal-promises.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */

/**
 * Where a deal differs from what this browser heard and gave before the race.
 * @param {{objections: readonly (Objection | 'unsigned')[]}} props
 */
export const Objections = ({ objections }) =>
  objections.map((objection) => (
    <p key={objection} class="proof-result" role="alert" data-part="objection" data-ok={false}>
      <Icon name="close" /> {t(`more.objection.${objection}`)}
    </p>
  ))

const RIGHT = /** @type {const} */ (['verified', 'kept', 'drawn', 'drawnUnseen']) // the results of a successful check

/**
 * The proof of a fair deal: the commitment before the race, the numbers after it, and their check.
 * @param {{view: View, start: string[] | null}} props start: the player's own board as it was dealt
 */
export function Proof({ view, start }) {
  const [result, setResult] = useState(
    /** @type {typeof RIGHT[number] | 'broken' | 'other' | 'unpromised' | 'unchosen' | null} */ (null),
  )
  const { promises } = useSite()
  const { settings, race } = view
  const { commitment, promise, secret, leaf, path, commitments = {}, nonces = {}, racers = {} } = race
  const game = GAMES.get(settings.game)
  if (commitment == null || secret == null || !game) {
    return (
      <Panel class="proof" title={t('more.proof.deal')} label={t('more.proof.title')}>
        <p>{t('more.proof.numbered', { number: settings.deal })}</p>
      </Panel>
    )
  }

  const verify = async () => {
    if (leaf != null && path) {
      const { checkDraw } = await import('../../rules/winnable-draw.js')
      return setResult(checkDraw({ game, secret, nonces, commitment, leaf, path, start }))
    }
    const { checkDeal } = await import('../../rules/secret-deal.js')
    setResult(checkDeal({ game, secret, nonces, commitment, start }))
  }

  const verifyTool = <Button kind="small" onClick={verify} text={t('more.proof.verify')} />
  const isRight = RIGHT.some((right) => right === result)
  const seats = [...new Set([...Object.keys(nonces), ...Object.keys(racers)])].sort((a, b) => Number(a) - Number(b))
  const given = Object.keys(nonces).length
  const objections = promises.objections(view, commitment, nonces, promise)
  return (
    <Panel class="proof" title={t('more.proof.title')} part="proof" tools={verifyTool}>
      <p>{t(leaf == null ? 'more.proof.text' : 'more.proof.textWinnable')}</p>
      <p class="proof-result" data-part="contributed" data-ok={given ? undefined : false}>
        {!given && <Icon name="close" />}{' '}
        {given ? t('more.proof.given', { given, count: seats.length }) : t('watch.reason.remarks.no-numbers')}
      </p>
      <Objections objections={objections} />
      <p class="proof-result" role="status" data-ok={result ? isRight : undefined}>
        {result && <Icon name={isRight ? 'check' : 'close'} />} {result && t(`more.proof.result.${result}`)}
      </p>
      <details>
        <summary>{t('more.proof.numbers')}</summary>
        <dl class="numbers">
          <dt>{t('more.proof.fingerprint')}</dt>
          <dd>{commitment}</dd>
          <dt>{t('more.proof.secret')}</dt>
          <dd>{secret}</dd>
          {leaf != null && path && (
            <>
              <dt>{t('more.proof.leaf')}</dt>
              <dd>{leaf + 1}</dd>
              <dt>{t('more.proof.path')}</dt>
              <dd>{path.join(' ')}</dd>
            </>
          )}
          {seats.map((seat) => (
            <div key={seat}>
              <dt>
                <bdi>{racers[seat]?.name ?? view.people[seat]?.name ?? t('race.seat', { seat })}</bdi>
              </dt>
              <dd>{nonces[seat] || (commitments[seat] ? t('more.proof.late') : t('more.proof.none'))}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Panel>
  )
}
