/** Keeps the memory in IndexedDB. Without that (private windows, a full disk), it lasts until the page is closed. */
import { effect } from '@preact/signals'
import { daysInARow, emptyMemory, NOTHING, Unusable, VERSION, withPlay } from '../model/memory/memory.js'
import { playOfRace } from '../model/memory/plays.js'
import { recall, recallList, remember } from './storage.js'

/** @import { Memory, Play, Totals } from '../model/memory/memory.js' */
/** @import { Session } from '../net/session.js' */
/** @import { Store } from './storage.js' */

const NAME = 'forty-thieves'
const STORE = 'memory'
const KEY = 'all'
/** The key of earlier releases in the local storage: wins in practice. */
const PRACTICE = 'practice'

const newDevice = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => String.fromCharCode(97 + (byte % 26))).join('')

/** @param {Store} store @param {() => IDBFactory} factory a function: a browser may block any access to it */
export function createMemory(store, factory) {
  let isKept = true
  /** The last one read or, if the browser keeps nothing, that of this page. @type {Memory | null} */
  let own = null
  /** @type {Promise<IDBDatabase> | null} */
  let opened = null
  const database = () =>
    (opened ??= new Promise((resolve, reject) => {
      const request = factory().open(NAME, VERSION)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE)
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        // A newer release in another tab waits for this.
        request.result.onversionchange = () => request.result.close()
        resolve(request.result)
      }
    }))

  function fresh() {
    /** @type {Totals} */
    const totals = {}
    for (const { game, streak, best } of recallList(store, PRACTICE)) {
      totals[`practice/${game}`] = {
        ...NOTHING,
        games: streak,
        wins: streak,
        best: best && Math.round(best),
        streak,
        longest: streak,
      }
    }
    return emptyMemory(newDevice(), totals)
  }

  /**
   * Read, change and write in one transaction, so that two tabs lose nothing.
   * @param {(memory: Memory) => Memory | null} how null: forget everything @returns {Promise<Memory>}
   */
  async function change(how) {
    /** @type {unknown} */
    let fault = null
    try {
      const transaction = (await database()).transaction(STORE, 'readwrite')
      const kept = transaction.objectStore(STORE)
      const changed = await new Promise((resolve, reject) => {
        /** @type {Memory | null} */
        let after = null
        const request = kept.get(KEY)
        request.onsuccess = () => {
          try {
            after = how(request.result ?? fresh())
            if (after) kept.put(after, KEY)
            else kept.clear()
          } catch (error) {
            fault = error
            transaction.abort()
          }
        }
        transaction.oncomplete = () => resolve(after)
        transaction.onabort = () => reject(fault ?? transaction.error)
      })
      store.remember(PRACTICE, null)
      own = changed ?? fresh()
    } catch (error) {
      if (error instanceof Unusable) throw error
      isKept = false
      own = how(own ?? fresh()) ?? fresh()
    }
    return /** @type {Memory} */ (own)
  }

  return {
    change,
    read: () => change((memory) => memory),
    forget: () => change(() => null),
    /** @param {Omit<Play, 'device'>} play */
    keep: (play) => change((memory) => withPlay(memory, play)),
    /** How many days in a row have had a deal of the day. */
    daysInARow: async () => daysInARow(await change((memory) => memory), Date.now()),
    /** Whether the browser kept all that it was given. */
    isKept: () => isKept,
  }
}

export const memory = createMemory({ recall, remember }, () => indexedDB)

/**
 * Keeps each race of the player from its first move on.
 * @param {Pick<Session, 'room' | 'shown'>} session @param {{keep(play: Omit<Play, 'device'>): Promise<unknown>}} [to]
 */
export function keepRaces({ room, shown }, to = memory) {
  let last = ''
  return effect(() => {
    const { view, seat } = room.value ?? {}
    const own = shown.value
    if (!view || !seat || own?.race !== view.race.number || !own.moves) return
    const play = playOfRace(view, seat, own.board.home)
    const now = play ? `${play.id} ${play.stage}` : last
    if (!play || now === last) return
    last = now
    to.keep(play)
  })
}
