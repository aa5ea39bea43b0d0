import { useId } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { Button } from './button.jsx'
import './dialog.css'

/**
 * Closes a dialog while it is still on the page, because only then the browser returns the focus to its opener. An effect is
 * cleaned up too late for that.
 * @param {any} dialog
 */
function show(dialog) {
  // Safari 15.3 has no dialogs: the style sheet makes one.
  if (dialog.showModal) dialog.showModal()
  else dialog.setAttribute('open', '')
  return () => dialog.close?.()
}

/** A dialog over the page. @param {{title: string, onClose: () => void, children: any, wide?: boolean}} props */
export function Dialog({ title, onClose, children, wide }) {
  const heading = useId()
  return (
    <dialog
      ref={show}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onClose={(event) => event.currentTarget.isConnected && onClose()} // a removed dialog reports its end late
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={(event) => event.stopPropagation()} // the board behind has its own keys
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          {/* Otherwise the cross would get the focus. */}
          <h2 id={heading} tabIndex={-1} autofocus>
            {title}
          </h2>
          <Button kind="quiet icon" icon="close" label={t('front.close')} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  )
}
