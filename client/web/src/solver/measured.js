/** What was measured of our solver, by game. The server reads the same table. */

import efforts from '../../../../shared/fortythieves/solver/efforts.json' with { type: 'json' }

/** @type {{effort: number, games: Record<string, {won: number, stars: number[]}>}} */
const { effort, games } = efforts

/** The widest search that is tried. */
export const EFFORT = effort

/** Up to which width of a search that wins it a deal has one star, and two. @param {string} game */
export const widthsOf = (game) => games[game]?.stars ?? []

/** How many of a hundred random deals it won. @param {string} game */
export const wonOf = (game) => games[game]?.won ?? 0
