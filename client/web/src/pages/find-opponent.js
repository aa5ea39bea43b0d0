/** Enters the rooms of people who look for an opponent, for `room-visit.js`, and only when somebody does. */
import { roomsFor, settingsFor } from '../model/race/seek.js'
import { nameOrRandom } from '../parts/controls/random-name.js'

/** @import { Refusal } from '../net/refusal.js' */
/** @import { Site } from '../parts/hooks.js' */
/** @import { Settings } from '../protocol/protocol.d.ts' */

/** Look for an opponent, also without a name. @param {Site} site */
export async function findOpponent(site) {
  const { prefs, session } = site
  const [list, name] = await Promise.all([
    fetch('/api/rooms').then((answer) => (answer.ok ? answer.json() : { rooms: [] })),
    nameOrRandom(prefs),
  ])
  await seekIn(site, name, settingsFor(prefs.game.peek()), roomsFor(list.rooms, session.clock.now(), prefs.game.peek()))
}

/**
 * Take a seat in the first of these rooms that has one, or create a room for others to find. Gives up the seat in a room of
 * before.
 * @param {Pick<Site, 'session' | 'seats' | 'route' | 'visit'>} site
 * @param {string} name @param {Partial<Settings>} settings of that room @param {string[]} codes
 */
export async function seekIn({ session, seats, route, visit }, name, settings, codes) {
  visit.sought.value ||= session.clock.now()
  const left = session.view.peek()?.code
  if (left) {
    await session.leave()
    seats.leave(left)
  }
  try {
    for (const code of codes) {
      if (!(await session.enter(code, name).then(() => true, passOn))) continue
      seats.take(code, session.view.peek()?.people[session.seat.peek()]?.name ?? name)
      return route.toRoom(code)
    }
    await visit.create(name, settings)
  } catch (refusal) {
    visit.sought.value = 0
    throw refusal
  }
}

/** This room has no seat, unless the player went elsewhere. @param {Refusal} refusal */
function passOn(refusal) {
  if (refusal.code === 'overtaken') throw refusal
  return false
}
