import { sinceText } from '../model/format.js'
import { Button } from '../parts/controls/button.jsx'
import { useNow, usePolled, useSite } from '../parts/hooks.js'
import { t } from '../words/translate.js'
import './join.css'

/** @import { Listed } from './front.jsx' */

/** A race of this browser that is on. @param {{code: string}} props */
export function Running({ code }) {
  const { route } = useSite()
  const starts = /** @type {Listed | null} */ (usePolled(`/api/rooms/${code}`))?.starts_at
  const now = useNow(1000)
  if (starts == null) return null
  return (
    <div class="card running-race" data-part="running">
      <p>{t('join.running', { time: sinceText(starts, now) })}</p>
      <Button kind="main" onClick={() => route.toRoom(code)} text={t('join.toRace')} />
    </div>
  )
}
