/**
 * The cards of every pile as a list, for screen-reader users that read line by line. It is separate from the piles for key
 * input: there a screen reader passes all keys to the table, and reads only the name of a pile.
 */

import { pileInFull, say } from './speech.js'

/**
 * @import { Board } from '../rules/board.js'
 * @import { Pile } from './piles.js'
 */

export function createPileList() {
  const element = document.createElement('ul')
  element.className = 'ft-list'
  element.setAttribute('role', 'list') // WebKit does not treat a list without bullets as a list
  /** @type {HTMLElement[]} by index of the state's piles */
  let items = []

  return {
    element,

    /** @param {readonly Pile[]} piles */
    build(piles) {
      items = piles.map(() => document.createElement('li'))
      element.replaceChildren(...items)
    },

    /** Sets the list's name. */
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
