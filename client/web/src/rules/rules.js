/** The rules of the games with one player's knowledge. `secret-deal.js`, which needs a hash and is needed last, stands apart. */

export { Board, bestMove, Illegal } from './board.js'
export { cardName, HIDDEN, isRed, names, parseCard, parseCards, RANKS, rankOf, SUITS, suitOf } from './cards.js'
export { GAMES, game, stockOf } from './games.js'
export { DRAW, FOUNDATION, moveOf, moveText, parseMove, REDEAL, STOCK, WASTE } from './moves.js'
