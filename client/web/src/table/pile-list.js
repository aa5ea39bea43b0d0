/**
 * The cards of every pile as a list, for who reads the page line by line. It stands beside the piles that keys play with:
 * in there a screen reader leaves all keys to the table, and says of a pile only what it is called.
 */

import { pileInFull, say } from './speech.js'

/**
 * @import { Board } from '../rules/board.js'
 * @import { Pile } from './piles.js'
 */

export function createPileList() {
  const element = document.createElement('ul')
  element.className = 'ft-list'
  element.setAttribute('role', 'list') // WebKit takes it for none where no dots are drawn
  /** @type {HTMLElement[]} by index of the state's piles */
  let items = []

  return {
    element,

    /** @param {readonly Pile[]} piles */
    build(piles) {
      items = piles.map(() => document.createElement('li'))
      element.replaceChildren(...items)
    },

    /** Says what it is called. */
    name: () => element.setAttribute('aria-label', say('race.table.list')),

    /** @param {Board} board @param {readonly Pile[]} piles */
    render(board, piles) {
      piles.forEach((pile, i) => {
        const said = pileInFull(board, pile)
        if (items[i].textContent !== said) items[i].textContent = said
      })
    },
  }
}
