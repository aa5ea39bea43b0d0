import { roomsFor, settingsFor } from '../model/race/seek.js'
import { randomName } from '../parts/controls/random-name.js'

/** @import { Site } from '../parts/hooks.js' */

/** Look for an opponent, also without a name. @param {Site} site */
export async function findOpponent({ prefs, visit, session }) {
  const [list, name] = await Promise.all([
    fetch('/api/rooms').then((answer) => (answer.ok ? answer.json() : { rooms: [] })),
    prefs.name.peek().trim() || randomName(),
  ])
  await visit.seek(name, settingsFor(prefs.game.peek()), roomsFor(list.rooms, session.clock.now()))
}
