import { useId } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { Icon } from './icon.jsx'
import './dialog.css'

/**
 * A dialog is closed while it is still on the page: only then does the browser give the focus back to what opened it. An effect
 * is tidied up too late for that.
 *
 * @param {any} dialog
 */
function show(dialog) {
  dialog.showModal()
  return () => dialog.close()
}

/**
 * A dialog over the page; Escape, the cross and a click beside it close it.
 *
 * @param {{title: string, onClose: () => void, children: any, wide?: boolean}} props
 */
export function Dialog({ title, onClose, children, wide }) {
  const heading = useId()
  return (
    <dialog
      ref={show}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onClose={(event) => event.currentTarget.isConnected && onClose()} // else it is told late, of a dialog that is gone
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={(event) => event.stopPropagation()} // the board behind has keys of its own
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          {/* Else it would begin at the cross. */}
          <h2 id={heading} tabIndex={-1} autofocus>
            {title}
          </h2>
          <button type="button" class="button button-quiet button-icon" aria-label={t('front.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
