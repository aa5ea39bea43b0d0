/** Parts of pages that the browser loads later: rarely opened ones, and those for the end of a race. */
import { withWords } from '../../words/translate.js'
import { lazyDialog, lazyExtra, lazyPart } from './lazy.jsx'

export const Options = lazyDialog(withWords(['race', 'more'], async () => (await import('./options.jsx')).Options))
export const SettingsForm = lazyDialog(
  withWords(['race', 'more'], async () => (await import('../settings/settings-form.jsx')).SettingsForm),
)
export const GameHelp = lazyPart(withWords(['race', 'more'], async () => (await import('../help/game-help.jsx')).GameHelp))
export const GameRules = lazyPart(withWords(['race', 'more'], async () => (await import('../help/game-help.jsx')).GameRules))

export const DealsPreparing = lazyExtra(
  withWords(['more'], async () => (await import('../settings/deals-preparing.jsx')).DealsPreparing),
)
export const Cascade = lazyExtra(withWords(['race', 'more'], async () => (await import('../race/celebration.jsx')).Cascade))
export const WonBadge = lazyExtra(withWords(['race', 'more'], async () => (await import('../race/celebration.jsx')).WonBadge))
export const StandAside = lazyExtra(withWords(['more'], async () => (await import('../race/stand-aside.jsx')).StandAside))
export const EndNews = lazyExtra(withWords(['race', 'more'], async () => (await import('../race/end-race.jsx')).EndNews))
export const WatcherTools = lazyExtra(
  withWords(['race', 'more'], async () => (await import('../chat/moderation.jsx')).WatcherTools),
)
export const Muted = lazyExtra(withWords(['race', 'more'], async () => (await import('../chat/moderation.jsx')).Muted))
export const OwnEnd = lazyExtra(withWords(['race', 'more'], async () => (await import('../race/end-race.jsx')).OwnEnd))

export const DealChoice = lazyExtra(
  withWords(['race', 'more'], async () => (await import('../settings/deal-choice.jsx')).DealChoice),
)
export const CouldBeWon = lazyExtra(withWords(['more'], async () => (await import('../settings/could-be-won.jsx')).CouldBeWon))
