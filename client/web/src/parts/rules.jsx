import { gameRules, raceRules } from '../app/words.js'

/** @typedef {import('../net/view.js').Settings} Settings */

/** Every rule of a race, in words. @param {{settings: Settings}} props */
export const RaceRules = ({ settings }) => (
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
                {gameRules(settings.game).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </details>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
