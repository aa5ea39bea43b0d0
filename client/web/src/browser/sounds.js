/** Quiet sounds that the browser generates, without files to load. */

/** @import { Sound } from '../model/race/board-sound.js' */
/** @typedef {ReturnType<typeof createSounds>} Sounds */
/** @typedef {readonly [at: number, pitch: number, length: number, loud: number]} Note s, Hz, s; loud: 1 is the loudest */

/** The volume of all sounds, so that they stay in the background. */
const VOLUME = 0.12
/** The sound device is suspended after this many ms of silence, because it costs power. */
const IDLE = 3000

/** @type {Readonly<Record<Sound, readonly Note[]>>} */
const NOTES = {
  draw: [[0, 330, 0.05, 0.5]],
  move: [[0, 220, 0.07, 0.6]],
  home: [
    [0, 523, 0.09, 0.6],
    [0.05, 784, 0.12, 0.5],
  ],
  undo: [[0, 180, 0.07, 0.5]],
  refused: [[0, 120, 0.12, 0.7]],
  tick: [[0, 440, 0.08, 0.7]],
  start: [[0, 880, 0.3, 0.8]],
  rival: [
    [0, 659, 0.16, 0.7],
    [0.14, 494, 0.26, 0.7],
  ],
  pass: [
    [0, 587, 0.1, 0.6],
    [0.08, 784, 0.16, 0.6],
  ],
  passed: [
    [0, 392, 0.12, 0.6],
    [0.1, 294, 0.2, 0.6],
  ],
  run: [
    [0, 659, 0.08, 0.5],
    [0.07, 988, 0.18, 0.6],
  ],
  won: [
    [0, 523, 0.18, 0.8],
    [0.12, 659, 0.18, 0.8],
    [0.24, 784, 0.18, 0.8],
    [0.36, 1047, 0.5, 0.9],
  ],
}

/**
 * `isOn`: whether sounds are wanted. `open`: called after the player has touched the page, because browsers block sounds before
 * that; null: the browser has no sounds.
 * @param {{isOn: () => boolean, open: () => AudioContext | null, isTouched: () => boolean}} wiring
 */
export function createSounds({ isOn, open, isTouched }) {
  /** @type {AudioContext | null} */
  let device = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let idle

  /** @param {AudioContext} device @param {Note} note */
  function sound(device, [at, pitch, length, loud]) {
    const from = device.currentTime + at
    const tone = new OscillatorNode(device, { type: 'triangle', frequency: pitch })
    const volume = new GainNode(device, { gain: 0 })
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(loud * VOLUME, from + 0.008) // an instant rise would click
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length)
    tone.connect(volume).connect(device.destination)
    tone.start(from)
    tone.stop(from + length)
  }

  return {
    /** @param {Sound} name */
    play(name) {
      if (!isOn() || !isTouched()) return
      device ??= open()
      if (!device) return
      const heard = device
      const ring = () => {
        for (const note of NOTES[name]) sound(heard, note)
        clearTimeout(idle)
        idle = setTimeout(() => heard.suspend().catch(() => {}), IDLE) // during a call, it may refuse
      }
      // Suspended by us or by the browser, or interrupted by a call. The end of a call resumes nothing.
      if (heard.state === 'running') ring()
      else heard.resume().then(ring, () => {})
    },
  }
}
