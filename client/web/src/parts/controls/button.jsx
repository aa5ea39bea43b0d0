import { Icon } from './icon.jsx'

/**
 * @import { PATHS } from './icon.jsx'
 * @import { JSX } from 'preact'
 */

/**
 * A button that submits no form.
 * @param {Omit<JSX.IntrinsicElements['button'], 'label' | 'icon'> & {kind?: string, icon?: keyof typeof PATHS, label?: string}} props
 *   `kind`: the classes of `controls.css` without their prefix, such as "main large". `label`: its name, if it has no text
 */
export const Button = ({ kind, class: more, icon, label, children, ...props }) => (
  <button
    type="button"
    class={['button', ...(kind ? kind.split(' ').map((one) => `button-${one}`) : []), more].filter(Boolean).join(' ')}
    aria-label={label}
    {...props}
  >
    {icon && <Icon name={icon} />} {children}
  </button>
)
