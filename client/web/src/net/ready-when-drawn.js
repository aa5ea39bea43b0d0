/**
 * In a tournament nobody waits for anybody to be ready: each browser of those who are drawn or called says so by itself, with its
 * own number for the deal, whatever page of the site it shows.
 */
import { effect } from '@preact/signals'
import { isDrawn } from '../model/room-view.js'

/** @import { Session } from './session.js' */

/** @param {Session} session */
export function readyWhenDrawn(session) {
  let said = ''
  return effect(() => {
    const room = session.room.value
    if (!room || session.line.value.is !== 'open') return
    const { view, seat } = room
    const race = `${view.code}/${view.race.number}`
    const isNext = view.arena ? view.race.starts_at == null : view.tournament?.phase === 'drawn' && isDrawn(view, seat)
    if (!isNext || view.people[seat]?.ready || said === race) return
    said = race
    session.ready().catch(() => {}) // then the deal is made without our number
  })
}
