/** The pages on the way from the front page to the cards, in one file (vite.config.js). */
import { lazyPage } from '../parts/page/lazy.jsx'

export const Room = lazyPage(['race'], async () => (await import('../pages/room.jsx')).Room)
export const RacePage = lazyPage(['race'], async () => (await import('../pages/race.jsx')).RacePage)
