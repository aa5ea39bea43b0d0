/** What watchers may be shown, as a host chooses it. */

/** @import { Settings } from '../../protocol/protocol.d.ts' */

/** @typedef {Pick<Settings, 'watch' | 'delay'>} Policy */

/** From the one that shows least to the one that shows most. @type {readonly Settings['watch'][]} */
export const POLICIES = ['progress', 'frontier', 'delayed', 'open']

export const DELAYS = [10, 20, 30, 60, 120, 180, 300]

/**
 * Whether watchers see no more by the new policy than by the old one: all that the server allows while a race is on.
 *
 * @param {Policy} now @param {Policy} before
 */
export function isNarrower(now, before) {
  if (now.watch === 'delayed' && before.watch === 'delayed') return now.delay >= before.delay
  return POLICIES.indexOf(now.watch) <= POLICIES.indexOf(before.watch)
}

/**
 * The policies a room can have. Where people may join late, somebody could watch first and then race on what was seen.
 *
 * @param {Settings['late']} late
 */
export const policiesWhere = (late) => (late === 'join' ? POLICIES.slice(0, 2) : POLICIES)
