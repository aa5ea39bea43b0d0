import { cardText } from '../../model/card-text.js'
import { gameName, lessonOf } from '../../model/game-texts.js'
import { gameGuide } from '../../model/guide/game-guide.js'
import { raceKeys } from '../../model/key-help.js'
import { parseCard } from '../../rules/cards.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Icon } from '../controls/icon.jsx'
import { useSite } from '../hooks.js'
import { Keys } from './key-list.jsx'
import './help.css'

/** @import { Picture } from '../../model/guide/game-guide.js' */
/** @import { KeyText } from '../../model/key-help.js' */

const isDown = (/** @type {string} */ card) => card === '##'

/** @param {{picture: Picture}} props */
const Cards = ({ picture: { cards, right } }) => (
  <span class="mini-cards" data-right={right} translate={false}>
    {cards.map((card, i) => (
      <span
        key={i}
        class="mini-card"
        data-suit={card.at(-1)}
        data-down={isDown(card) || undefined}
        data-empty={!card || undefined}
      >
        {card && !isDown(card) && cardText(parseCard(card))}
      </span>
    ))}
    {right !== undefined && (
      <span class="mini-mark">
        <Icon name={right ? 'check' : 'close'} />
      </span>
    )}
  </span>
)

/** The help for a game: its rules with pictures, the lesson, taps and keys. @param {{game: string, onLearn: () => void, keys?: KeyText[]}} props */
export function GameHelp({ game, onLearn, keys = raceKeys() }) {
  const { lesson, prefs } = useSite()
  const learn = () => {
    onLearn()
    lesson.value = { game }
  }
  return (
    <div class="help" data-part="game-help">
      <Button icon="hint" onClick={learn} text={t('front.practise.learn', { game: gameName(lessonOf(game)) })} />
      <dl class="guide">
        {gameGuide(game).map(({ term, text, pictures }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {text}
              {pictures.length > 0 && (
                <span class="guide-pictures" aria-hidden="true">
                  {pictures.map((picture, i) => (
                    <Cards key={i} picture={picture} />
                  ))}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <h3>{t('more.guide.taps')}</h3>
      <p>{t('more.guide.tapsText')}</p>
      <h3>{t('more.guide.keys')}</h3>
      {prefs.altKeys.value && <p>{t('more.options.altKeysHint')}</p>}
      <Keys keys={keys} />
    </div>
  )
}

/** The rules of a game in words. @param {{game: string}} props */
export const GameRules = ({ game }) => (
  <ul>
    {gameGuide(game).map(({ term, text }) => (
      <li key={term}>
        <b>{term}:</b> {text}
      </li>
    ))}
  </ul>
)
