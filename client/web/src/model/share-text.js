/** A result as a few lines that name no card, to be sent to friends. */

import { t } from '../words/index.js'
import { finishText } from './format.js'
import { gameName } from './games.js'
import { CARDS } from './room-view.js'
import { homeText } from './words.js'

/**
 * @import { Board } from '../rules/board.js'
 * @import { Lane } from './room-view.js'
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

/** The place, if others raced, and the time or the cards. @param {Lane} own @param {number} racers */
function resultText({ place, state, ms, home }, racers) {
  const time = state === 'solved' && ms !== null ? finishText(ms) : null
  if (!place || racers < 2) return time ? t('more.share.won', { time }) : homeText(home)
  if (!time) return t('more.share.placed', { place, racers, cards: homeText(home) })
  return t(place === 1 ? 'more.share.wonFirst' : 'more.share.finished', { place, racers, time })
}

/**
 * @param {object} result
 * @param {string} result.game its key
 * @param {Lane} result.own
 * @param {number} result.racers how many raced
 * @param {Board | null} result.board at the end, if it is known
 * @param {string} result.link to the replay
 */
export const shareText = ({ game, own, racers, board, link }) =>
  [
    t('more.share.title', { game: gameName(game) }),
    resultText(own, racers),
    ...(board?.movesMade ? [homeByStock(board).map(bar).join('')] : []),
    link,
  ].join('\n')
