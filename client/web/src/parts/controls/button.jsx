import { Icon } from './icon.jsx'

/** @import { PATHS } from './icon.jsx' */
/** @import { JSX } from 'preact' */

/**
 * A button that submits no form, unless its `type` says so.
 * @typedef {Omit<JSX.IntrinsicElements['button'], 'label' | 'icon'>} Plain
 * @typedef {Plain & {kind?: string | false | undefined, icon?: keyof typeof PATHS, text?: string | undefined, label?: string | undefined}} ButtonProps
 * @param {ButtonProps} props `kind`: the classes of `controls.css` without their prefix, such as "main large". `text`: after the
 *   icon. `label`: its name, if it has no text
 */
export const Button = ({ kind, class: more, icon, text, label, children, ...props }) => (
  <button
    type="button"
    class={`button ${kind ? kind.replace(/\w+/g, 'button-$&') : ''} ${more ?? ''}`}
    aria-label={label}
    {...props}
  >
    {icon && <Icon name={icon} />} {text ?? children}
  </button>
)

/** A button on the felt: an icon, and a word if there is space. @param {ButtonProps & {word?: string}} props */
export const Tool = ({ word, children, ...props }) => (
  <Button kind={word ? 'felt' : 'felt icon'} label={word} {...props}>
    {children} {word && <span class="button-word">{word}</span>}
  </Button>
)
