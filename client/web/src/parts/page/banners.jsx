import { closingText } from '../../net/close-codes.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { useLater, useSite } from '../hooks.js'
import './page-frame.css'

const PASSING = 'store-back' // good news disappears without a click
const PASSES_AFTER = 6000

/** Messages for all at the top of the page: the connection is lost, the server cannot save, data was lost. */
export function Banners() {
  const { session, online } = useSite()
  const connection = session.connection.value
  const notice = session.notice.value
  const dismiss = () => (session.notice.value = null)
  useLater(() => notice?.code === PASSING && dismiss(), PASSES_AFTER, [notice])

  return (
    <div class="banners" role="status">
      {connection.is === 'lost' && (
        <p class="banner banner-line">
          {online.value ? t('front.reconnecting', { why: closingText(connection.code) }) : t('front.offline')}
        </p>
      )}
      {notice && (
        <p class="banner" data-notice={notice.code}>
          {notice.message}
          <Button kind="quiet icon" icon="close" label={t('front.dismiss')} onClick={dismiss} />
        </p>
      )}
    </div>
  )
}
