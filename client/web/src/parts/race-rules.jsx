import { gameGuide } from '../model/game-guide.js'
import { raceRules } from '../model/words.js'
import './race-rules.css'

/** @typedef {import('../model/room-view.js').Settings} Settings */

/** Every rule of a race, in words. @param {{settings: Settings, commitment?: string | null | undefined}} props */
export const RaceRules = ({ settings, commitment }) => (
  <dl class="rules" data-part="rules">
    {raceRules(settings).map(([term, text]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>
          {text}
          {term === 'Game' && (
            <details>
              <summary>How it is played</summary>
              <ul>
                {gameGuide(settings.game).map(({ term, text }) => (
                  <li key={term}>
                    <b>{term}:</b> {text}
                  </li>
                ))}
              </ul>
            </details>
          )}
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
