/**
 * In which room one is follows the address: the one place that comes into rooms and goes out of them again. Pages say what a
 * person wants, and show what came of it.
 */
import { batch, computed, effect, signal, untracked } from '@preact/signals'
import { ticketOf } from '../model/link-fragments.js'
import { isDrawn, racerAt } from '../model/race/room-view.js'
import { t } from '../words/translate.js'

/**
 * @import { Plan, Settings, View } from '../protocol/protocol.d.ts'
 * @import { Session, Told } from '../net/session.js'
 * @import { Prefs } from './preferences.js'
 * @import { Place, Route } from './route.js'
 * @import { Seats } from './seats.js'
 * @import { Signal } from '@preact/signals'
 */

/**
 * @typedef {ReturnType<typeof createVisit>} Visit
 * @typedef {(LeftBehind & {go: () => void}) | null} Leaving
 */

/** After these there is no seat to come back to. */
const LOST = new Set(['unknown-room', 'kicked'])

/**
 * @param {object} wiring
 * @param {Session} wiring.session
 * @param {Route} wiring.route
 * @param {Seats} wiring.seats
 * @param {Pick<Prefs, 'name'>} wiring.prefs
 * @param {Promise<unknown>} wiring.spoken when there are words
 */
export function createVisit({ session, route, seats, prefs, spoken }) {
  /** Whether one is on the way back to one's seat. */
  const returning = signal(false)
  /** Why one is not in the room, or no longer. @type {Signal<Told | null>} */
  const why = signal(null)
  /** The team that was asked for at the door, if it did not take one. @type {Signal<{team: string, told: Told} | null>} */
  const noTeam = signal(null)

  /** What one would leave behind by going on, while one is asked. @type {Signal<Leaving>} */
  const leaving = signal(/** @type {Leaving} */ (null))

  /**
   * `CODE/seat`, `CODE/watch`, `CODE/projector`, `CODE/overlay`; a replay needs no room, and leaves one where one is.
   *
   * @param {Place} place
   */
  function roomOf({ code, watching, replay, page }) {
    if (!code) return 'front'
    if (replay) return ''
    return `${code}/${page === 'p' ? 'projector' : page === 'o' ? 'overlay' : watching ? 'watch' : 'seat'}`
  }
  const wanted = computed(() => roomOf(route.place.value))

  /** Do what leads out of the room. Who leaves something behind there is asked first. @param {() => void} go */
  function goElsewhere(go) {
    const left = leftBehind(session.view.peek(), session.seat.peek())
    if (left) leaving.value = { ...left, go }
    else go()
  }

  route.askFirst((place, go) => {
    const view = session.view.peek()
    const where = roomOf(place)
    // An arena and its races are rooms of their own, and one is sent from one to the other.
    const isSame = view?.arena || view?.tournament?.plan.format === 'arena' ? where !== 'front' : where === `${view?.code}/seat`
    if (!where || isSame) go()
    else goElsewhere(go)
  })

  /** The last of these that one came in by. */
  let last = ''

  /** @param {string} where */
  function follow(where) {
    if (!where) return
    const [code, as] = where.split('/')
    const isIn = session.view.value?.code === code && (as === 'seat' ? session.seat.value > 0 : last === where)
    if (isIn) return
    last = where
    batch(() => {
      returning.value = false
      why.value = null
      noTeam.value = null
      session.stepOut()
    })
    if (where === 'front') return
    if (as === 'seat') comeBack(code)
    else watch('')
  }

  /** To the seat that this browser has in a room, if it has one. @param {string} code */
  async function comeBack(code) {
    const seat = seats.at(code)
    if (!seat) return
    const ticket = ticketOf(route.hash.value)
    returning.value = true
    try {
      await session.enter(code, seat.name, '', ticket)
      returning.value = false
      if (ticket) route.dropFragment()
    } catch (refusal) {
      refused(/** @type {Told} */ (refusal))
      if (LOST.has(/** @type {Told} */ (refusal).code)) seats.leave(code)
    }
  }

  /** @param {Told} refusal */
  function refused(refusal) {
    if (refusal.code === 'overtaken') return // one is elsewhere by now
    batch(() => {
      returning.value = false
      why.value = refusal
    })
  }

  /** Somebody who never gave a name watches as this, and so does a screen, whoever's it is. */
  async function nameless() {
    await spoken
    return t('front.spectator')
  }

  /** @param {string} password where a tournament asks for one */
  async function watch(password) {
    const where = wanted.peek()
    const [code, as] = where.split('/')
    why.value = null
    const name = (as === 'watch' && prefs.name.peek().trim()) || (await nameless())
    if (where === wanted.peek()) await session.watch(code, name, password).catch(refused)
  }

  /** @param {Told} gone */
  function sentAway(gone) {
    refused(gone)
    const [code, as] = wanted.value.split('/')
    if (as === 'seat') seats.leave(code)
  }

  /** How one is called in the room that one is in. */
  const ownName = () => session.view.value?.people[session.seat.value]?.name

  effect(() => {
    const where = wanted.value
    untracked(() => follow(where))
  })
  // The name may be given, or changed, while one watches.
  effect(() => {
    const name = prefs.name.value.trim()
    if (name && route.place.value.watching) untracked(() => session.watchAs(name))
  })
  effect(() => {
    if (!session.view.value) leaving.value = null
  })
  effect(() => {
    const gone = session.gone.value
    if (gone) untracked(() => sentAway(gone))
  })

  return {
    returning,
    why,
    noTeam,
    leaving,
    goElsewhere,
    watch,

    /**
     * Take a seat in the room of this address.
     *
     * @param {string} name @param {string} password where a tournament asks for one
     * @param {string} [team] if it is full by now, the page of the tournament says so and asks again
     */
    async enter(name, password, team = '') {
      const code = route.code.peek() ?? ''
      const ticket = ticketOf(route.hash.peek())
      why.value = null
      await session.enter(code, name, password, ticket)
      seats.take(code, ownName() ?? name)
      if (ticket) route.dropFragment()
      if (!team) return
      await session.team(session.seat.peek(), team).catch((told) => {
        noTeam.value = { team, told }
      })
    },

    /**
     * Open a room, and go there.
     *
     * @param {string} name
     * @param {Partial<Settings>} settings
     * @param {{plan?: Partial<Plan>, password?: string, fragment?: string}} [more] plan and
     *   password of a tournament; what stands behind the `#` of the address
     */
    async create(name, settings, { plan, password, fragment } = {}) {
      session.stepOut()
      const code = await session.create(name, settings, plan, password)
      seats.take(code, ownName() ?? name)
      route.toRoom(code, fragment)
    },

    /** Give the seat up, and go to the front page. */
    async leave() {
      const code = session.view.value?.code ?? ''
      await session.leave()
      seats.leave(code)
      route.toFront()
    },
  }
}

// In a tournament nobody waits for anybody to be ready: each browser of those who are drawn or called says so by itself, with its own number for the deal, whatever page of the site it shows.

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

/**
 * What somebody leaves behind who goes elsewhere: a race of their own that is on, and others who are in the room.
 *
 * @typedef {{code: string, races: boolean, others: number}} LeftBehind
 */

/**
 * Null: nobody would miss them, and nothing would be lost.
 *
 * @param {View | null} view @param {number} seat 0: a watcher
 * @returns {LeftBehind | null}
 */
export function leftBehind(view, seat) {
  if (!view || !seat || view.tournament?.phase === 'over') return null
  const { code, people, race } = view
  const races = race.starts_at != null && race.over_at == null && racerAt(view, seat)?.state === 'racing'
  const others = Object.entries(people).filter(([who, { bot, here }]) => here && !bot && Number(who) !== seat).length
  return races || others > 0 ? { code, races, others } : null
}
