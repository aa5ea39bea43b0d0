/** The rules of the games with one player's knowledge. `deal.js`, which needs a hash and is needed last, stands apart. */

export { Board, Illegal, bestMove } from './board.js'
export { HIDDEN, RANKS, SUITS, cardName, isRed, names, parseCard, parseCards, rankOf, suitOf } from './cards.js'
export { GAMES, game, stockOf } from './games.js'
export { DRAW, FOUNDATION, REDEAL, STOCK, WASTE, moveOf, moveText, parseMove } from './moves.js'
