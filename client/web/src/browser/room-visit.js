/** Enters and leaves rooms according to the URL. Only this file does so: pages pass on the player's wish and show the result. */
import { batch, computed, effect, signal, untracked } from '@preact/signals'
import { ticketOf } from '../model/link-fragments.js'
import { isDrawn, racerAt } from '../model/race/room-view.js'
import { t } from '../words/translate.js'

/** @import { Plan, Settings, View } from '../protocol/protocol.d.ts' */
/** @import { Refusal } from '../net/refusal.js' */
/** @import { Session } from '../net/session.js' */
/** @import { Prefs } from './preferences.js' */
/** @import { Place, Route } from './route.js' */
/** @import { Seats } from './seats.js' */
/** @import { Signal } from '@preact/signals' */
/** @typedef {ReturnType<typeof createVisit>} Visit */
/** @typedef {(LeftBehind & {go: () => void}) | null} Leaving */

/** The other pages of spectators. @type {Readonly<Record<string, string>>} */
const PAGES = { p: 'projector', o: 'overlay', c: 'challenge' }

/** After these refusals there is no seat to return to. */
const LOST = new Set(['unknown-room', 'kicked'])

const BOT_COMES = 3000 // a page waits no longer for a race with a bot, in ms

/**
 * `spoken` resolves when the texts are loaded.
 * @param {{session: Session, route: Route, seats: Seats, prefs: Pick<Prefs, 'name'>, spoken: Promise<unknown>}} wiring
 */
export function createVisit({ session, route, seats, prefs, spoken }) {
  /** Whether the player is returning to a seat. */
  const returning = signal(false)
  /** Why the player is not in the room. @type {Signal<Refusal | null>} */
  const why = signal(null)
  /** The last password of a spectator. */
  const said = signal('')
  /** The chosen team, if it refused the entrant. @type {Signal<{team: string, refusal: Refusal} | null>} */
  const noTeam = signal(null)

  /** While the page asks for confirmation: what the player would leave behind. @type {Signal<Leaving>} */
  const leaving = signal(/** @type {Leaving} */ (null))

  /** Since when the player looks for an opponent (`find-opponent.js`), by the server's clock; 0: not. */
  const sought = signal(0)

  /** `CODE/seat`, or `CODE/` and one of `PAGES` or `watch`; ``: a replay, which needs no room. @param {Place} place */
  function roomOf({ code, watching, replay, page }) {
    if (!code) return 'front'
    if (replay) return ''
    return `${code}/${PAGES[page ?? ''] ?? (watching ? 'watch' : 'seat')}`
  }
  const wanted = computed(() => roomOf(route.place.value))

  /** Leave the room by `go`. If the player leaves something behind, the page asks first. @param {() => void} go */
  function goElsewhere(go) {
    const left = leftBehind(session.view.peek(), session.seat.peek())
    if (left) leaving.value = { ...left, go }
    else go()
  }

  route.askFirst((place, go) => {
    const view = session.view.peek()
    const where = roomOf(place)
    // An arena and its races are separate rooms, as are a challenge and its tries. The page moves the player between them.
    const isPart = view?.arena || view?.tournament?.plan.format === 'arena'
    if (place.page === 'c' && view?.race.over_at != null) return go() // the seat is kept, and the page has a way back
    const isSame = isPart ? where !== 'front' : where === `${view?.code}/seat`
    if (!where || isSame) go()
    else goElsewhere(go)
  })

  /** The last room that `follow` entered. */
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
      sought.value = 0
      session.stepOut()
    })
    if (where === 'front') return
    if (as === 'seat') comeBack(code)
    else watch('')
  }

  /** Return to this browser's seat in a room, if it has one. @param {string} code */
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
      refused(/** @type {Refusal} */ (refusal))
      if (LOST.has(/** @type {Refusal} */ (refusal).code)) seats.leave(code)
    }
  }

  /** @param {Refusal} refusal */
  function refused(refusal) {
    if (refusal.code === 'overtaken') return // the player is already elsewhere
    batch(() => {
      returning.value = false
      sought.value = 0
      why.value = refusal
    })
  }

  /** The name for spectators without a name, and for projectors and overlays. */
  async function nameless() {
    await spoken
    return t('front.spectator')
  }

  /** @param {string} password of a tournament */
  async function watch(password) {
    const where = wanted.peek()
    const [code, as] = where.split('/')
    why.value = null
    said.value = password
    const name = ((as === 'watch' || as === 'challenge') && prefs.name.peek().trim()) || (await nameless())
    if (where === wanted.peek()) await session.watch(code, name, password, as === 'projector').catch(refused)
  }

  /** The player's name in the present room. */
  const ownName = () => session.view.value?.people[session.seat.value]?.name

  effect(() => {
    const where = wanted.value
    untracked(() => follow(where))
  })
  // A spectator may set or change the name while watching.
  effect(() => {
    const name = prefs.name.value.trim()
    if (name && route.place.value.watching) untracked(() => session.watchAs(name))
  })
  effect(() => {
    if (!session.view.value) leaving.value = null
  })
  /** Whether the player would leave a running race behind. */
  const races = computed(() => leftBehind(session.view.value, session.seat.value)?.races ?? false)
  effect(() => route.hold(races.value))
  effect(() => {
    const gone = session.gone.value
    if (!gone) return
    untracked(() => {
      refused(gone)
      const [code, as] = wanted.value.split('/')
      if (as === 'seat') seats.leave(code)
    })
  })

  return {
    ...{ returning, why, said, noTeam, leaving, races, sought, watch },

    /**
     * Take a seat in the room of this URL.
     * @param {string} name @param {string} password of a tournament
     * @param {string} [team] if it refuses the entrant, the tournament page asks for another one
     */
    async enter(name, password, team = '') {
      const code = route.code.peek() ?? ''
      const ticket = ticketOf(route.hash.peek())
      why.value = null
      await session.enter(code, name, password, ticket)
      seats.take(code, ownName() ?? name)
      if (ticket) route.dropFragment()
      if (!team) return
      await session.ask('team', session.seat.peek(), team).catch((refusal) => {
        noTeam.value = { team, refusal }
      })
    },

    /**
     * Create a room and enter it.
     * @param {string} name @param {Partial<Settings>} settings
     * @param {{plan?: Partial<Plan>, password?: string, circle?: string}} [more] of a tournament, or the room of a circle
     * @param {() => Promise<unknown>} [first] before the page of the room
     */
    async create(name, settings, { plan, password, circle } = {}, first) {
      session.stepOut()
      const code = await session.create(name, settings, plan, password, circle)
      seats.take(code, ownName() ?? name)
      await first?.()
      route.toRoom(code)
    },

    /**
     * Create a room and be ready. The race starts when the bot is there; until then this page stays, instead of an empty room.
     * @param {string} name @param {Partial<Settings>} settings @param {number} [level] of the bot, from the easiest on; 0: no bot
     */
    raceBot(name, settings, level = 1) {
      return this.create(name, settings, {}, async () => {
        if (level) await session.ask('bot', level)
        await session.ready()
        if (!level) await session.ask('start')
        let stop = () => {}
        await new Promise((done) => {
          stop = effect(() => void (session.view.value?.race.starts_at && done(0)))
          setTimeout(done, BOT_COMES)
        })
        stop()
      })
    },

    /** Give up the seat and go to the front page. */
    async leave() {
      const code = session.view.value?.code ?? ''
      await session.leave()
      seats.leave(code)
      route.toFront()
    },
  }
}

// In a tournament, entrants do not click "ready". The browser of each drawn entrant sends it with a number for the deal, on any
// page of the site.

/** @param {Session} session */
export function readyWhenDrawn(session) {
  let last = ''
  return effect(() => {
    const room = session.room.value
    if (!room || session.connection.value.is !== 'open') return
    const { view, seat } = room
    const race = `${view.code}/${view.race.number}`
    const isNext = view.arena ? view.race.starts_at == null : view.tournament?.phase === 'drawn' && isDrawn(view, seat)
    if (!isNext || view.people[seat]?.ready || last === race) return
    last = race
    session.ready().catch(() => {}) // the server then deals without this number
  })
}

/**
 * What a player leaves behind: a running race (`races`), and the number of other people in the room.
 * @typedef {{code: string, races: boolean, others: number}} LeftBehind
 */

/** Null: nothing. @param {View | null} view @param {number} seat 0: a spectator @returns {LeftBehind | null} */
export function leftBehind(view, seat) {
  if (!view || !seat || view.tournament?.phase === 'over') return null
  const { code, people, race } = view
  const races = race.starts_at != null && race.over_at == null && racerAt(view, seat)?.state === 'racing'
  const others = Object.entries(people).filter(([who, { bot, here }]) => here && !bot && Number(who) !== seat).length
  return races || others > 0 ? { code, races, others } : null
}
