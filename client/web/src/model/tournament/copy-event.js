/** A draft copied from an earlier event. Pure. */
import { draftOf } from './plan-draft.js'

/**
 * @import { Plan, Settings } from '../../protocol/protocol.d.ts'
 * @import { Draft } from './plan-draft.js'
 */

/**
 * A draft with the plan of an event, without its people: no list, no password, no start.
 *
 * @param {Plan} plan @param {Settings} settings
 * @returns {Draft}
 */
export const copyOf = (plan, settings) => ({
  ...draftOf(plan, settings),
  starts_at: '',
  password: '',
  listed: '',
  time_limit: settings.time_limit,
  undo: settings.undo,
  public: settings.public,
})
