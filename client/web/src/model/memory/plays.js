/** The plays of a memory, from the view of a race or a deal of practice. */
import { isOfDay, isTry, racerAt } from '../race/room-view.js'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Kind, Play } from './memory.js' */

/** @param {View} view @param {number} seat @returns {Kind} */
function kindOf(view, seat) {
  if (isTry(view)) return isOfDay(view) ? 'day' : 'challenge'
  if (view.tournament || view.arena) return 'tournament'
  const others = Object.keys(view.race.racers).filter((one) => Number(one) !== seat)
  return others.length > 0 && others.every((one) => view.people[one]?.bot) ? 'bot' : 'race'
}

/**
 * A race that the player has made a move in; null: the player does not race.
 * @param {View} view @param {number} seat @param {number} home cards of the player now @returns {Omit<Play, 'device'> | null}
 */
export function playOfRace(view, seat, home) {
  const { code, race, arena = '' } = view
  const own = racerAt(view, seat)
  if (!own || race.starts_at == null) return null
  const others = Object.entries(race.racers).filter(([one]) => Number(one) !== seat)
  const { state, finished_at: end } = own
  // The server gives places when the race is over. Until then, the winners so far have theirs.
  const ahead = others.filter(([, other]) => other.state === 'solved' && (other.finished_at ?? 0) < (end ?? 0))
  return {
    ...{
      id: `${code}/${race.number}`,
      kind: kindOf(view, seat),
      game: race.game,
      at: race.starts_at,
      of: isTry(view) ? arena : '',
    },
    ...{ stage: race.over_at != null ? 2 : state === 'racing' || state === 'done' ? 0 : 1, state, home: own.home ?? home },
    ...{ ms: state === 'solved' && end != null ? end - race.starts_at : null, racers: others.length + 1 },
    place: own.place ?? (state === 'solved' ? ahead.length + 1 : null),
  }
}

/**
 * A deal of practice. It is over when it is won, or when the player has seen how.
 * @param {{game: string, name: string}} deal @param {number} at its start
 * @param {{state: 'racing' | 'solved' | 'gave_up', ms?: number, home: number}} end
 * @returns {Omit<Play, 'device'>}
 */
export const playOfPractice = ({ game, name }, at, { state, ms = 0, home }) => ({
  ...{
    id: `practice/${name}`,
    kind: 'practice',
    game,
    at: Math.round(at),
    of: '',
    stage: state === 'racing' ? 0 : 2,
    state,
    home,
  },
  ...{ ms: state === 'solved' ? Math.round(ms) : null, place: null, racers: 1 },
})

/** The page of a play. @param {Play} play */
export function pageOf({ id, kind, of }) {
  if (kind !== 'practice') return of ? `/r/${of}/c` : `/r/${id}`
  const [, name = ''] = /^practice\/(.*)/.exec(id) ?? []
  return name.includes(':') ? `/practice#${name.replace(':', '=')}` : `/r/${name}`
}
