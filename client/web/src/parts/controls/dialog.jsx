import { useId, useMemo } from 'preact/hooks'
import { createAfterPaint } from '../../browser/after-paint.js'
import { t } from '../../words/translate.js'
import { Button } from './button.jsx'
import './dialog.css'

/**
 * Opens a dialog after the next paint, because that restyles the whole page, and a tap should be seen at once. Closes it while
 * it is still on the page, because only then the browser returns the focus to its opener. An effect is cleaned up too late for
 * that.
 * @param {any} dialog
 */
function show(dialog) {
  const later = createAfterPaint()
  // Safari 15.3 has no dialogs: the style sheet makes one.
  later.do(() => (dialog.showModal ? dialog.showModal() : dialog.setAttribute('open', '')))
  return () => {
    later.drop()
    dialog.close?.()
  }
}

/**
 * A dialog over the page.
 * @param {{title: string, onClose: () => void, children: any, wide?: boolean, asks?: boolean}} props asks: a button gets the focus
 */
export function Dialog({ title, onClose, children, wide, asks }) {
  const heading = useId()
  const later = useMemo(createAfterPaint, [])
  const close = () => later.do(onClose)
  return (
    <dialog
      ref={show}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onClose={(event) => event.currentTarget.isConnected && onClose()} // a removed dialog reports its end late
      onClick={(event) => event.target === event.currentTarget && close()}
      onKeyDown={(event) => event.stopPropagation()} // the board behind has its own keys
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          {/* Otherwise the cross would get the focus. */}
          <h2 id={heading} tabIndex={-1} autofocus={!asks}>
            {title}
          </h2>
          <Button kind="quiet icon" icon="close" label={t('front.close')} onClick={close} />
        </div>
        {children}
      </div>
    </dialog>
  )
}
