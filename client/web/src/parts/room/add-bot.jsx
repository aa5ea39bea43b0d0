import { useState } from 'preact/hooks'
import { difficultyText } from '../../model/game-texts.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Choices, option, Wrong } from '../controls/form-fields.jsx'
import { useCommand } from '../hooks.js'

const LEVELS = /** @type {const} */ ([1, 2, 3])

/** The host adds a bot of a chosen level. */
export function AddBot() {
  const [level, setLevel] = useState(/** @type {1 | 2 | 3} */ (2))
  const bot = useCommand('bot')
  return (
    <>
      <span class="joined">
        <Button icon="bot" {...bot.button(level)} text={t('race.room.addBot')} />
        <Choices
          aria-label={t('race.room.botLevel')}
          value={level}
          options={LEVELS.map((one) => option(one, difficultyText(one)))}
          onPick={setLevel}
        />
      </span>
      {bot.error && <Wrong>{bot.error.message}</Wrong>}
    </>
  )
}
