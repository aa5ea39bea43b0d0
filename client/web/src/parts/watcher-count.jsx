import { t } from '../words/index.js'
import { useSite } from './hooks.js'
import { Icon } from './icon.jsx'
import './watcher-count.css'

/** How many people watch, where anybody does. */
export function WatcherCount() {
  const { session } = useSite()
  const count = session.watchers.value
  if (!count) return null
  return (
    <span class="watchers" title={t('race.spectators', { count })} data-part="watchers">
      <Icon name="eye" /> <span aria-hidden="true">{count}</span>
      <span class="heard">{t('race.spectators', { count })}</span>
    </span>
  )
}
