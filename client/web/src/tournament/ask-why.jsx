import { useState } from 'preact/hooks'
import { listText } from '../model/format.js'
import { endedOf } from '../model/tournament/arena-view.js'
import { REASON_LENGTH } from '../model/tournament/plan-constants.js'
import { nameOf } from '../model/tournament/rounds.js'
import { Button } from '../parts/controls/button.jsx'
import { focus, Hold } from '../parts/controls/confirm-button.jsx'
import { Field, Form, NumberField } from '../parts/controls/form-fields.jsx'
import { t } from '../words/translate.js'
import './ask-why.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */

/** The first field of a form. @param {HTMLFormElement | null} form */
const focusFirst = (form) => form?.querySelector('input')?.focus()

/**
 * A button for an action with a public reason, which it asks for.
 * @param {{label: string, yes?: string, question: string, needed?: boolean, ready?: boolean, mayHold?: boolean,
 *   isOpen?: boolean | undefined, onYes: (reason: string, hold: boolean) => void, onNo?: (() => void) | undefined,
 *   children?: any, kind?: string, disabled?: boolean}} props needed: a reason has to be given; ready: whether the other fields
 *   are filled in, which are its children; mayHold: ask whether to block the address, too; isOpen: ask without the button
 */
export function AskWhy(props) {
  const { label, yes = label, question, needed = false, ready = true, mayHold, isOpen, onYes, onNo, children, ...button } = props
  const [hold, setHold] = useState(false)
  const [reason, setReason] = useState(/** @type {string | null | undefined} */ (isOpen ? '' : undefined))
  if (reason == null) {
    return <Button {...button} text={label} ref={reason === null ? focus : null} onClick={() => setReason('')} />
  }
  const answer = () => {
    setReason(null)
    onYes(reason.trim(), hold)
  }
  return (
    <Form class="ask-why" ref={focusFirst} aria-label={question} onSubmit={answer}>
      <p>{question}</p>
      {children}
      <Field
        label={needed ? t('tournament.desk.why') : t('tournament.desk.whyOptional')}
        value={reason}
        onInput={setReason}
        required={needed}
        maxlength={REASON_LENGTH}
        dir="auto"
      />
      {mayHold && <Hold on={hold} onChange={setHold} />}
      <div class="row">
        <Button type="submit" kind="danger small" text={yes} disabled={!ready || (needed && !reason.trim())} />
        <Button kind="small" text={t('front.no')} onClick={onNo ?? (() => setReason(null))} />
      </div>
    </Form>
  )
}

/** The number of a race of an arena, as typed; NaN: it is none. @param {string} text */
export const raceNumber = (text) => (/^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : Number.NaN)

/**
 * A race of an arena by its number; for the last ones, with their racers.
 * @param {{tournament: Tournament, value: string, onInput: (text: string) => void}} props
 */
export function RaceField({ tournament, value, onInput }) {
  const number = raceNumber(value)
  const known = endedOf(tournament).find((race) => race.number === number)
  return (
    <>
      <NumberField
        label={t('tournament.desk.raceNumber')}
        value={value}
        onInput={onInput}
        error={value && Number.isNaN(number) ? t('tournament.fault.race') : null}
      />
      {known && (
        <p class="hint">
          {t('tournament.arena.raceOf', { number, names: listText(known.racers.map(([who]) => nameOf(tournament, who))) })}
        </p>
      )}
    </>
  )
}
