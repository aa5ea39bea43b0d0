import { useEffect, useRef, useState } from 'preact/hooks'
import { isHosting } from '../../model/race/room-view.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { Icon } from '../controls/icon.jsx'
import { useAction, useSite } from '../hooks.js'
import { Muted, WatcherTools } from '../page/lazy-parts.js'
import './chat.css'
import { Drawer } from './drawer.jsx'

/**
 * @import { View } from '../../protocol/protocol.d.ts'
 * @import { ComponentChildren } from 'preact'
 */

/** Limit of the server: a message has 1 to 300 characters. */
const LENGTH = 300

/**
 * @param {View} view
 * @param {ReadonlySet<number>} muted seats that the player has muted
 * @returns {{id: number, seat: number, name: string, at: number, text: string}[]} oldest first
 */
export function messagesOf(view, muted) {
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
  const [seen, setSeen] = useState(messages.at(-1)?.id ?? -1)
  const last = messages.at(-1)?.id ?? -1
  useEffect(() => {
    if (open) setSeen(last)
  }, [open, last])
  return prefs.chatMuted.value || open ? 0 : messages.filter((message) => message.id > seen).length
}

/**
 * @param {object} props @param {View} props.view @param {number} props.seat
 * @param {boolean | undefined} [props.focus] put the focus into the text field, except on touch screens, where a keyboard would cover the page
 * @param {(() => void) | undefined} [props.onEscape]
 * @param {string | undefined} [props.note] who can read the messages
 */
export function Chat({ view, seat, focus, onEscape, note }) {
  const { session, prefs, mutes } = useSite()
  const [text, setText] = useState('')
  const say = useAction((/** @type {string} */ message) => session.chat(message))
  const list = useRef(/** @type {HTMLDivElement | null} */ (null))
  const messages = messagesOf(view, mutes.of(view.code).value)
  const isHost = isHosting(view, seat)
  const last = messages.at(-1)?.id
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
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

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault()
    const message = text.trim()
    if (!message) return
    setText('')
    if (!(await say.go(message))) setText(message)
  }

  if (prefs.chatMuted.value) {
    return (
      <div class="chat chat-off">
        <p>{t('race.chat.off')}</p>
        <Button kind="small" onClick={() => (prefs.chatMuted.value = false)}>
          {t('race.chat.unmute')}
        </Button>
      </div>
    )
  }
  return (
    <div class="chat">
      <div class="chat-list" ref={list} role="log" aria-label={t('race.chat.title')} tabindex={0}>
        {messages.length === 0 && <p class="chat-empty">{t('race.chat.empty')}</p>}
        {messages.map((message) => (
          <div key={message.id} class="chat-line" data-own={(seat > 0 && message.seat === seat) || undefined}>
            <bdi class="chat-name">{message.name}</bdi>{' '}
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
        <button class="button button-icon" aria-label={t('race.chat.send')} disabled={say.busy || !text.trim()}>
          <Icon name="send" />
        </button>
      </form>
      {say.error && <Wrong>{say.error.message}</Wrong>}
    </div>
  )
}

/** @param {{view: View}} props */
export function ChatMute({ view }) {
  const { prefs, mutes } = useSite()
  const muted = mutes.of(view.code)
  const off = prefs.chatMuted.value
  const names = [...muted.value].map((seat) => view.people[seat]?.name).filter(Boolean)
  return (
    <span class="chat-mute">
      {names.length > 0 && (
        <Button kind="quiet small" onClick={() => (muted.value = new Set())}>
          {t('race.chat.unmuteCount', { count: names.length })}
        </Button>
      )}
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
  <section class="card chat-card" aria-label={t('race.chat.label')}>
    <div class="card-head">
      <h2>{t('race.chat.title')}</h2>
      <ChatMute view={view} />
    </div>
    <Chat view={view} seat={seat} />
  </section>
)

/**
 * The chat in a drawer over the table.
 * @param {object} props @param {View} props.view @param {number} props.seat @param {() => void} props.onClose
 * @param {boolean | undefined} [props.focus] put the focus into the text field; Escape closes the drawer
 * @param {string | undefined} [props.note] who can read the messages
 * @param {ComponentChildren} [props.children] shown below the chat
 */
export const ChatDrawer = ({ view, seat, onClose, focus, note, children }) => (
  <Drawer
    label={t('race.chat.title')}
    title={t('race.chat.title')}
    closeLabel={t('race.chat.close')}
    onClose={onClose}
    tools={<ChatMute view={view} />}
  >
    <Chat view={view} seat={seat} focus={focus} note={note} onEscape={focus ? onClose : undefined} />
    {children}
  </Drawer>
)
