/**
 * @import { Plan } from '../protocol/protocol.d.ts'
 * @import { Session } from './session.js'
 */

/** The commands of entrants and hosts in a tournament. @param {Pick<Session, 'ask'>} session */
export const tournamentCommands = ({ ask }) => ({
  /** Enter the tournament, or withdraw. @param {boolean} on */
  takePart: (on) => ask('enter', on),
  /** @param {Partial<Plan>} changes @param {string} [password] the new password */
  plan: (changes, password = '') => ask('plan', changes, ...(password ? [password] : [])),
  /**
   * Act on the next, drawn, running or last round.
   * @param {'start' | 'pause' | 'resume' | 'end' | 'skip' | 'replay' | 'replay_unfinished' | 'confirm'} what
   * @param {string} [reason] @param {number} [number] of the confirmed round
   */
  round: (what, reason = '', number) => ask('round', what, reason, ...(number === undefined ? [] : [number])),
  /** Set the start of the next round; null: a host starts it. @param {number | null} at */
  timer: (at) => ask('timer', at),
  /**
   * Disqualify an entrant, or take that back.
   * @param {number} seat @param {boolean} out @param {string} reason @param {boolean} [hold]
   */
  judge: (seat, out, reason, hold = false) => ask('judge', seat, out, reason, ...(hold ? [hold] : [])),
  withdraw: (/** @type {number} */ seat) => ask('withdraw', seat),
  /** Check an entrant in before the first round. @param {number} seat */
  checkIn: (seat) => ask('check_in', seat),
  /** Open or close registration. @param {boolean} open */
  registration: (open) => ask('registration', open),
  /**
   * Ask for a half-point bye for an entrant, or take that back.
   * @param {number} seat @param {number} number of the round @param {boolean} on
   */
  halfBye: (seat, number, on) => ask('half_bye', seat, number, on),
  /** Give an entrant another name. @param {number} seat @param {string} name */
  renameEntrant: (seat, name) => ask('rename_entrant', seat, name),
  /**
   * Correct the points of an entrant, or of a pair, in a round; null: use the race results.
   * @param {number} number @param {[seat: number, value: number | null][]} given @param {string} reason
   */
  correct: (number, given, reason) => ask('correct', number, given, reason),
  /** Let the pair of a seat repeat the last round. @param {number} seat @param {string} reason */
  replayMatch: (seat, reason) => ask('replay_match', seat, reason),
  /**
   * Swap the positions of two entrants in the drawn round.
   * @param {number} one @param {number} other @param {number} against the present opponent of `one`, 0: a bye
   */
  swap: (one, other, against) => ask('swap', one, other, against),
  /** Replace the announcement; empty: remove it. @param {string} text */
  announce: (text) => ask('announce', text),
  /** Take back the last action of hosts. @param {number} at the time of the action */
  undoDeed: (at) => ask('undo_deed', at),
  /** @param {number} seat @param {boolean} on */
  coHost: (seat, on) => ask('co_host', seat, on),
  /** As a host: refresh the session's `entryList`. */
  showList: () => ask('show_list'),
  /** As a host: take a name of the entry list from its seat. @param {string} name */
  release: (name) => ask('release', name),
})
