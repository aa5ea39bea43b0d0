import { useEffect, useRef, useState } from 'preact/hooks'
import { isHosting } from '../../model/race/room-view.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Face } from '../controls/face.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { instead, useAction, useSite } from '../hooks.js'
import { Muted, WatcherTools } from '../page/lazy-parts.js'
import { Panel } from '../page/panel.jsx'
import './chat.css'
import { Drawer } from './drawer.jsx'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { ComponentChildren } from 'preact' */

const NEAR_END = 40 // px: the chat follows new messages while its end is so near (about two lines)
const LENGTH = 300 // limit of the server: a message has 1 to 300 characters

/**
 * @param {View} view @param {ReadonlySet<number>} muted seats that the player has muted
 * @returns {{id: number, seat: number, name: string, at: number, text: string, face: number}[]} oldest first
 */
function messagesOf(view, muted) {
  return Object.entries(view.chat ?? {})
    .map(([id, message]) => ({ id: Number(id), ...message }))
    .filter((message) => !muted.has(message.seat))
    .sort((a, b) => a.id - b.id)
}

/** Explains the readers of the chat to racers. @param {View} view */
export const racersChatText = ({ tournament }) => t(tournament?.plan.quiet ? 'race.chat.quiet' : 'race.chat.racers')

/** The number of messages since the chat was closed. @param {View} view @param {boolean} open */
export function useUnread(view, open) {
  const { mutes, prefs } = useSite()
  const messages = messagesOf(view, mutes.of(view.code).value)
  const last = messages.at(-1)?.id ?? -1
  const [seen, setSeen] = useState(last)
  useEffect(() => {
    if (open) setSeen(last)
  }, [open, last])
  return prefs.chatMuted.value || open ? 0 : messages.filter((message) => message.id > seen).length
}

/**
 * @param {{view: View, seat: number, focus?: boolean | undefined, onEscape?: (() => void) | undefined, note?: string | undefined}} props
 *   focus: put the focus into the text field, except on touch screens, where a keyboard would cover the page; note: who can read
 *   the messages
 */
function Chat({ view, seat, focus, onEscape, note }) {
  const { session, prefs, mutes } = useSite()
  const [text, setText] = useState('')
  const say = useAction((/** @type {string} */ message) => session.chat(message))
  const list = useRef(/** @type {HTMLDivElement | null} */ (null))
  const messages = messagesOf(view, mutes.of(view.code).value)
  const isHost = isHosting(view, seat)
  const last = messages.at(-1)?.id
  const end = useRef(0) // where the list ended
  useEffect(() => {
    if (!list.current) return
    const { scrollTop, clientHeight, scrollHeight } = list.current
    if (scrollTop + clientHeight > end.current - NEAR_END) list.current.scrollTop = scrollHeight
    end.current = scrollHeight
  }, [last])

  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  useEffect(() => {
    if (focus && matchMedia('(pointer:fine)').matches) input.current?.focus()
  }, [focus])

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    event.stopPropagation() // letters are keys of the board
    if (event.key === 'Escape') onEscape?.()
  }

  const submit = instead(async () => {
    const message = text.trim()
    if (!message) return
    setText('')
    end.current = 0
    if (!(await say.go(message))) setText(message)
  })

  if (prefs.chatMuted.value) {
    return (
      <div class="chat chat-off">
        <p>{t('race.chat.off')}</p>
        <Button kind="small" onClick={() => (prefs.chatMuted.value = false)} text={t('race.chat.unmute')} />
      </div>
    )
  }
  return (
    <div class="chat">
      <div class="chat-list" ref={list} role="log" aria-label={t('race.chat.title')} tabindex={0}>
        {messages.length === 0 && <p class="chat-empty">{t('race.chat.empty')}</p>}
        {messages.map((message) => (
          <div key={message.id} class="chat-line" data-own={(seat > 0 && message.seat === seat) || undefined}>
            <bdi class="chat-name">
              <Face face={message.face} />
              {message.name}
            </bdi>{' '}
            {message.seat === 0 && <span class="chat-watcher">{t('race.chat.spectator')} </span>}
            <span class="chat-text" dir="auto">
              {message.text}
            </span>
            {isHost && message.seat === 0 && <WatcherTools view={view} line={message.id} name={message.name} />}
          </div>
        ))}
      </div>
      {isHost && Object.keys(view.muted ?? {}).length > 0 && <Muted view={view} />}
      {note && <p class="hint">{note}</p>}
      <form class="chat-say" onSubmit={submit}>
        <input
          ref={input}
          type="text"
          aria-label={t('race.chat.message')}
          placeholder={t('race.chat.write')}
          dir="auto"
          maxlength={LENGTH}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        <Button type="submit" kind="icon" icon="send" label={t('race.chat.send')} disabled={say.busy || !text.trim()} />
      </form>
      {say.error && <Wrong>{say.error.message}</Wrong>}
    </div>
  )
}

/** @param {{view: View}} props */
function ChatMute({ view }) {
  const { prefs, mutes } = useSite()
  const muted = mutes.of(view.code)
  const off = prefs.chatMuted.value
  const count = [...muted.value].filter((seat) => view.people[seat]?.name).length
  const unmute = () => (muted.value = new Set())
  return (
    <span class="chat-mute">
      {count > 0 && <Button kind="quiet small" onClick={unmute} text={t('race.chat.unmuteCount', { count })} />}
      <Button
        kind="quiet icon"
        icon={off ? 'mute' : 'speaker'}
        label={t('race.chat.mute')}
        aria-pressed={off}
        title={t('race.chat.mute')}
        onClick={() => (prefs.chatMuted.value = !off)}
      />
    </span>
  )
}

/** The chat as a card of a room's page. @param {{view: View, seat: number}} props */
export const ChatCard = ({ view, seat }) => (
  <Panel class="chat-card" title={t('race.chat.title')} tools={<ChatMute view={view} />}>
    <Chat view={view} seat={seat} />
  </Panel>
)

/**
 * The chat in a drawer over the table. With `focus`, Escape closes it.
 * @param {{view: View, seat: number, onClose: () => void, focus?: boolean, note?: string, children?: ComponentChildren}} props
 */
export const ChatDrawer = ({ view, seat, onClose, focus, note, children }) => (
  <Drawer title={t('race.chat.title')} closeLabel={t('race.chat.close')} onClose={onClose} tools={<ChatMute view={view} />}>
    <Chat view={view} seat={seat} focus={focus} note={note} onEscape={focus ? onClose : undefined} />
    {children}
  </Drawer>
)
