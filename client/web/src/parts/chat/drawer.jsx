import { useLayoutEffect, useState } from 'preact/hooks'
import { Button } from '../controls/button.jsx'
import './drawer.css'

/** Gives the focus back when a part closes that had it. */
function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  // Not after the paint: Escape may come before it.
  useLayoutEffect(
    () => () => {
      const to = before?.isConnected && before !== document.body ? before : document.querySelector('.ft-pile[tabindex="0"]')
      if (to instanceof HTMLElement) to.focus({ preventScroll: true })
    },
    [],
  )
}

/**
 * A panel beside the board, which stays playable.
 * @param {{class?: string, title: string, label?: string, closeLabel: string, onClose: () => void, tools?: any, children: any}} props
 */
export function Drawer({ class: more = '', title, label = title, closeLabel, onClose, tools, children }) {
  useFocusBack()
  return (
    <aside class={`drawer ${more}`} aria-label={label}>
      <div class="card-head">
        <h2>{title}</h2>
        {tools}
        <Button kind="quiet icon" icon="close" label={closeLabel} onClick={onClose} />
      </div>
      {children}
    </aside>
  )
}
