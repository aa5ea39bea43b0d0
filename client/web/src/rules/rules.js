/** The rules of the games with one player's knowledge, without `secret-deal.js`: it needs a hash library and is used last. */

export { Board, bestMove, Illegal } from './board.js'
export { cardName, HIDDEN, isRed, names, parseCard, parseCards, RANKS, rankOf, SUITS, suitOf } from './cards.js'
export { GAMES, game, stockOf } from './games.js'
export { DRAW, FOUNDATION, moveOf, moveText, parseMove, REDEAL, STOCK, WASTE } from './move-notation.js'
