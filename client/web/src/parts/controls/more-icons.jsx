/** All icons, for pages that are loaded after the first cards. */
import { Drawn, PATHS } from './icon.jsx'

const ALL = {
  ...PATHS,
  redo: 'M15 7l4.5 4.5L15 16M19 11.5h-9a5 5 0 0 0 0 10h3',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  pause: 'M8 5v14M16 5v14',
  forward: 'M5 5l7 7-7 7M13 5l7 7-7 7',
  backward: 'M19 5l-7 7 7 7M11 5l-7 7 7 7',
  stepback: 'M17 5l-9 7 9 7zM6 5v14',
  stepon: 'M7 5l9 7-9 7zM18 5v14',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  single: 'M4 5h16v14H4z',
  tour: 'M4 12a8 8 0 0 1 14-5.3M20 4v4h-4M20 12a8 8 0 0 1-14 5.3M4 20v-4h4',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.3-3.3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0L5 13.3A4 4 0 0 0 10.7 19l1-1',
  down: 'M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M5 20h14',
  clap: 'M11 20C6 20 4 16.5 4 13l3-6.5 2 .8-1 4.2 1 .5M13 20c5 0 7-3.5 7-7l-3-6.5-2 .8 1 4.2-1 .5M12 2.5V5M8.5 3l1 2m6-2-1 2',
  wow: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9.5v.5m6-.5v.5M12 17a1.8 2.2 0 1 0 0-4.4 1.8 2.2 0 0 0 0 4.4z',
  fire: 'M12 21a6.5 6.5 0 0 1-6.5-6.5c0-3 2-4.5 3-7 1 1 1.5 2 1.5 3.5 2-1.5 3-4.5 2.5-8 3.5 2 6 6.5 6 11.5A6.5 6.5 0 0 1 12 21z',
  laugh: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 9.5v.5m7-.5v.5M7.5 13.5h9a4.5 4.5 0 0 1-9 0z',
  sad: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9.5v.5m6-.5v.5M8.5 16.5a4.2 4.2 0 0 1 7 0',
  heart: 'M12 20S4 14.8 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 14.8 12 20 12 20z',
  chart: 'M4 4v16h16M7.5 15l4-5 3 2.5 5-6.5',
}

/** @typedef {keyof typeof ALL} IconName */

/** @param {{name: IconName}} props */
export const Icon = ({ name }) => <Drawn path={ALL[name]} />
