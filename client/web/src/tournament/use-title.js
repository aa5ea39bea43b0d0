import { useEffect } from 'preact/hooks'
import { t } from '../words/index.js'

/** What the tab is called while this is shown. @param {string} text */
export function useTitle(text) {
  const title = `${text} · ${t('front.site')}`
  useEffect(() => {
    document.title = title
    return () => {
      document.title = t('front.site')
    }
  }, [title])
}
