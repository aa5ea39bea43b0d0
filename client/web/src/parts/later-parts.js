/** Parts of pages that are not on the way to the cards: what few open, and what comes late in a race. */
import { withWords } from '../words/index.js'
import { laterDialog, laterExtra, laterPart } from './lazy-page.jsx'

export const Options = laterDialog(withWords(['race', 'more'], async () => (await import('./options.jsx')).Options))
export const SettingsForm = laterDialog(
  withWords(['race', 'more'], async () => (await import('./settings-form.jsx')).SettingsForm),
)
export const GameHelp = laterPart(withWords(['race', 'more'], async () => (await import('./game-help.jsx')).GameHelp))
export const GameRules = laterPart(withWords(['more'], async () => (await import('./game-rules.jsx')).GameRules))

export const DealsPreparing = laterExtra(withWords(['more'], async () => (await import('./deals-preparing.jsx')).DealsPreparing))
export const Cascade = laterExtra(withWords(['race', 'more'], async () => (await import('./celebration.jsx')).Cascade))
export const WonBadge = laterExtra(withWords(['race', 'more'], async () => (await import('./celebration.jsx')).WonBadge))
export const StandAside = laterExtra(withWords(['more'], async () => (await import('./stand-aside.jsx')).StandAside))
export const EndNews = laterExtra(withWords(['race', 'more'], async () => (await import('./end-race.jsx')).EndNews))
export const WatcherTools = laterExtra(
  withWords(['race', 'more'], async () => (await import('./watcher-tools.jsx')).WatcherTools),
)
export const Muted = laterExtra(withWords(['race', 'more'], async () => (await import('./watcher-tools.jsx')).Muted))
export const OwnEnd = laterExtra(withWords(['race', 'more'], async () => (await import('./end-race.jsx')).OwnEnd))
