import { counted } from '../model/format.js'
import { useSite } from './hooks.js'
import { Icon } from './icon.jsx'
import './watcher-count.css'

/** How many people watch, where anybody does. */
export function WatcherCount() {
  const { session } = useSite()
  const count = session.watchers.value
  if (!count) return null
  return (
    <span class="watchers" title={counted(count, 'watcher')} data-part="watchers">
      <Icon name="eye" /> {count} <span class="heard">{count === 1 ? 'person watches' : 'people watch'}</span>
    </span>
  )
}
