/** Lets friends in other networks in, and brings players with their seats to another address of the server. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { carryLink, giveCode } from '../../browser/carry.js'
import { roomFrom } from '../../browser/route.js'
import { refusalOf } from '../../net/refusal.js'
import { CARRIED_FOR } from '../../protocol/later-constants.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Field, Form, Wrong } from '../controls/form-fields.jsx'
import { useAction, useLater, useSite } from '../hooks.js'
import { chosen, isLocal, lookUp, reach } from './reach.js'
import './sharing.css'

const SOON = 3000 // until the next look at a tunnel that has not answered yet, in ms
const LATER = 15_000
/** Most interruptions are short. */
const LOST_FOR = 6000

/** Another address of this machine in the network. */
function Choice() {
  const id = useId()
  const others = reach.value.addresses.filter((one) => !isLocal(one))
  if (others.length < 2 || !isLocal(location.origin)) return null
  return (
    <div class="field">
      <label for={id}>{t('share.choose')}</label>
      <select id={id} value={chosen.value || others[0]} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
        {others.map((one) => (
          <option key={one} value={one}>
            {one.split('//')[1]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Who can open the link, and the switch for friends in other networks. @param {{path: string}} props path: of the room */
export function Sharing({ path }) {
  const { near, share } = reach.value
  const { on, helper = '', trouble, url, answers } = share
  useLater(lookUp, on && !answers ? SOON : LATER, [reach.value])
  const turn = useAction(async (/** @type {'POST' | 'DELETE'} */ method) => {
    const answer = await fetch('/api/share', { method })
    if (!answer.ok) throw await refusalOf(answer)
    reach.value = await answer.json()
  })
  const move = useAction(async () => location.assign(carryLink(url, await giveCode(), path)))
  const error = turn.error ?? move.error
  return (
    <div class="sharing" data-part="sharing">
      <div role="status">
        <p>{t(url ? 'share.shared' : on ? 'share.starting' : 'share.near')}</p>
        {url && !answers && on !== undefined && <p class="hint">{t('share.unsure')}</p>}
        {trouble && <p class="hint">{t('share.trouble', { helper, line: trouble })}</p>}
      </div>
      {on === undefined ? (
        !url && <p class="hint">{t('share.askHost')}</p>
      ) : helper ? (
        <p class="hint">{t('share.what', { helper })}</p>
      ) : (
        <>
          <p>{t('share.install')}</p>
          <ul>
            <li>{t('share.mac')}</li>
            <li>{t('share.linux')}</li>
            <li>{t('share.other')}</li>
          </ul>
        </>
      )}
      {!url && <Choice />}
      {url && near && <p class="hint">{t('share.moveWhy')}</p>}
      <div class="row">
        {url && near && <Button {...move.button()} text={t('share.move')} />}
        {on && <Button kind="quiet" {...turn.button('DELETE')} text={t('share.stop')} />}
        {on === false && helper && <Button kind="main" {...turn.button('POST')} text={t('share.anywhere')} />}
      </div>
      {error && <Wrong>{error.message}</Wrong>}
    </div>
  )
}

/**
 * For players who came through a tunnel: if its address does not answer any more, they can go on at the new one. The code
 * that takes them along is drawn while they are connected.
 */
export function Moved() {
  const { session } = useSite()
  const is = session.connection.value.is
  const code = useRef('')
  const [times, setTimes] = useState(0)
  const [link, setLink] = useState('')
  const [wrong, setWrong] = useState(false)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (is === 'open')
      giveCode()
        .then((drawn) => (code.current = drawn))
        .catch(() => {})
  }, [is, times])
  useLater(() => setTimes(times + 1), CARRIED_FOR / 2, [times])
  useLater(() => setLate(is === 'lost'), is === 'lost' ? LOST_FOR : 0, [is])
  if (!isLate || !code.current) return null

  function go() {
    const origin = /https?:\/\/[\w.:-]+/.exec(link)?.[0]
    const room = roomFrom(link)?.code
    setWrong(!origin || !room)
    if (origin && room) location.assign(carryLink(origin, code.current, `/r/${room}`))
  }
  return (
    <details class="banner" data-part="moved">
      <summary>{t('share.moved')}</summary>
      <p>{t('share.movedWhy')}</p>
      <Form onSubmit={go}>
        <Field
          label={t('share.paste')}
          value={link}
          onInput={setLink}
          inputMode="url"
          required
          error={wrong ? t('share.wrongLink') : null}
        />
        <Button type="submit" text={t('share.go')} />
      </Form>
    </details>
  )
}
