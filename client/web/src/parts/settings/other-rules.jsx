import { otherRules } from '../../model/race/other-rules.js'

/** @import { Rule } from '../../model/race/rule-texts.js' */
/** @import { Settings } from '../../protocol/protocol.d.ts' */

/** The usual rules of a race. @param {{settings: Settings, children: (rules: Rule[]) => any}} props */
export const OtherRules = ({ settings, children }) => children(otherRules(settings))
