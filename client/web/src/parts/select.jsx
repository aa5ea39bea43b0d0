import { useId } from 'preact/hooks'
import './form-fields.css'

/**
 * A choice with its label, and what it means below it.
 *
 * @template {string | number} T
 * @param {{label: string, value: T, options: (readonly [T, string])[], onPick: (value: T) => void, hint?: string, disabled?: boolean}} props
 */
export function Select({ label, value, options, onPick, hint, disabled }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        disabled={disabled}
        value={String(value)}
        onChange={(event) => onPick(/** @type {[T, string]} */ (options[event.currentTarget.selectedIndex])[0])}
      >
        {options.map(([key, text]) => (
          <option key={key} value={String(key)} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
      {hint && <p class="hint">{hint}</p>}
    </div>
  )
}
