import { clockText } from '../../model/format.js'
import { peopleOf } from '../../model/race/room-view.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { ConfirmButton } from '../controls/confirm-button.jsx'
import { Name } from '../controls/face.jsx'
import { FaceButton, Wrong } from '../controls/form-fields.jsx'
import { Badge, Icon } from '../controls/icon.jsx'
import { useCommand, useNow, useSite } from '../hooks.js'
import { lazyExtra } from '../page/lazy.jsx'
import './people.css'

/** Loaded here, because one of the lazy parts shows the people, too. */
const Removed = lazyExtra(['race', 'more'], async () => (await import('../chat/moderation.jsx')).Removed)

/** @import { Person, View } from '../../protocol/protocol.d.ts' */

/** @param {{view: View, who: number, person: Person, seat: number, now: number, ready: boolean}} props */
function Badges({ view, who, person: { bot, here, away_at: away, ready: isReady }, seat, now, ready }) {
  const awayText = away == null ? t('race.lane.away') : t('race.people.awayFor', { time: clockText(now - away) })
  return (
    <span class="badges">
      {who === seat && <Badge text={t('front.you')} />}
      {who === view.host && <Badge kind="host" icon="crown" text={t('race.people.host')} />}
      {who === view.creator && who !== view.host && <Badge text={t('race.people.creator')} />}
      {bot && <Badge icon="bot" text={t('race.people.bot')} />}
      {!here && !bot && <Badge kind="away" text={awayText} />}
      {ready && isReady && <Badge kind="ready" icon="check" text={t('race.people.ready')} />}
      {ready && !isReady && <Badge kind="wait" text={t('race.people.notReady')} />}
    </span>
  )
}

/** The people in the room, with the host's tools. @param {{view: View, seat: number, ready: boolean}} props ready: show who is */
export function People({ view, seat, ready }) {
  const { mutes } = useSite()
  const now = useNow(1000)
  const kick = useCommand('kick')
  const handOver = useCommand('host')
  const look = useCommand('rename')
  const muted = mutes.of(view.code).value
  const isHost = view.host === seat
  const error = kick.error ?? handOver.error ?? look.error

  return (
    <>
      <ul class="people" aria-label={t('race.room.people')}>
        {peopleOf(view).map(([who, person]) => (
          <li key={who} class="person" data-seat={who} data-ready={person.ready || undefined}>
            {who === seat && ready ? (
              <>
                <FaceButton face={view.faces?.[who]} onPick={(face) => look.go(person.name, face)} />
                <bdi class="person-name">{person.name}</bdi>
              </>
            ) : (
              <Name class="person-name" seat={who} name={person.name} />
            )}
            <Badges view={view} who={who} person={person} seat={seat} now={now} ready={ready} />
            {who !== seat && (
              <span class="person-tools">
                {!person.bot && (
                  <Button
                    kind="quiet icon"
                    icon={muted.has(who) ? 'mute' : 'speaker'}
                    label={t('race.people.muteName', { name: person.name })}
                    aria-pressed={muted.has(who)}
                    title={t(muted.has(who) ? 'race.people.muted' : 'race.people.mute')}
                    onClick={() => mutes.toggle(view.code, who)}
                  />
                )}
                {isHost && !person.bot && !view.tournament && (
                  <ConfirmButton
                    kind="quiet icon"
                    icon="crown"
                    label={t('race.people.makeHost', { name: person.name })}
                    question={t('race.people.makeHostQuestion')}
                    yes={t('front.yes')}
                    onYes={() => handOver.go(who)}
                  />
                )}
                {isHost && who !== view.creator && (
                  <ConfirmButton
                    kind="quiet icon"
                    icon="close"
                    label={t('race.people.remove', { name: person.name })}
                    question={t('race.people.removeQuestion', { name: person.name })}
                    yes={t('front.yes')}
                    mayHold={!person.bot}
                    onYes={(hold) => kick.go(who, hold)}
                  />
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {isHost && Object.keys(view.removed ?? {}).length > 0 && <Removed view={view} />}
      {error && <Wrong>{error.message}</Wrong>}
    </>
  )
}

/** The number of spectators, if there are any. */
export function WatcherCount() {
  const { session } = useSite()
  const count = session.watchers.value
  if (!count) return null
  return (
    <span class="watchers" title={t('race.spectators', { count })} data-part="watchers">
      <Icon name="eye" /> <span aria-hidden="true">{count}</span>
      <span class="heard">{t('race.spectators', { count })}</span>
    </span>
  )
}
