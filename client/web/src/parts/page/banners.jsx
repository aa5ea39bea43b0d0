import { useEffect } from 'preact/hooks'
import { closingText } from '../../net/close-codes.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { useSite } from '../hooks.js'
import './page-frame.css'

/** Good news disappears without a click. */
const PASSING = new Set(['store-back'])
const PASSES_AFTER = 6000

/** Messages for all at the top of the page: the connection is lost, the server cannot save, data was lost. */
export function Banners() {
  const { session, online } = useSite()
  const line = session.line.value
  const notice = session.notice.value
  useEffect(() => {
    if (!notice || !PASSING.has(notice.code)) return
    const timer = setTimeout(() => (session.notice.value = null), PASSES_AFTER)
    return () => clearTimeout(timer)
  }, [notice])

  return (
    <div class="banners" role="status">
      {line.is === 'lost' && (
        <p class="banner banner-line">
          {online.value ? t('front.reconnecting', { why: closingText(line.code) }) : t('front.offline')}
        </p>
      )}
      {notice && (
        <p class="banner" data-notice={notice.code}>
          {notice.message}
          <Button kind="quiet icon" icon="close" label={t('front.dismiss')} onClick={() => (session.notice.value = null)} />
        </p>
      )}
    </div>
  )
}
