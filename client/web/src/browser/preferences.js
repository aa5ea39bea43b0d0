/** The player's preferences, kept in this browser. */
import { effect, signal } from '@preact/signals'

/**
 * @import { Signal } from '@preact/signals'
 * @import { Store } from './storage.js'
 * @typedef {'auto' | 'light' | 'dark'} Theme
 * @typedef {ReturnType<typeof createPrefs>} Prefs
 */

/** @param {Store} store */
export function createPrefs({ recall, remember }) {
  /** @param {string} key @param {string} otherwise */
  function kept(key, otherwise) {
    const held = signal(recall(key) ?? otherwise)
    effect(() => remember(key, held.value === otherwise ? null : held.value))
    return held
  }

  /** @param {string} key @param {boolean} [otherwise] */
  function keptSwitch(key, otherwise = false) {
    const kept = recall(key)
    const held = signal(kept === null ? otherwise : kept === 'on')
    effect(() => remember(key, held.value === otherwise ? null : held.value ? 'on' : 'off'))
    return held
  }

  return {
    name: kept('name', ''),
    game: kept('game', 'lucas'),
    theme: /** @type {Signal<Theme>} */ (kept('theme', 'auto')),
    fourColour: keptSwitch('four-colour'),
    mirror: keptSwitch('mirror'),
    finishByHand: keptSwitch('finish-by-hand'),
    safeHome: keptSwitch('safe-home'),
    sound: keptSwitch('sound', true),
    vibration: keptSwitch('vibration', true),
    coached: keptSwitch('coached'),
    zen: signal(false),
    chatMuted: keptSwitch('chat-muted'),
    reactionsHidden: keptSwitch('reactions-hidden'),
  }
}

/** @param {Prefs} prefs @param {HTMLElement} root */
export const applyTheme = (prefs, root) =>
  effect(() => {
    root.dataset.theme = prefs.theme.value
  })
