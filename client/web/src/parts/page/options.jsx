import { racerAt } from '../../model/race/room-view.js'
import { t } from '../../words/translate.js'
import { ConfirmButton } from '../controls/confirm-button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { option, PrefSwitch, Segments, Wrong } from '../controls/form-fields.jsx'
import { useAction, useSite } from '../hooks.js'
import { EndRace } from '../race/end-race.jsx'
import { People } from '../room/people.jsx'
import { NarrowWatching } from '../settings/watch-settings.jsx'
import { LanguageSwitch } from './language-switch.jsx'
import './options.css'
import '../../style/taste.css'

/** @import { View } from '../../protocol/protocol.d.ts' */

/** The choices for the table; the last: whether each is shown by a small picture. */
const TASTES = /** @type {const} */ ([
  ['felt', ['green', 'blue', 'wine', 'slate'], true],
  ['back', ['blue', 'red', 'stripes', 'dots'], true],
  ['speed', ['slow', 'normal', 'fast', 'off'], false],
])
const THEMES = /** @type {const} */ (['auto', 'light', 'dark'])

/** @param {{name: 'felt' | 'back' | 'speed', of: string, picture: boolean}} props */
const Taste = ({ name, of, picture }) => (
  <i class="taste">
    {picture && <i class="swatch" aria-hidden="true" {...{ [`data-${name}`]: of }} />}
    {t(/** @type {'more.taste.felt.green'} */ (`more.taste.${name}.${of}`))}
  </i>
)

/** This browser's preferences, and the ways to end a race. @param {{onClose: () => void, racing?: boolean}} props */
export function Options({ onClose, racing }) {
  const { prefs, session } = useSite()
  const { theme } = prefs
  const view = session.view.value
  const isOn = view?.race.starts_at != null && view.race.over_at == null
  return (
    <Dialog title={t('front.options')} onClose={onClose}>
      <div class="options">
        <LanguageSwitch />
        <Segments
          label={t('more.options.theme')}
          name="theme"
          value={theme.value}
          options={THEMES.map((key) => option(key, t(`more.options.theme.${key}`)))}
          onPick={(key) => (theme.value = key)}
        />
        {TASTES.map(([name, keys, picture]) => (
          <Segments
            key={name}
            label={t(`more.taste.${name}`)}
            name={name}
            value={prefs[name].value}
            options={keys.map((key) => [/** @type {string} */ (key), <Taste key={key} name={name} of={key} picture={picture} />])}
            onPick={(key) => (prefs[name].value = key)}
          />
        ))}
        <PrefSwitch label={t('front.fourColours')} hint={t('front.fourColoursHint')} pref={prefs.fourColour} />
        <PrefSwitch label={t('more.options.leftHanded')} hint={t('more.options.leftHandedHint')} pref={prefs.mirror} />
        <PrefSwitch label={t('more.options.altKeys')} hint={t('more.options.altKeysHint')} pref={prefs.altKeys} />
        <PrefSwitch label={t('more.options.finish')} hint={t('more.options.finishHint')} pref={prefs.finishByHand} turned />
        <PrefSwitch label={t('more.options.safe')} hint={t('more.options.safeHint')} pref={prefs.safeHome} />
        <PrefSwitch label={t('more.options.sound')} hint={t('more.options.soundHint')} pref={prefs.sound} />
        {'vibrate' in navigator && (
          <PrefSwitch label={t('more.options.vibration')} hint={t('more.options.vibrationHint')} pref={prefs.vibration} />
        )}
        <PrefSwitch
          label={t('more.reactions.title')}
          hint={t('more.options.reactionsHint')}
          pref={prefs.reactionsHidden}
          turned
        />
        {racing && <PrefSwitch label={t('more.options.zen')} hint={t('more.options.zenHint')} pref={prefs.zen} />}
        {view && isOn && session.isHost.value && view.settings.watching !== 'nobody' && (
          <NarrowWatching key={view.settings.watch + view.settings.delay} view={view} />
        )}
        {view && racing && session.isHost.value && (
          <details class="options-people">
            <summary>{t('race.room.people')}</summary>
            <People view={view} seat={session.seat.value} ready={false} />
          </details>
        )}
        {view && racing && isOn && <EndRace view={view} onDone={onClose} />}
        {view && racing && <LeaveRace view={view} />}
      </div>
    </Dialog>
  )
}

/** Leaves the room during a race. @param {{view: View}} props */
function LeaveRace({ view }) {
  const { session, visit } = useSite()
  const leave = useAction(visit.leave)
  const races = racerAt(view, session.seat.value)?.state === 'racing'
  return (
    <div class="leave-race" data-part="leave">
      <ConfirmButton
        icon="out"
        question={t(races ? 'more.leave.racing' : 'race.room.leaveQuestion')}
        yes={t('race.room.leave')}
        disabled={leave.busy}
        onYes={() => leave.go()}
        text={t('more.leave.room')}
      />
      {leave.error && <Wrong>{leave.error.message}</Wrong>}
    </div>
  )
}
