import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../words/index.js'
import { Icon } from './icon.jsx'
import './dialog.css'

/**
 * A dialog over the page; Escape, the cross and a click beside it close it.
 *
 * @param {{title: string, onClose: () => void, children: any, wide?: boolean}} props
 */
export function Dialog({ title, onClose, children, wide }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null))
  const heading = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.stopPropagation()} // the board behind has keys of its own
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" class="button button-quiet button-icon" aria-label={t('front.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
