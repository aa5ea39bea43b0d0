/** Parts of pages that the browser loads later: rarely opened ones, and those for the end of a race. */
import { lazyDialog, lazyExtra, lazyPart } from './lazy.jsx'

export const Options = lazyDialog(['race', 'more'], async () => (await import('./options.jsx')).Options)
export const AllGames = lazyDialog(['games'], async () => (await import('../settings/all-games.jsx')).AllGames)
export const SettingsForm = lazyDialog(
  ['race', 'more', 'games'],
  async () => (await import('../settings/settings-form.jsx')).SettingsForm,
)
export const GameHelp = lazyPart(['more', 'games'], async () => (await import('../help/game-help.jsx')).GameHelp)
export const GameRules = lazyPart(['more', 'games'], async () => (await import('../help/game-help.jsx')).GameRules)
export const OtherRules = lazyPart(['race', 'more'], async () => (await import('../settings/other-rules.jsx')).OtherRules)

export const DealsPreparing = lazyExtra(['more'], async () => (await import('../settings/deals-preparing.jsx')).DealsPreparing)
export const Cascade = lazyExtra(['race', 'more'], async () => (await import('../race/celebration.jsx')).Cascade)
export const WonBadge = lazyExtra(['race', 'more'], async () => (await import('../race/celebration.jsx')).WonBadge)
export const StandAside = lazyExtra(['race', 'more'], async () => (await import('../race/end-race.jsx')).StandAside)
export const EndNews = lazyExtra(['race', 'more'], async () => (await import('../race/end-race.jsx')).EndNews)
export const Moments = lazyExtra(['race', 'more'], async () => (await import('../race/tension.jsx')).Moments)
export const News = lazyExtra(['race', 'more'], async () => (await import('../race/news.jsx')).News)
export const BigClock = lazyExtra(['race', 'more'], async () => (await import('../race/tension.jsx')).BigClock)
export const RacerReactions = lazyExtra(['more'], async () => (await import('../chat/reactions.jsx')).RacerReactions)
export const WatcherTools = lazyExtra(['race', 'more'], async () => (await import('../chat/moderation.jsx')).WatcherTools)
export const Muted = lazyExtra(['race', 'more'], async () => (await import('../chat/moderation.jsx')).Muted)
export const OwnEnd = lazyExtra(['race', 'more'], async () => (await import('../race/end-race.jsx')).OwnEnd)

export const DealChoice = lazyExtra(['race', 'more'], async () => (await import('../settings/deal-choice.jsx')).DealChoice)
