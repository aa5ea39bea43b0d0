import { useState } from 'preact/hooks'
import { firstRules } from '../../model/race/rule-texts.js'
import { t } from '../../words/translate.js'
import { GameRules, OtherRules } from '../page/lazy-parts.js'
import './race-rules.css'

/** @import { Rule } from '../../model/race/rule-texts.js' */
/** @import { Settings } from '../../protocol/protocol.d.ts' */

/** @param {{game: string}} props */
function HowItIsPlayed({ game }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('race.howToPlay')}</summary>
      {open && <GameRules game={game} />}
    </details>
  )
}

/** The rules of a race in words, the usual ones only on request. @param {{settings: Settings, commitment?: string | null | undefined}} props */
export function RaceRules(props) {
  const [open, setOpen] = useState(false)
  return (
    <div data-part="rules">
      <Rules {...props} rules={firstRules(props.settings)} />
      <details class="all-rules" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('race.rule.all')}</summary>
        {open && <OtherRules settings={props.settings}>{(rules) => <Rules {...props} rules={rules} />}</OtherRules>}
      </details>
    </div>
  )
}

/** @param {{settings: Settings, commitment?: string | null | undefined, rules: Rule[]}} props */
const Rules = ({ settings, commitment, rules }) => (
  <dl class="rules">
    {rules.map(([term, text]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>
          {text}
          {term === t('front.game') && <HowItIsPlayed game={settings.game} />}
          {term === t('race.rule.deal') && commitment && (
            <details>
              <summary>{t('race.fingerprint')}</summary>
              <code class="fingerprint">{commitment}</code>
            </details>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
