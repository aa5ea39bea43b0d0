import { useId, useState } from 'preact/hooks'
import { randomFace } from '../../browser/preferences.js'
import { NAME_LENGTH } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { instead, useSite } from '../hooks.js'
import { Button } from './button.jsx'
import { Face } from './face.jsx'
import './controls.css'

/** @import { Signal } from '@preact/signals' */

/**
 * @typedef {{value: string, onInput: (value: string) => void, error?: string | null | undefined, [more: string]: any}} FieldProps
 * @typedef {FieldProps & {label: string}} LabelledProps
 */

/** A text field with its label, and its hint and its error below. `row`: puts more beside the field. @param {LabelledProps} props */
export function Field({ label, value, onInput, hint, error, row = (/** @type {any} */ field) => field, ...more }) {
  const id = useId()
  const [isMissing, setMissing] = useState(false)
  const wrong = error || (isMissing && !value && t('front.fillIn'))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {row(
        <input
          type="text"
          {...more}
          id={id}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onInvalid={(event) => {
            if (event.currentTarget.value) return
            event.preventDefault() // the browser's message may be in another language
            setMissing(true)
            document.querySelector(':focus:invalid') ?? event.currentTarget.focus()
          }}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={wrong ? `${id}-error` : undefined}
        />,
      )}
      {hint && <p class="hint">{hint}</p>}
      {wrong && <Wrong id={`${id}-error`}>{wrong}</Wrong>}
    </div>
  )
}

/** A field for several lines, with its label. @param {LabelledProps} props */
export function Area({ label, value, onInput, children, ...more }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea dir="auto" {...more} id={id} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      {children}
    </div>
  )
}

/** A form that the page handles. @param {{onSubmit: () => unknown, [more: string]: any}} props */
export const Form = ({ onSubmit, ...props }) => <form {...props} onSubmit={instead(onSubmit)} />

/** The name of the player, with the face. @param {FieldProps} props */
export function NameField(props) {
  const { prefs } = useSite()
  const row = (/** @type {any} */ field) => (
    <div class="field-row">
      <FaceButton face={prefs.face.value} onPick={(face) => (prefs.face.value = face)} />
      {field}
      <Button
        kind="icon"
        icon="dice"
        label={t('front.randomName')}
        onClick={async () => props.onInput(await (await import('./random-name.js')).randomName(prefs))}
      />
    </div>
  )
  return <OtherNameField label={t('front.yourName')} name="name" autocomplete="nickname" row={row} {...props} />
}

/** The player's own face, which a tap replaces. @param {{face: number | undefined, onPick: (face: number) => void}} props */
export const FaceButton = ({ face, onPick }) => (
  <Button kind="icon" class="face-button" label={t('front.otherFace')} onClick={() => onPick(randomFace())}>
    <Face face={face} />
  </Button>
)

/** A name that is not the player's own. @param {LabelledProps} props */
export const OtherNameField = (props) => (
  <Field maxlength={NAME_LENGTH} dir="auto" autocomplete="off" spellcheck={false} {...props} />
)

/** @param {LabelledProps} props */
export const NumberField = (props) => <Field inputmode="numeric" autocomplete="off" {...props} />

/** The password of a room, shown as plain text, because players share it. @param {FieldProps} props */
export const PasswordField = (props) => (
  <OtherNameField label={t('front.join.password')} autocapitalize="off" dir={undefined} maxlength={100} required {...props} />
)

/** @param {{label: string, hint?: string, on: boolean, onChange: (on: boolean) => void}} props */
export const Switch = ({ label, hint, on, onChange }) => (
  <label class="switch">
    {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its own checked state */}
    <input type="checkbox" role="switch" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span class="switch-words">
      <span>{label}</span>
      {hint && <span class="hint">{hint}</span>}
    </span>
  </label>
)

/**
 * A switch of a preference.
 * @param {{label: string, hint: string, pref: Signal<boolean>, turned?: boolean}} props turned: the preference stores the opposite
 */
export const PrefSwitch = ({ label, hint, pref, turned = false }) => (
  <Switch label={label} hint={hint} on={pref.value !== turned} onChange={(on) => (pref.value = on !== turned)} />
)

/** @param {{children: any, id?: string}} props */
export const Wrong = ({ children, id }) => (
  <p class="wrong" role="alert" id={id}>
    {children}
  </p>
)

/** An entry of a `Select`. @template {string | number} T @param {T} value @param {string} text @returns {readonly [T, string]} */
export const option = (value, text) => [value, text]

/**
 * A choice of few, each beside the other.
 * @template {string} T
 * @param {{label: string, name: string, value: T, options: (readonly [T, any])[], onPick: (value: T) => void, hint?: string}} props
 */
export const Segments = ({ label, name, value, options, onPick, hint }) => (
  <fieldset class="choice">
    <legend>{label}</legend>
    <div class="segments">
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onPick(key)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
    {hint && <p class="hint">{hint}</p>}
  </fieldset>
)

/**
 * A drop-down list.
 * @template {string | number} T
 * @param {{value: T, options: (readonly [T, string])[], onPick: (value: T) => void, [more: string]: any}} props
 */
export const Choices = ({ value, options, onPick, ...more }) => (
  <select
    {...more}
    value={String(value)}
    onChange={(event) => onPick(/** @type {[T, string]} */ (options[event.currentTarget.selectedIndex])[0])}
  >
    {options.map(([key, text]) => (
      <option key={key} value={String(key)} selected={key === value}>
        {text}
      </option>
    ))}
  </select>
)

/**
 * A drop-down list with its label and a hint below.
 * @template {string | number} T
 * @param {{label: string, value: T, options: (readonly [T, string])[], onPick: (value: T) => void, hint?: string, disabled?: boolean}} props
 */
export function Select({ label, hint, ...props }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Choices id={id} {...props} />
      {hint && <p class="hint">{hint}</p>}
    </div>
  )
}
