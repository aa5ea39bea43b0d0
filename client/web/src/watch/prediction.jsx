import { useState } from 'preact/hooks'
import { tab } from '../browser/storage.js'
import { mayPredict } from '../model/watch/prediction.js'
import { Button } from '../parts/controls/button.jsx'
import { Name } from '../parts/controls/face.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { useCommand, useLater, useNow } from '../parts/hooks.js'
import { Rich } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import './prediction.css'

/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */
/** @import { ReadonlySignal } from '@preact/signals' */

const THANKS_FOR = 4000 // how long the own prediction is shown, in ms
const KEPT = 'prediction' // in this tab: the race and the seat

/** Whom this spectator has named in a race, 0: nobody. @param {View} view */
export function predictedIn({ code, race }) {
  const [of, seat] = (tab.recall(KEPT) ?? '').split(' ')
  return of === `${code}/${race.number}` ? Number(seat) : 0
}

/** Asks a spectator early in a race who will win. @param {{view: View, lanes: ReadonlySignal<Lane[]>}} props */
export function Prediction({ view, lanes }) {
  const [isShown, setShown] = useState(predictedIn(view) === 0)
  const [said, setSaid] = useState(0)
  const predict = useCommand('predict')
  const isOpen = useNow(500, (now) => mayPredict(view, lanes.peek(), now))
  useLater(() => said && setShown(false), THANKS_FOR, [said])
  if (!isShown || !(isOpen || said)) return null
  const racers = Object.entries(view.race.racers)
  const name = (/** @type {number} */ seat) => <Name seat={seat} name={view.race.racers[seat]?.name ?? ''} />
  /** @param {number} seat */
  const say = async (seat) => {
    if (!(await predict.go(seat))) return
    tab.remember(KEPT, `${view.code}/${view.race.number} ${seat}`)
    setSaid(seat)
  }
  return (
    <section class="prediction on-felt" data-part="predict" aria-label={t('more.predict.who')}>
      <p role="status">{said ? <Rich id="more.predict.said" with={{ name: name(said) }} /> : t('more.predict.who')}</p>
      {!said &&
        racers.map(([seat]) => (
          <Button key={seat} kind="felt small" disabled={predict.busy} onClick={() => say(Number(seat))}>
            {name(Number(seat))}
          </Button>
        ))}
      <Button kind="quiet icon" icon="close" label={t('front.close')} onClick={() => setShown(false)} />
      {predict.error && <Wrong>{predict.error.message}</Wrong>}
    </section>
  )
}
