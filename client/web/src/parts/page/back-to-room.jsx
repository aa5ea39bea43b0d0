import { listText } from '../../model/format.js'
import { rematchers } from '../../model/race/room-view.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { useSite } from '../hooks.js'
import './page-frame.css'

const NAMED = 3 // the number of names that are shown

/** @param {string[]} names */
const namesText = (names) =>
  listText([...names.slice(0, NAMED), ...(names.length > NAMED ? [t('race.others', { count: names.length - NAMED })] : [])])

/** Names the players for a rematch. @param {{names: string[]}} props */
export const RematchWords = ({ names }) => (
  <p class="rematch-words" role="status">
    {names.length > 0 && t('race.rematch', { count: names.length, names: namesText(names) })}
  </p>
)

/** On pages outside the room: the way back for a player with a seat, and the names for a rematch. */
export function BackToRoom() {
  const { session, route, seats } = useSite()
  const view = session.view.value
  const seat = session.seat.value
  // After a reload the page is in no room, but the browser remembers the seat.
  const code = view ? seat > 0 && view.code : seats.latest(route.code.value ?? '')?.code
  if (!code) return null
  return (
    <>
      <RematchWords names={!view || view.tournament ? [] : rematchers(view, seat)} />
      <Button kind="quiet" icon="back" label={t('race.room.backToIt')} onClick={() => route.toRoom(code)}>
        <span class="back-words">{t('race.room.backToIt')}</span>
      </Button>
    </>
  )
}
