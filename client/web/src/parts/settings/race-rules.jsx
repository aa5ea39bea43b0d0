import { useState } from 'preact/hooks'
import { raceRules } from '../../model/race/rule-texts.js'
import { t } from '../../words/translate.js'
import { GameRules } from '../page/lazy-parts.js'
import './race-rules.css'

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

const FIRST = 3 // the number of rules that are shown at once

/** The rules of a race, the ones that surprise first. @param {Settings} settings @returns {ReturnType<typeof raceRules>} */
function sorted(settings) {
  const rules = raceRules(settings)
  const isUsual = settings.deal === 'secret'
  const deal = isUsual ? [] : rules.filter(([term]) => term === t('race.rule.deal'))
  return [rules[0], ...deal, ...rules.slice(1).filter((rule) => !deal.includes(rule))]
}

/** The rules of a race in words. @param {{settings: Settings, commitment?: string | null | undefined}} props */
export function RaceRules(props) {
  const rules = sorted(props.settings)
  return (
    <div data-part="rules">
      <Rules {...props} rules={rules.slice(0, FIRST)} />
      <details class="all-rules">
        <summary>{t('race.rule.all')}</summary>
        <Rules {...props} rules={rules.slice(FIRST)} />
      </details>
    </div>
  )
}

/** @param {{settings: Settings, commitment?: string | null | undefined, rules: [term: string, text: string][]}} props */
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
