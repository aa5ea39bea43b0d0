/**
 * The moves of the last practice in this tab, so that a page that is loaded again goes on where it was. (Phones drop
 * pages that nobody looks at.)
 */

const KEY = 'forty-thieves.practice'

/** @typedef {() => Pick<Storage, 'getItem' | 'setItem'>} Tab a function, for a browser may forbid even to name it */

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
    // It lasts as long as the page.
  }
}
