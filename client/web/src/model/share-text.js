/** A result as a few lines that name no card, to be sent to friends. */

import { counted, finishText, placeText } from './format.js'
import { CARDS } from './room-view.js'
import { gameName } from './words.js'

/**
 * @typedef {import('../rules/board.js').Board} Board
 * @typedef {import('./room-view.js').Lane} Lane
 */

const BARS = '▁▂▃▄▅▆▇█'
const PARTS = 10

/**
 * How many cards were home when each tenth of the stock had been drawn for the first time; what was never drawn has the end.
 *
 * @param {Board} board at the end
 * @returns {number[]}
 */
export function homeByStock(board) {
  const back = board.copy()
  /** @type {{stock: number, home: number}[]} the end first */
  const past = [{ stock: back.stockCount, home: back.home }]
  while (back.movesMade) {
    back.undo()
    past.push({ stock: back.stockCount, home: back.home })
  }
  past.reverse()
  const all = past[0]?.stock ?? 0
  return Array.from({ length: PARTS }, (_, part) => {
    const left = all * (1 - (part + 1) / PARTS)
    return (past.find(({ stock }) => stock <= left) ?? past.at(-1))?.home ?? 0
  })
}

/** @param {number} home */
const bar = (home) => BARS[Math.min(BARS.length - 1, Math.floor((home / CARDS) * BARS.length))]

/**
 * @param {object} result
 * @param {string} result.game its key
 * @param {Lane} result.own
 * @param {number} result.racers how many raced
 * @param {Board | null} result.board at the end, if it is known
 * @param {string} result.link to the replay
 */
export function shareText({ game, own, racers, board, link }) {
  const place = own.place && racers > 1 ? `${placeText(own.place)} of ${racers}, ` : ''
  const result =
    own.state === 'solved' && own.ms !== null ? `solved in ${finishText(own.ms)}` : `${counted(own.home, 'card')} home`
  return [
    `Forty Thieves Race: ${gameName(game)}`,
    `${place}${result}`,
    ...(board?.movesMade ? [homeByStock(board).map(bar).join('')] : []),
    link,
  ].join('\n')
}
