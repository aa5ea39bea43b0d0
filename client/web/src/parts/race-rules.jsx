import { useState } from 'preact/hooks'
import { raceRules } from '../model/words.js'
import { GameRules } from './later-parts.js'
import './race-rules.css'

/** @typedef {import('../model/room-view.js').Settings} Settings */

/** @param {{game: string}} props */
function HowItIsPlayed({ game }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>How it is played</summary>
      {open && <GameRules game={game} />}
    </details>
  )
}

/** Every rule of a race, in words. @param {{settings: Settings, commitment?: string | null | undefined}} props */
export const RaceRules = ({ settings, commitment }) => (
  <dl class="rules" data-part="rules">
    {raceRules(settings).map(([term, text]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>
          {text}
          {term === 'Game' && <HowItIsPlayed game={settings.game} />}
          {term === 'Deal' && commitment && (
            <details>
              <summary>Fingerprint of the secret</summary>
              <code class="fingerprint">{commitment}</code>
            </details>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
