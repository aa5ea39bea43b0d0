/**
 * The moves of the last practice in this tab, so that a reloaded page can continue it. (Phones discard pages in the
 * background.)
 */

const KEY = 'forty-thieves.practice'

/** @typedef {() => Pick<Storage, 'getItem' | 'setItem'>} Tab a function, because a browser may block any access to it */

/** @type {Tab} */
const ofThisTab = () => sessionStorage

/** @param {string} deal without spaces @param {Tab} [tab] @returns {string[]} */
export function keptMoves(deal, tab = ofThisTab) {
  try {
    const [of, ...moves] = (tab().getItem(KEY) ?? '').split(' ')
    return of === deal ? moves : []
  } catch {
    return []
  }
}

/** @param {string} deal @param {readonly string[]} moves @param {Tab} [tab] */
export function keepMoves(deal, moves, tab = ofThisTab) {
  try {
    tab().setItem(KEY, [deal, ...moves].join(' '))
  } catch {
    // Without storage, a reload loses the moves.
  }
}
