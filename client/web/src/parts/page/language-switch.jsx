import { LANGUAGES } from '../../words/compiled/languages.js'
import { language, t } from '../../words/translate.js'
import { Icon } from '../controls/icon.jsx'
import { useAction, useSite } from '../hooks.js'
import './page-frame.css'

/** The list of languages, each by its own name. */
export function LanguageSwitch() {
  const { speak } = useSite()
  const change = useAction(speak)
  const names = Object.entries(LANGUAGES)
  if (names.length < 2) return null
  return (
    <label class="language">
      <Icon name="globe" />
      <select
        aria-label={t('front.language')}
        value={language()}
        onChange={({ currentTarget }) => change.go(currentTarget.value)}
      >
        {names.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
