import { useState } from 'preact/hooks'
import { memory } from '../browser/memory.js'
import { clockText } from '../model/format.js'
import { cardsText } from '../model/race/result-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { Form, option, Select } from '../parts/controls/form-fields.jsx'
import { useLoaded, useSite } from '../parts/hooks.js'
import { Panel } from '../parts/page/panel.jsx'
import { ChallengeFriends } from '../parts/results/challenge-friends.jsx'
import { t } from '../words/translate.js'

/** @import { RaceRecord, Racer } from '../record/race-record.js' */

/**
 * Practice on the same deal, with or without ghosts.
 * @param {{record: RaceRecord, known: boolean}} props known: whether the results may be shown
 */
export function Again({ record, known }) {
  const { route } = useSite()
  const { code, race } = record
  const ghosts = record.racers.filter((racer) => racer.moves > 0)
  const [picked, setPicked] = useState(/** @type {number | 'all' | null} */ (null))
  const who = picked ?? (ghosts.length > 1 ? 'all' : (ghosts[0]?.seat ?? 0))

  const own = useLoaded(() => memory.read().then(({ plays }) => plays.find(({ id }) => id === `${code}/${race}`)), [code, race])
  const mayChallenge = own?.kind === 'race' || own?.kind === 'bot'

  /** @param {Racer} racer */
  function ghostText({ name, state, when, home }) {
    if (!known) return name
    const result = state === 'solved' ? clockText(when - record.starts_at) : cardsText(home)
    return t('watch.again.withResult', { name, result })
  }
  return (
    <Panel title={t('watch.again.title')} class="again" part="again">
      <Form onSubmit={() => route.toPracticeOf(code, race, who)}>
        <Select
          label={t('watch.again.ghost')}
          value={who}
          options={[
            ...(ghosts.length > 1 ? [option('all', t('watch.again.all'))] : []),
            ...ghosts.map((racer) => option(racer.seat, ghostText(racer))),
            [0, t('watch.again.noGhost')],
          ]}
          onPick={setPicked}
          hint={who ? t('watch.again.ghostHint') : ''}
        />
        <div class="row">
          <Button type="submit" kind="main" icon="ghost" text={t('watch.again.title')} />
          {mayChallenge && <ChallengeFriends code={code} race={race} />}
        </div>
      </Form>
    </Panel>
  )
}
