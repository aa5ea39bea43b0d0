/** The end of a race of a tournament for one of its racers: the result, the standing, what is next, and the board. */
import { momentOf } from '../model/tournament/moment.js'
import { comparedWith, finalPlace, needed } from '../model/tournament/need.js'
import { roundName, roundText } from '../model/tournament/words.js'
import { Table } from '../parts/board/card-table.jsx'
import { Button } from '../parts/controls/button.jsx'
import { focus } from '../parts/controls/confirm-button.jsx'
import { useOfRace, useSite } from '../parts/hooks.js'
import { Head } from '../parts/page/page-head.jsx'
import { Cascade, PlaceBadge } from '../parts/race/celebration.jsx'
import { Said } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import '../pages/end.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */

/**
 * Stays until the racer goes on, or the next race begins.
 * @param {{ended: View, view: View, seat: number, onDone: () => void}} props ended: the room right after the race
 */
export function RoundEnd({ ended, view, seat, onDone }) {
  const { route } = useSite()
  const { number } = ended.race
  const tournament = /** @type {Tournament} */ (view.tournament)
  const round = ended.tournament?.round ?? 0
  const shown = useOfRace('shown', number)
  const { saying, medal } = momentOf(tournament, round, seat)
  const need = [...finalPlace(tournament, seat), ...needed(view, seat)]
  return (
    <div class="page" data-page="round-end">
      <Head />
      <Cascade view={ended} seat={seat} />
      <main class="end round-end">
        <section class="card end-top on-felt">
          <p class="label">
            <bdi>{tournament.plan.name || t('tournament.name')}</bdi> · {roundText(roundName(tournament, round))}
          </p>
          {medal && <PlaceBadge place={medal} />}
          <h1>
            <Said saying={saying} />
          </h1>
          {need.map((saying) => (
            <p key={saying.id} class="margin-words">
              <Said saying={saying} />
            </p>
          ))}
          {tournament.phase !== 'over' && (
            <p class="margin-words" role="status">
              <Said saying={comparedWith(view, seat)} />
            </p>
          )}
          <div class="row">
            <Button
              kind="large"
              icon="play"
              onClick={() => route.toReplay(view.code, number, { endKnown: true })}
              text={t('race.room.replay')}
            />
            <Button kind="main large" ref={focus} onClick={onDone} text={t('tournament.moment.goOn')} />
          </div>
        </section>
        <div class="end-board">
          <Table shown={shown} game={ended.settings.game} interactive={false} undo="none" />
        </div>
      </main>
    </div>
  )
}
