/**
 * The cards of every pile as a list, for who reads the page line by line. It stands beside the piles that keys play with:
 * in there a screen reader leaves all keys to the table, and says of a pile only what it is called.
 */

import { pileInFull, sentence } from './speech.js'

/** @param {import('./words.js').Words} words */
export function createPileList(words) {
  const element = document.createElement('ul')
  element.className = 'ft-list'
  element.setAttribute('role', 'list') // WebKit takes it for none where no dots are drawn
  element.setAttribute('aria-label', words.list)
  /** @type {HTMLElement[]} by index of the state's piles */
  let items = []

  return {
    element,

    /** @param {readonly import('./piles.js').Pile[]} piles */
    build(piles) {
      items = piles.map(() => document.createElement('li'))
      element.replaceChildren(...items)
    },

    /** @param {import('../rules/board.js').Board} board @param {readonly import('./piles.js').Pile[]} piles */
    render(board, piles) {
      piles.forEach((pile, i) => {
        const said = sentence(pileInFull(words, board, pile))
        if (items[i].textContent !== said) items[i].textContent = said
      })
    },
  }
}
