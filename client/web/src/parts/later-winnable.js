/** Parts about deals that can be won, of pages on which they come late. */
import { withWords } from '../words/index.js'
import { later } from './lazy-page.jsx'

const nothing = () => null

export const DealChoice = later(
  withWords(['race', 'solver'], async () => (await import('./deal-choice.jsx')).DealChoice),
  nothing,
)
export const CouldBeWon = later(
  withWords(['solver'], async () => (await import('./could-be-won.jsx')).CouldBeWon),
  nothing,
)
