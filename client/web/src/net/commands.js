/**
 * Commands and their answers. Each has a number that its answer repeats, and its promise settles once: with nothing
 * when the server has carried it out, or with a `Refusal`.
 *
 * Over a broken connection no command is lost and none is doubled: what may have arrived is said again, as long as
 * saying it twice is the same as saying it once; otherwise the person is told that it is not known.
 */

import { Refusal } from './refusal.js'

/** @import { Answer, Command, FieldsOf } from '../protocol/protocol.d.ts' */

/** Saying these twice could do them twice. */
const ONCE_ONLY = new Set(['create', 'bot', 'round', 'release'])

/**
 * Said again after a lost answer, these refusals mean that the first time went through.
 *
 * @type {Record<string, string[]>}
 */
const DONE_ALREADY = {
  start: ['racing'],
  rematch: ['not-over', 'racing'],
  ready: ['racing'],
  kick: ['unknown-seat'],
  leave: ['not-in-room'],
  host: ['not-host'],
}

/**
 * @typedef {Command[0]} Tag
 *
 * @typedef {object} Waiting
 * @property {Command} message
 * @property {boolean} sent
 * @property {boolean} again whether it was sent before on a connection that broke
 * @property {() => void} resolve
 * @property {(refusal: Refusal) => void} reject
 */

/** @param {(message: Command) => boolean} send false: the line is down */
export function createCommands(send) {
  let counter = 0
  let through = false
  /** @type {Map<number, Waiting>} */
  const waiting = new Map()

  /** @param {Waiting} command */
  function put(command) {
    command.sent = send(command.message) || command.sent
  }

  /**
   * @template {Tag} T
   * @param {boolean} now
   * @param {T} tag
   * @param {FieldsOf<T>} fields
   * @returns {Promise<void>}
   */
  function ask(now, tag, fields) {
    const c = ++counter
    return new Promise((resolve, reject) => {
      /** @type {Waiting} */
      const command = {
        message: /** @type {Command} */ (/** @type {unknown} */ ([tag, c, ...fields])),
        sent: false,
        again: false,
        resolve,
        reject,
      }
      waiting.set(c, command)
      if (now || through) put(command)
    })
  }

  return {
    /**
     * Ask for something in the room; it waits for the room while the line is down.
     *
     * @template {Tag} T
     * @param {T} tag
     * @param {FieldsOf<T>} fields
     */
    ask: (tag, ...fields) => ask(false, tag, fields),

    /**
     * Ask before there is a room: to create one, or to join it.
     *
     * @template {Tag} T
     * @param {T} tag
     * @param {FieldsOf<T>} fields
     */
    askAtOnce: (tag, ...fields) => ask(true, tag, fields),

    /** An `ok` or `refused` came. @param {Answer} answer */
    answered(answer) {
      const c = answer[1]
      const command = waiting.get(c)
      if (!command) return
      waiting.delete(c)
      if (answer[0] === 'ok') return command.resolve()
      const [, , code, said, parameters] = answer
      if (command.again && DONE_ALREADY[command.message[0]]?.includes(code)) command.resolve()
      else command.reject(new Refusal(code, said, parameters))
    },

    /** In the room (again): say what waits, in order. */
    open() {
      through = true
      for (const command of [...waiting.values()]) {
        if (!command.sent || command.again) put(command)
      }
    },

    /** Say nothing more before `open`. */
    hold() {
      through = false
    },

    /** The line broke. */
    broken() {
      through = false
      for (const [c, command] of waiting) {
        const tag = command.message[0]
        if (tag === 'join' || tag === 'watch' || (command.sent && ONCE_ONLY.has(tag))) {
          waiting.delete(c)
          command.reject(new Refusal('lost'))
        } else if (command.sent) command.again = true
      }
    },

    /**
     * There will be no answers: the room is left, or the line stays down.
     */
    drop() {
      through = false
      for (const command of waiting.values()) command.reject(new Refusal('gone'))
      waiting.clear()
    },
  }
}
