import { finishText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { shareText } from '../model/race/result-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { CopyButton } from '../parts/controls/copy-button.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { lazyExtra } from '../parts/page/lazy.jsx'
import { CardCascade } from '../parts/race/celebration.jsx'
import { useOrigin } from '../parts/room/reach.js'
import { t } from '../words/translate.js'

/** @import { Won } from '../model/hint/variation.js' */
/** @import { Play } from '../model/memory/memory.js' */
/** @import { Ghost } from '../model/replay/ghost.js' */
/** @import { RaceRecord } from '../record/race-record.js' */
/** @import { Board } from '../rules/board.js' */
/** @import { Card } from '../rules/cards.js' */

const OwnBest = lazyExtra(['memory'], async () => (await import('../parts/results/own-best.jsx')).OwnBest)

/**
 * @typedef {object} Deal
 * @property {string} game its key @property {string} name of the deal in this browser @property {string} title for the player
 * @property {string} link to the deal, without its host
 * @property {string | null} number null: the deal of a race @property {readonly Card[]} deck
 * @property {Won | null} won moves that win it, if known
 * @property {RaceRecord} [record] of the race with this deal @property {Ghost[]} [ghosts] racers of that race
 * @property {{code: string, race: number}} [of] the race
 * @typedef {Omit<Play, 'device'>} Win
 */

/**
 * Celebrates a win in practice.
 * @param {{deal: Deal, win: Win, board: Board, late: string, onNext: () => void}} props late: the place among the racers
 */
export function PracticeWin({ deal, win, board, late, onNext }) {
  const ms = win.ms ?? 0
  const link = useOrigin() + deal.link
  const time = finishText(ms)
  const challenge = t('more.practice.challengeText', { deal: `${gameName(deal.game)} ${deal.title}`, time })
  const result = shareText({
    game: deal.game,
    own: { state: 'solved', place: null, ms, home: board.home },
    racers: 1,
    board,
    link,
  })
  return (
    <>
      <CardCascade />
      <div class="won practice-won on-felt" data-part="won">
        <span class="place-badge" data-place="1" aria-hidden="true">
          <Icon name="crown" />
        </span>
        <h2 class="won-words">{t('more.end.won')}</h2>
        <p class="won-time">{t('more.practice.wonIn', { time, moves: board.movesMade })}</p>
        {late && <p data-part="late">{late}</p>}
        <OwnBest play={win} />
        <div class="row">
          <Button kind="main large" onClick={onNext} text={t('more.practice.next')} />
          {'share' in navigator ? (
            <Button
              icon="share"
              onClick={() => navigator.share({ text: challenge, url: link }).catch(() => {})} // cancelled
              text={t('more.practice.challenge')}
            />
          ) : (
            <CopyButton text={`${challenge}\n${link}`} label={t('more.practice.challenge')} />
          )}
          <CopyButton text={result} label={t('more.end.copyResult')} />
        </div>
      </div>
    </>
  )
}
