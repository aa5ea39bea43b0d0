import { Button } from '../controls/button.jsx'
import './drawer.css'

/**
 * A panel beside the board, which stays playable.
 * @param {{class?: string, title: string, label?: string, closeLabel: string, onClose: () => void, tools?: any, children: any}} props
 */
export const Drawer = ({ class: more = '', title, label = title, closeLabel, onClose, tools, children }) => (
  <aside class={`drawer ${more}`} aria-label={label}>
    <div class="card-head">
      <h2>{title}</h2>
      {tools}
      <Button kind="quiet icon" icon="close" label={closeLabel} onClick={onClose} />
    </div>
    {children}
  </aside>
)
