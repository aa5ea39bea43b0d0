/** Points by place, as in shared/fortythieves/tournament/points.py, for tables that are computed in the browser. Pure. */

const NEAR = 1e-6 // sums of thirds of a point can differ a little from the server's

/** @param {number} a @param {number} b */
export const isNear = (a, b) => Math.abs(a - b) < NEAR

export const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0)

/** The points of a place that several share: the mean of the points of all their places. @param {number[]} table @param {number} place @param {number} many */
export const meanOf = (table, place, many) => sum(table.slice(place - 1, place - 1 + many)) / many
