/** Settings that fit together, so that a host chooses once. The game, the deal and who may come are other questions. */

/** @import { Settings } from '../../protocol/protocol.d.ts' */

/** @typedef {keyof typeof PRESETS} Preset */

export const PRESETS = /** @type {const} */ ({
  quick: { time_limit: 300, after_win: 60, undo: 'free', late: 'join', countdown: 3, watch: 'frontier' },
  classic: { time_limit: 1200, after_win: 120, undo: 'turned', late: 'watch', countdown: 5, watch: 'frontier' },
  serious: { time_limit: 1800, after_win: 300, undo: 'none', late: 'refuse', countdown: 10, watch: 'frontier' },
})

export const PRESET_KEYS = /** @type {Preset[]} */ (Object.keys(PRESETS))

/** The preset that these settings have; null: a mixture. @param {Settings} settings */
export const presetOf = (settings) =>
  PRESET_KEYS.find((key) =>
    Object.entries(PRESETS[key]).every(([name, value]) => settings[/** @type {'undo'} */ (name)] === value),
  ) ?? null
