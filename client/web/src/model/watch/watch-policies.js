/** The watch policies, from which a host chooses. */

/** @import { Settings } from '../../protocol/protocol.d.ts' */

/** @typedef {Pick<Settings, 'watch' | 'delay'>} Policy */

/** From the policy that shows least to the one that shows most. @type {readonly Settings['watch'][]} */
export const POLICIES = ['progress', 'frontier', 'delayed', 'open']

export const DELAYS = [10, 20, 30, 60, 120, 180, 300]

/** Whether spectators see no more than before. A race allows no other change. @param {Policy} now @param {Policy} before */
export function isNarrower(now, before) {
  if (now.watch === 'delayed' && before.watch === 'delayed') return now.delay >= before.delay
  return POLICIES.indexOf(now.watch) <= POLICIES.indexOf(before.watch)
}

/** The possible policies. A late racer must not have seen the cards as a spectator. @param {Settings['late']} late */
export const policiesWhere = (late) => (late === 'join' ? POLICIES.slice(0, 2) : POLICIES)
