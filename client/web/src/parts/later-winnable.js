/** Parts about deals that can be won, of pages on which they come late. */
import { withWords } from '../words/index.js'
import { laterExtra } from './lazy-page.jsx'

export const DealChoice = laterExtra(withWords(['race', 'more'], async () => (await import('./deal-choice.jsx')).DealChoice))
export const CouldBeWon = laterExtra(withWords(['more'], async () => (await import('./could-be-won.jsx')).CouldBeWon))
