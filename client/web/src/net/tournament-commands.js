/**
 * @import { Plan } from '../protocol/protocol.d.ts'
 * @import { Session } from './session.js'
 */

/** What entrants and hosts may do in a tournament, as functions. @param {Pick<Session, 'ask'>} session */
export const tournamentCommands = ({ ask }) => ({
  /** Be an entrant, or no longer. @param {boolean} on */
  takePart: (on) => ask('enter', on),
  /** @param {Partial<Plan>} changes @param {string} [password] that it asks for from now on */
  plan: (changes, password = '') => ask('plan', changes, ...(password ? [password] : [])),
  /**
   * About the round that is next, drawn, on, or was last.
   *
   * @param {'start' | 'pause' | 'resume' | 'end' | 'skip' | 'replay' | 'replay_unfinished' | 'confirm'} what
   * @param {string} [reason]
   * @param {number} [number] of the round that is confirmed
   */
  round: (what, reason = '', number) => ask('round', what, reason, ...(number === undefined ? [] : [number])),
  /** When the next round begins; null: when a host says so. @param {number | null} at */
  timer: (at) => ask('timer', at),
  /** Disqualify somebody, or take that back. @param {number} seat @param {boolean} out @param {string} reason @param {boolean} [hold] */
  judge: (seat, out, reason, hold = false) => ask('judge', seat, out, reason, ...(hold ? [hold] : [])),
  withdraw: (/** @type {number} */ seat) => ask('withdraw', seat),
  /** Say that somebody is here, before the first round. @param {number} seat */
  checkIn: (seat) => ask('check_in', seat),
  /** Let nobody new enter, or let people enter again. @param {boolean} open */
  registration: (open) => ask('registration', open),
  /** Ask that somebody sits out a round for half a point, or take that back. @param {number} seat @param {number} number of the round @param {boolean} on */
  halfBye: (seat, number, on) => ask('half_bye', seat, number, on),
  /** Give an entrant another name. @param {number} seat @param {string} name */
  renameEntrant: (seat, name) => ask('rename_entrant', seat, name),
  /** Say what a round gave one entrant, or both of a pair; null: what the races say. @param {number} number @param {[seat: number, value: number | null][]} given @param {string} reason */
  correct: (number, given, reason) => ask('correct', number, given, reason),
  /** Let the pair of a seat race the last round again. @param {number} seat @param {string} reason */
  replayMatch: (seat, reason) => ask('replay_match', seat, reason),
  /** Let two take each other's position in the round that is drawn. @param {number} one @param {number} other @param {number} against whom `one` meets now, 0: a bye */
  swap: (one, other, against) => ask('swap', one, other, against),
  /** Tell everybody something; empty: nothing any more. @param {string} text */
  announce: (text) => ask('announce', text),
  /** Take back the last action of hosts. @param {number} at when it was */
  undoDeed: (at) => ask('undo_deed', at),
  /** @param {number} seat @param {boolean} on */
  coHost: (seat, on) => ask('co_host', seat, on),
  /** As a host: have the session's `entryList` be the list as it is now. */
  showList: () => ask('show_list'),
  /** As a host: nobody holds a line of the list any more. @param {string} name */
  release: (name) => ask('release', name),
})
