/** Parts of a room that are needed only during or after a race, or rarely. */

import { useState } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { roomScore } from '../model/race/result-texts.js'
import { homeText, placeCell, stateText } from '../model/race/rule-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { focus } from '../parts/controls/confirm-button.jsx'
import { Name } from '../parts/controls/face.jsx'
import { NameField } from '../parts/controls/form-fields.jsx'
import { instead, useAction, useLaneSignal, useNow, useSite } from '../parts/hooks.js'
import { Lanes } from '../parts/race/racer-lanes.jsx'
import { Score } from '../parts/results/score.jsx'
import { t } from '../words/translate.js'
import './room-later.css'

/** @import { View } from '../protocol/protocol.d.ts' */

const LANES = 12 // the number of lanes shown to a waiting player

/** A race without this player: the progress of all racers. @param {{view: View, seat: number, onWatch?: (() => void) | undefined}} props */
export function RunningRace({ view, seat, onWatch }) {
  const now = useNow(500)
  const lanes = useLaneSignal(view.race.number).value
  const starts = view.race.starts_at ?? now
  return (
    <section class="card running" aria-label={t('more.room.running')}>
      <div class="running-head">
        <h2>{t('more.room.nextRace')}</h2>
        <p class="running-clock" role="timer">
          {now < starts ? t('more.room.startsIn', { count: Math.ceil((starts - now) / 1000) }) : clockText(now - starts)}
        </p>
      </div>
      <p class="hint">
        {t('more.room.endsIn', { game: gameName(view.settings.game), time: clockText((view.race.ends_at ?? now) - now) })}
      </p>
      <Lanes lanes={lanes} room={LANES} seat={seat} />
      {onWatch && <Button icon="eye" onClick={onWatch} text={t('race.room.watchBoards')} />}
    </section>
  )
}

/** The score of the match so far. @param {{view: View}} props */
export const MatchScore = ({ view }) => <Score view={view} scores={roomScore(view)} />

/** The earlier races of the room. @param {{view: View, seat: number}} props */
export function Past({ view, seat }) {
  const { route } = useSite()
  const past = Object.entries(view.past ?? {}).sort((a, b) => Number(b[0]) - Number(a[0]))
  return (
    <section class="card past" aria-label={t('more.room.earlier')}>
      <h2>{t('more.room.earlier')}</h2>
      <ol>
        {past.map(([number, { game, places }]) => (
          <li key={number}>
            <p class="label past-head">
              {t('more.room.earlierRace', { number, game: gameName(game) })}
              <Button
                kind="quiet small"
                icon="play"
                label={t('more.room.replayOf', { number })}
                onClick={() => route.toReplay(view.code, Number(number), { endKnown: true })}
                text={t('race.room.replay')}
              />
            </p>
            <ul>
              {[...places]
                .sort((a, b) => (a[2] ?? places.length + 1) - (b[2] ?? places.length + 1))
                .slice(0, 5)
                .map(([who, name, place, state, home, , ms]) => (
                  <li key={who} data-own={who === seat || undefined}>
                    <span>{place === null ? '–' : placeCell(place)}</span> <Name seat={who} name={name} />{' '}
                    <span class="hint">
                      {state === 'solved' && ms !== null
                        ? clockText(ms)
                        : state === 'timed_out' // or the race was ended: the cards say enough
                          ? homeText(home)
                          : t('more.room.earlierResult', { count: home, result: stateText(state) })}
                    </span>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The form that changes the player's own name. @param {{name: string, onDone: () => void}} props */
export function RenameForm({ name, onDone }) {
  const { session, prefs, seats } = useSite()
  const [draft, setDraft] = useState(name)
  const rename = useAction(async (/** @type {string} */ to) => {
    await session.ask('rename', to, prefs.face.value)
    prefs.name.value = to
    const code = session.view.value?.code
    if (code) seats.take(code, to)
  })
  return (
    <form class="rename" onSubmit={instead(async () => (await rename.go(draft.trim())) && onDone())}>
      <NameField ref={focus} value={draft} onInput={setDraft} error={rename.error?.message} required />
      <Button type="submit" kind="small main" disabled={rename.busy} text={t('front.save')} />
      <Button kind="small" onClick={onDone} text={t('front.cancel')} />
    </form>
  )
}
