/** The host's tools for the messages of spectators, and for people who were removed. */
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { ConfirmButton } from '../controls/confirm-button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { Icon } from '../controls/icon.jsx'
import { useCommand } from '../hooks.js'
import './chat.css'

/** @import { View } from '../../protocol/protocol.d.ts' */

/** Mutes or removes the spectator who wrote a message. @param {{view: View, line: number, name: string}} props */
export function WatcherTools({ view, line, name }) {
  const mute = useCommand('mute')
  const remove = useCommand('remove')
  const error = mute.error ?? remove.error
  const isMuted = Object.values(view.muted ?? {}).includes(name)
  return (
    <span class="chat-tools">
      {!isMuted && (
        <Button
          kind="quiet icon"
          icon="mute"
          label={t('more.chat.muteNameForAll', { name })}
          title={t('more.chat.muteForAll')}
          {...mute.button(line, true)}
        />
      )}
      <ConfirmButton
        kind="quiet icon"
        icon="close"
        label={t('more.chat.removeSpectator', { name })}
        question={t('race.people.removeQuestion', { name })}
        yes={t('race.chat.remove')}
        mayHold
        onYes={(hold) => remove.go(line, hold)}
      />
      {error && <Wrong>{error.message}</Wrong>}
    </span>
  )
}

/** The spectators whom the host has muted, with buttons that unmute them. @param {{view: View}} props */
export function Muted({ view }) {
  const mute = useCommand('mute')
  const muted = Object.entries(view.muted ?? {})
  return (
    <div class="chat-muted">
      {t('more.chat.mutedForAll')}{' '}
      {muted.map(([line, name]) => (
        <Button kind="small" label={t('more.chat.unmuteName', { name })} key={line} {...mute.button(Number(line), false)}>
          <bdi>{name}</bdi> <Icon name="speaker" />
        </Button>
      ))}
      {mute.error && <Wrong>{mute.error.message}</Wrong>}
    </div>
  )
}

/** The removed people, with buttons that let them in again. @param {{view: View}} props */
export function Removed({ view }) {
  const admit = useCommand('admit')
  return (
    <div class="chat-muted">
      {t('more.people.removed')}{' '}
      {Object.entries(view.removed ?? {}).map(([number, name]) => (
        <Button kind="small" label={t('more.people.admit', { name })} key={number} {...admit.button(Number(number))}>
          <bdi>{name}</bdi> <Icon name="check" />
        </Button>
      ))}
      {admit.error && <Wrong>{admit.error.message}</Wrong>}
    </div>
  )
}
