/** The player's preferences, kept in this browser. */
import { effect, signal } from '@preact/signals'
import { COLOURS, PICTURES } from '../protocol/constants.js'

/** @import { Signal } from '@preact/signals' */
/** @import { Store } from './storage.js' */
/** @typedef {'auto' | 'light' | 'dark'} Theme */
/** @typedef {ReturnType<typeof createPrefs>} Prefs */
/** @typedef {ReturnType<typeof createMutes>} Mutes */

/** A face for a person: any picture except the one of bots. */
export const randomFace = (random = Math.random) =>
  Math.floor(random() * COLOURS) * PICTURES + 1 + Math.floor(random() * (PICTURES - 1))

/** @param {Store} store @param {string} [game] for the first visit */
export function createPrefs({ recall, remember }, game = 'lucas') {
  /** @param {string} key @param {string} otherwise */
  function kept(key, otherwise) {
    const preference = signal(recall(key) ?? otherwise)
    effect(() => remember(key, preference.value === otherwise ? null : preference.value))
    return preference
  }

  /** @param {string} key @param {boolean} [otherwise] */
  function keptSwitch(key, otherwise = false) {
    const stored = recall(key)
    const preference = signal(stored === null ? otherwise : stored === 'on')
    effect(() => remember(key, preference.value === otherwise ? null : preference.value ? 'on' : 'off'))
    return preference
  }

  const known = Number(recall('face'))
  const face = signal(Number.isInteger(known) && known > 0 && known < COLOURS * PICTURES ? known : randomFace())
  effect(() => remember('face', String(face.value)))

  return {
    name: kept('name', ''),
    face,
    game: kept('game', game),
    theme: /** @type {Signal<Theme>} */ (kept('theme', 'auto')),
    felt: kept('felt', 'green'),
    back: kept('back', 'blue'),
    speed: kept('speed', 'normal'),
    fourColour: keptSwitch('four-colour'),
    mirror: keptSwitch('mirror'),
    altKeys: keptSwitch('alt-keys'),
    finishByHand: keptSwitch('finish-by-hand'),
    safeHome: keptSwitch('safe-home'),
    sound: keptSwitch('sound', true),
    vibration: keptSwitch('vibration', true),
    coached: keptSwitch('coached'),
    practiceClock: keptSwitch('practice-clock'),
    zen: signal(false),
    chatMuted: keptSwitch('chat-muted'),
    reactionsHidden: keptSwitch('reactions-hidden'),
  }
}

/** The seats with chat hidden in this browser only. The other players do not learn about it. */
export function createMutes() {
  /** By room. @type {Map<string, Signal<ReadonlySet<number>>>} */
  const rooms = new Map()

  /** The muted seats of a room. @param {string} code */
  function of(code) {
    const muted = rooms.get(code) ?? signal(/** @type {ReadonlySet<number>} */ (new Set()))
    rooms.set(code, muted)
    return muted
  }

  return {
    of,
    /** @param {string} code @param {number} seat */
    toggle(code, seat) {
      const muted = new Set(of(code).value)
      if (!muted.delete(seat)) muted.add(seat)
      of(code).value = muted
    },
  }
}
