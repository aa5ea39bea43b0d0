/** Parts of pages that are not on the way to the cards: what few open, and what comes late in a race. */
import { later, laterDialog, laterPart } from './lazy-page.jsx'

export const Options = laterDialog(async () => (await import('./options.jsx')).Options)
export const SettingsForm = laterDialog(async () => (await import('./settings-form.jsx')).SettingsForm)
export const GameRules = laterPart(async () => (await import('./game-rules.jsx')).GameRules)

const nothing = () => null
export const Cascade = later(async () => (await import('./celebration.jsx')).Cascade, nothing)
export const WonBadge = later(async () => (await import('./celebration.jsx')).WonBadge, nothing)
export const StandAside = later(async () => (await import('./stand-aside.jsx')).StandAside, nothing)
