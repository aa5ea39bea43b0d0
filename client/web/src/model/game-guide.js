/** The rules of a game, for somebody who has never played it: each term with its sentences and small pictures. */

import { GAMES, stockOf } from '../rules/games.js'
import { counted } from './format.js'

/**
 * @typedef {import('../rules/games.js').Game} Game
 *
 * @typedef {object} Picture
 * @property {readonly string[]} cards from the bottom: `TH`; `##` lies face down; `` is an empty place
 * @property {boolean} [right] whether this may be done
 *
 * @typedef {{term: string, text: string, pictures: readonly Picture[]}} Rule
 */

const BUILD = {
  'same-suit': 'in the same suit',
  'different-suit': 'in any other suit',
  'alternating-colour': 'in alternating colours',
}

/** What may be built and what may not: a nine on a ten. @type {Readonly<Record<Game['build'], readonly Picture[]>>} */
const BUILDS = {
  'same-suit': [
    { cards: ['TH', '9H'], right: true },
    { cards: ['TH', '9S'], right: false },
  ],
  'different-suit': [
    { cards: ['TH', '9D'], right: true },
    { cards: ['TH', '9H'], right: false },
  ],
  'alternating-colour': [
    { cards: ['TH', '9S'], right: true },
    { cards: ['TH', '9D'], right: false },
  ],
}

/** A run that moves together. @type {Readonly<Record<Game['build'], readonly string[]>>} */
const RUNS = {
  'same-suit': ['JH', 'TH', '9H'],
  'different-suit': ['JH', 'TS', '9C'],
  'alternating-colour': ['JH', 'TS', '9H'],
}

/** @param {string} key @returns {Rule[]} */
export function gameGuide(key) {
  const game = GAMES.get(key)
  if (!game) return []
  const down = game.face_down
  const first = game.aces_out ? ['AS', '2S', '3S'] : ['', 'AS', '2S']
  return [
    {
      term: 'Goal',
      text: 'Bring all 104 cards (two decks) to the foundations. The first to do so wins the race; if nobody does, the most cards win.',
      pictures: [],
    },
    {
      term: 'Foundations',
      text:
        'The eight piles at the edge, two for each suit. Each goes up in its suit from ace to king.' +
        `${game.aces_out ? ' The aces lie there at the start.' : ''} “Home” means: on the foundations.`,
      pictures: [{ cards: first }],
    },
    {
      term: 'Columns',
      text:
        `${game.columns} columns of ${counted(game.cards, 'card')}, called the tableau. ` +
        `Build down ${BUILD[game.build]}: a card goes on one that is a rank higher.`,
      pictures: BUILDS[game.build],
    },
    ...(down
      ? [
          {
            term: 'Face-down cards',
            text: `At first ${counted(down, 'card lies', 'cards lie')} face down in each column. Each is revealed (turned up) when nothing lies on it any more.`,
            pictures: [{ cards: ['##', '9S'] }],
          },
        ]
      : []),
    game.unit === 'sequence'
      ? {
          term: 'Sequences',
          text: 'Cards that are built on each other move together, all or a part of them.',
          pictures: [{ cards: RUNS[game.build] }],
        }
      : { term: 'One at a time', text: 'Only the last card of a column moves, one at a time.', pictures: [] },
    {
      term: 'Empty column',
      text: 'An empty column takes any card.',
      pictures: [{ cards: [''] }],
    },
    {
      term: 'Stock and waste',
      text:
        `The stock is the face-down pile of ${counted(stockOf(game), 'card')}. ` +
        `Draw ${game.draw === 1 ? 'one card' : 'three cards'} at a time onto the waste. The top card of the waste may be played. ` +
        (game.redeals
          ? `When the stock is empty, turn the waste over and go through it again, ${counted(game.redeals, 'time')}.`
          : 'You go through the stock once.'),
      pictures: [{ cards: ['##'] }, { cards: game.draw > 1 ? ['5C', 'KD', '8S'] : ['8S'] }],
    },
  ]
}
