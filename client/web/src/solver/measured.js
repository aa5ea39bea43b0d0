/** Measurements of our solver, by game. The server reads the same table. */
import efforts from '../../../../shared/fortythieves/solver/efforts.json' with { type: 'json' }

/** @type {{effort: number, games: Record<string, {won: number, stars: number[]}>}} */
const { effort, games } = efforts

/** The width of the widest search. */
export const EFFORT = effort

/** The largest widths of the winning search for deals with one star and with two. @param {string} game */
export const widthsOf = (game) => games[game]?.stars ?? []

/** How many of a hundred random deals the solver won. @param {string} game */
export const wonOf = (game) => games[game]?.won ?? 0
