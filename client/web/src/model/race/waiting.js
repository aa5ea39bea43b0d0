/** The text about the players that a lobby waits for. */
import { say, t } from '../../words/translate.js'
import { listed } from '../format.js'
import { peopleOf } from './room-view.js'

/** @import { List } from '../../words/translate.js' */
/** @import { View } from '../../protocol/protocol.d.ts' */

/** @param {View} view @param {number} seat of the player */
export function waitingFor(view, seat) {
  const people = peopleOf(view)
  const here = people.filter(([, person]) => person.here || person.bot)
  const unready = here.filter(([, person]) => !person.ready)
  const others = unready.filter(([who]) => who !== seat).map(([, person]) => person)
  const mine = unready.some(([who]) => who === seat)
  if (unready.length === 0) {
    const host = view.people[view.host ?? 0]
    if (host && !host.here && !host.bot && view.host !== seat) {
      return say('race.waiting.hostAway', { host: { name: host.name } })
    }
    if (here.length === 1 && people.length > 1) return say('race.waiting.othersAway')
    if (view.settings.auto_start) return say('race.waiting.nobody')
    if (view.host === seat || !host) return say('race.waiting.you')
    return say('race.waiting.host', { host: { name: host.name } })
  }
  /** @type {List} */
  const named = others.slice(0, others.length > 3 ? 2 : 3).map(({ name }) => ({ name }))
  const rest = others.length - named.length
  const whom = [...(mine ? [t('front.you')] : []), ...named, ...(rest ? [t('race.others', { count: rest })] : [])]
  return say('race.waiting.unready', { names: listed(whom) })
}
