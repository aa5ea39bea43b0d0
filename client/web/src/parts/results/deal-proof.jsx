import { isRight, verdictOf } from '../../model/race/deal-verdict.js'
import { isOfDay } from '../../model/race/room-view.js'
import { GAMES } from '../../rules/games.js'
import { t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'
import { useLoaded, useSite } from '../hooks.js'
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

/** Checks the deal of a finished race in this browser. @param {View} view @param {string[] | null} start the columns, if known */
async function checked({ settings, race: { commitment, secret, leaf, path, nonces = {} } }, start) {
  const game = GAMES.get(settings.game)
  if (commitment == null || secret == null || !game) return null
  if (leaf != null && path) {
    const { checkDraw } = await import('../../rules/winnable-draw.js')
    return checkDraw({ game, secret, nonces, commitment, leaf, path, start })
  }
  const { checkDeal } = await import('../../rules/secret-deal.js')
  return checkDeal({ game, secret, nonces, commitment, start })
}

/**
 * The proof of a fair deal, in one line: the commitment before the race, the numbers after it, and their check.
 * @param {{view: View, start: string[] | null}} props start: the player's own board as it was dealt
 */
export function Proof({ view, start }) {
  const { promises } = useSite()
  const { settings, race } = view
  const { commitment, promise, secret, leaf, path, commitments = {}, nonces = {}, racers = {} } = race
  const result = useLoaded(() => checked(view, start), [race.number, start?.join()])
  // The secret of a day stays one until the day is over.
  if (isOfDay(view)) return <p class="card proof">{t('more.proof.day')}</p>
  if (commitment == null || secret == null) {
    return <p class="card proof">{t('more.proof.numbered', { number: settings.deal })}</p>
  }

  const seats = [...new Set([...Object.keys(nonces), ...Object.keys(racers)])].sort((a, b) => Number(a) - Number(b))
  const given = Object.keys(nonces).length
  const objections = promises.objections(view, commitment, nonces, promise)
  const verdict = verdictOf({ result, given, objections: objections.length })
  return (
    <details class="card proof" data-part="proof" data-verdict={verdict} open={verdict === 'wrong' || verdict === 'unproved'}>
      <summary>
        <span role="status">
          {verdict === 'fair' && <Icon name="check" />} {verdict === 'wrong' && <Icon name="close" />}{' '}
          {t(`more.proof.${verdict === 'checking' ? 'unproved' : verdict}`)}
        </span>
      </summary>
      <p>{t(leaf == null ? 'more.proof.text' : 'more.proof.textWinnable')}</p>
      <p class="proof-result" data-part="contributed" data-ok={given ? undefined : false}>
        {!given && <Icon name="close" />}{' '}
        {given ? t('more.proof.given', { given, count: seats.length }) : t('watch.reason.remarks.no-numbers')}
      </p>
      <Objections objections={objections} />
      {result && (
        <p class="proof-result" data-ok={isRight(result)}>
          <Icon name={isRight(result) ? 'check' : 'close'} /> {t(`more.proof.result.${result}`)}
        </p>
      )}
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
            <dd>{nonces[seat] ? <code>{nonces[seat]}</code> : t(commitments[seat] ? 'more.proof.late' : 'more.proof.none')}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
