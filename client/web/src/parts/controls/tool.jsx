/** @import { JSX } from 'preact' */

/**
 * A button on the felt: an icon, and a word if there is space.
 * @typedef {JSX.IntrinsicElements['button']} Button
 * @param {Omit<Button, 'label' | 'children'> & {word?: string, label?: string, children: any}} props
 *   `word`: beside the icon. `label`: the name of the button if it has no word. `children`: the icon
 */
export const Tool = ({ word, label = word, class: more, children, ...props }) => (
  <button type="button" class={`button button-felt ${word ? '' : 'button-icon'} ${more ?? ''}`} aria-label={label} {...props}>
    {children} {word && <span class="button-word">{word}</span>}
  </button>
)
