import { useState } from 'preact/hooks'
import { clockText } from '../model/format.js'
import { ghostFragment } from '../model/link-fragments.js'
import { cardsText } from '../model/race/result-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { Form, NameField, option, Select, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Panel } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'

/** @import { RaceRecord, Racer } from '../record/race-record.js' */

/**
 * Practice on the same deal, alone or with friends, with or without a ghost.
 * @param {{record: RaceRecord, chosen: number, known: boolean}} props
 *   `chosen`: the default ghost; `known`: whether the results may be shown
 */
export function Again({ record, chosen, known }) {
  const { visit, prefs } = useSite()
  const { code, race, game } = record
  const ghosts = record.racers.filter((racer) => racer.moves > 0)
  const [picked, setPicked] = useState(/** @type {number | null} */ (null))
  const seat = picked ?? (ghosts.some((racer) => racer.seat === chosen) ? chosen : (ghosts[0]?.seat ?? 0))
  const name = prefs.name.value

  const play = useAction(async () => {
    const { time_limit, undo } = record.settings
    const fragment = seat ? ghostFragment({ code, race, seat }) : ''
    await visit.create(name.trim(), { game, deal: `${code}/${race}`, time_limit, undo, hints: true }, { fragment })
  })

  /** @param {Racer} racer */
  function ghostText({ name, state, when, home }) {
    if (!known) return name
    const result = state === 'solved' ? clockText(when - record.starts_at) : cardsText(home)
    return t('watch.again.withResult', { name, result })
  }
  const badName = play.error?.code === 'bad-name' ? play.error.message : null
  return (
    <Panel title={t('watch.again.title')} class="again" part="again">
      <p class="hint">{t('watch.again.what')}</p>
      <Form onSubmit={() => visit.goElsewhere(() => void play.go())}>
        <NameField value={name} onInput={(/** @type {string} */ to) => (prefs.name.value = to)} required error={badName} />
        <Select
          label={t('watch.again.ghost')}
          value={seat}
          options={[...ghosts.map((racer) => option(racer.seat, ghostText(racer))), [0, t('watch.again.noGhost')]]}
          onPick={setPicked}
          hint={seat ? t('watch.again.ghostHint') : ''}
        />
        {play.error && !badName && <Wrong>{play.error.message}</Wrong>}
        <div class="row">
          <Button
            type="submit"
            kind="main"
            icon="ghost"
            text={t(play.busy ? 'watch.again.opening' : 'watch.again.title')}
            disabled={play.busy}
          />
        </div>
      </Form>
    </Panel>
  )
}
