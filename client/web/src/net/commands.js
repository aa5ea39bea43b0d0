/**
 * Commands and their answers. An answer repeats the number of its command. The promise of a command resolves when the server
 * has carried it out, or rejects with a `Refusal`.
 *
 * When the connection breaks, no command is lost or carried out twice. The client resends idempotent commands that may have
 * arrived. The other ones are rejected as `lost`: the player learns that their outcome is unknown.
 */
import { Refusal } from './refusal.js'

/** @import { Answer, Command, FieldsOf } from '../protocol/protocol.d.ts' */

/** These are not idempotent. */
const ONCE_ONLY = new Set(['create', 'challenge', 'bot', 'round', 'release'])

/** When a resent command gets one of these refusals, the first attempt succeeded. @type {Record<string, string[]>} */
const DONE_ALREADY = {
  start: ['racing'],
  rematch: ['not-over', 'racing'],
  ready: ['racing'],
  kick: ['unknown-seat'],
  leave: ['not-in-room'],
  host: ['not-host'],
}

/**
 * @typedef {{message: Command, sent: boolean, again: boolean, resolve: () => void, reject: (refusal: Refusal) => void}} Waiting
 *   `again`: it was already sent, on a connection that broke
 */

/** @param {(message: Command) => boolean} send false: there is no connection */
export function createCommands(send) {
  let counter = 0
  let through = false
  /** @type {Map<number, Waiting>} */
  const waiting = new Map()

  /** @param {Waiting} command */
  function put(command) {
    command.sent = send(command.message) || command.sent
  }

  /** @template {Command[0]} T @param {boolean} now @param {T} tag @param {FieldsOf<T>} fields @returns {Promise<void>} */
  function ask(now, tag, fields) {
    const c = ++counter
    const message = /** @type {Command} */ (/** @type {unknown} */ ([tag, c, ...fields]))
    return new Promise((resolve, reject) => {
      const command = { message, sent: false, again: false, resolve, reject }
      waiting.set(c, command)
      if (now || through) put(command)
    })
  }

  return {
    /** Send a command, or wait for the room. @template {Command[0]} T @param {T} tag @param {FieldsOf<T>} fields */
    ask: (tag, ...fields) => ask(false, tag, fields),

    /** Send a command to create or join a room. @template {Command[0]} T @param {T} tag @param {FieldsOf<T>} fields */
    askNow: (tag, ...fields) => ask(true, tag, fields),

    /** Settle the command of an `ok` or `refused`. @param {Answer} answer */
    answered(answer) {
      const c = answer[1]
      const command = waiting.get(c)
      if (!command) return
      waiting.delete(c)
      if (answer[0] === 'ok') return command.resolve()
      const [, , code, text, parameters] = answer
      if (command.again && DONE_ALREADY[command.message[0]]?.includes(code)) command.resolve()
      else command.reject(new Refusal(code, text, parameters))
    },

    /** The client is in the room: send the waiting commands in order. */
    open() {
      through = true
      for (const command of [...waiting.values()]) {
        if (!command.sent || command.again) put(command)
      }
    },

    /** Send no further room commands before `open`. */
    hold() {
      through = false
    },

    /** The connection broke. */
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

    /** Reject all commands, because the player left the room or the connection stays closed. */
    drop() {
      through = false
      for (const command of waiting.values()) command.reject(new Refusal('gone'))
      waiting.clear()
    },
  }
}
