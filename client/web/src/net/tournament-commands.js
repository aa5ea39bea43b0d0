/**
 * @import { FieldsOf, Plan } from '../protocol/protocol.d.ts'
 * @import { Session } from './session.js'
 */

/** The commands of entrants and hosts in a tournament. @param {Pick<Session, 'ask' | 'asking'>} session */
export const tournamentCommands = ({ ask, asking }) => ({
  /** Enter the tournament, or withdraw. */
  takePart: asking('enter'),
  /** @param {Partial<Plan>} changes @param {string} [password] the new password */
  plan: (changes, password = '') => ask('plan', changes, ...(password ? [password] : [])),
  /**
   * Act on the next, drawn, running or last round.
   * @param {FieldsOf<'round'>[0]} what @param {string} [reason] @param {number} [number] of the confirmed round
   */
  round: (what, reason = '', number) => ask('round', what, reason, ...(number === undefined ? [] : [number])),
  /** Set the start of the next round; null: a host starts it. */
  timer: asking('timer'),
  /** Disqualify an entrant, or take that back. */
  judge: asking('judge'),
  withdraw: asking('withdraw'),
  /** Check an entrant in before the first round. */
  checkIn: asking('check_in'),
  /** Open or close registration. */
  registration: asking('registration'),
  /** Ask for a half-point bye for an entrant in a round, or take that back. */
  halfBye: asking('half_bye'),
  /** Give an entrant another name. */
  renameEntrant: asking('rename_entrant'),
  /** Correct the points of an entrant, or of a pair, in a round; null: use the race results. */
  correct: asking('correct'),
  /** Let the pair of a seat repeat the last round. */
  replayMatch: asking('replay_match'),
  /** Swap the positions of two entrants in the drawn round. `against`: the present opponent of the first one, 0: a bye. */
  swap: asking('swap'),
  /** Replace the announcement; empty: remove it. */
  announce: asking('announce'),
  /** Take back the last action of hosts, by its time. */
  undoDeed: asking('undo_deed'),
  coHost: asking('co_host'),
  /** As a host: refresh the session's `entryList`. */
  showList: () => ask('show_list'),
  /** As a host: take a name of the entry list from its seat. */
  release: asking('release'),
})
