import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Wrong } from '../controls/form-fields.jsx'
import { useAction, useSite } from '../hooks.js'

const OPEN_FOR = 7 // days

/**
 * Opens a challenge on the deal of a race, with the player's result as its goal.
 * @param {{code: string, race: number, kind?: string | false, circle?: string}} props circle: its room, if it counts there
 */
export function ChallengeFriends({ code, race, kind, circle = '' }) {
  const { session, route } = useSite()
  const open = useAction(async () => {
    await session.ask('challenge', code, race, OPEN_FOR, circle)
    route.toChallenge(session.challenged.peek()) // it came before the answer
  })
  return (
    <>
      <Button kind={kind || 'large'} icon="people" {...open.button()} text={t('more.end.challenge')} />
      {open.error && <Wrong>{open.error.message}</Wrong>}
    </>
  )
}
