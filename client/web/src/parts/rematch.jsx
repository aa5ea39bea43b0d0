import { rematchers } from '../model/room-view.js'
import { useSite } from './hooks.js'
import { Icon } from './icon.jsx'
import './rematch.css'

/** So many are named. */
const NAMED = 3

/** Who wants a rematch. @param {{names: string[]}} props */
export const RematchWords = ({ names }) => (
  <p class="rematch-words" role="status">
    {names.length > 0 && (
      <>
        <bdi>{names.slice(0, NAMED).join(', ')}</bdi> {names.length === 1 ? 'wants' : 'want'} a rematch.
      </>
    )}
  </p>
)

/** For somebody who has a seat and looks at something else: the way back, and who waits there. */
export function BackToRoom() {
  const { session, route } = useSite()
  const view = session.view.value
  const seat = session.seat.value
  if (!view || seat <= 0) return null
  return (
    <>
      <RematchWords names={view.tournament ? [] : rematchers(view, seat)} />
      <button type="button" class="button button-quiet" aria-label="Back to the room" onClick={() => route.toRoom(view.code)}>
        <Icon name="back" /> <span class="back-words">Back to the room</span>
      </button>
    </>
  )
}
