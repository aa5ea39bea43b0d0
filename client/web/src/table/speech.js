/** The table's texts. `table.js` renders the lasting ones once more after a change of language. */
import { untracked } from '@preact/signals'
import { HIDDEN, RANKS, SUITS, suitOf } from '../rules/cards.js'
import { FOUNDATION, STOCK, WASTE } from '../rules/move-notation.js'
import { language, t } from '../words/translate.js'

/** @import { Game } from '../rules/games.js' */
/** @import { Refusal } from './state.js' */
/** @import { Board } from '../rules/board.js' */
/** @import { Move } from '../rules/move-notation.js' */
/** @import { Pile } from './state.js' */

/** A message, for callers that must not re-run when the language changes. */
export const say = /** @type {typeof t} */ ((/** @type {[any]} */ ...message) => untracked(() => t(...message)))

/** A cache for one language, because each move needs the names of all face-up cards. */
let made = { tag: '', names: /** @type {string[]} */ ([]), list: new Intl.ListFormat() }

function inUse() {
  const tag = untracked(language)
  if (made.tag !== tag) made = { tag, names: [], list: new Intl.ListFormat(tag, { type: 'unit' }) }
  return made
}

/** A suit, as messages name it. @param {number} suit */
const suitText = (suit) => SUITS[suit] ?? ''

/** `10 of hearts`. @param {number} card */
export function cardText(card) {
  if (card === HIDDEN) return say('race.table.faceDown')
  const { names } = inUse()
  names[card] ??= say('race.table.card', { rank: RANKS[card % 13]?.replace('T', '10') ?? '', suit: suitText(suitOf(card)) })
  return names[card]
}

/** A list with separators. @param {readonly string[]} texts */
const listed = (texts) => inUse().list.format(texts)

/** `2 of clubs, 3 of clubs`. @param {readonly number[]} cards */
const cardsText = (cards) => listed(cards.map(cardText))

/** The sentence for a refusal. @param {Refusal} reason @param {Game | undefined} game */
export function reasonText(reason, game) {
  // Remind the player how columns are built.
  if (reason === 'does-not-build' && game) return say(`race.table.no.build-${game.build}`)
  return say(`race.table.no.${reason}`)
}

// Texts for screen readers: the cards of each pile, and the last move.

/** @param {Board} board @param {number | undefined} slot */
const cardAt = (board, slot) => cardText(slot === undefined ? HIDDEN : board.face(slot))

/** @param {Board} board @param {number} suit */
function foundationLabel(board, suit) {
  const piles = board.homeSlots.slice(suit * 2, suit * 2 + 2).filter((pile) => pile.length)
  const [first = '', second = ''] = piles.map((pile) => cardAt(board, pile.at(-1)))
  return say('race.table.foundation', { suit: suitText(suit), count: piles.length, first, second })
}

/** @param {Board} board @param {Pile} pile */
export function pileLabel(board, { number, suit }) {
  const { stockCount, redealsLeft: redeals } = board
  if (number === STOCK) return say('race.table.stock', { cards: stockCount, redeals })
  if (number === FOUNDATION) return foundationLabel(board, suit)
  const pile = board.pile(number)
  const top = cardAt(board, pile.at(-1))
  if (number === WASTE) return say('race.table.waste', { cards: pile.length, top })
  return say('race.table.column', { column: number, cards: pile.length, top, down: board.down(number) })
}

/** A pile with all its known cards, from the bottom to the top. @param {Board} board @param {Pile} pile */
export function pileInFull(board, pile) {
  const { number } = pile
  if (number < WASTE) return pileLabel(board, pile)
  const down = number === WASTE ? 0 : board.down(number)
  const known = board.pile(number).slice(down)
  if (!known.length) return pileLabel(board, pile)
  const cards = cardsText(known.map((slot) => board.face(slot)))
  if (number === WASTE) return say('race.table.wasteInFull', { cards })
  return say('race.table.columnInFull', { column: number, down, cards })
}

/** The cards on all foundations. @param {Board} board */
export const homesInFull = (board) => listed([0, 1, 2, 3].map((suit) => foundationLabel(board, suit)))

/** The last move in words; null while a card that it revealed is still unknown. @param {Board} board */
export function lastMove(board) {
  const { last } = board
  if (!last) return ''
  const { move, moved, revealed } = last
  const cards = revealed.map((slot) => board.face(slot))
  if (cards.includes(HIDDEN)) return null
  if (move.source === STOCK) return say('race.table.drew', { cards: cardsText(cards) })
  if (move.target === STOCK) return say('race.table.redealt')
  const card = cardAt(board, moved[0])
  const said =
    move.target === FOUNDATION
      ? say('race.table.movedHome', { card })
      : say('race.table.moved', { count: move.count, card, column: move.target })
  // A column that was filled again is named, because its new card may come from the waste.
  if (last.refilled) return `${said} ${pileLabel(board, { id: '', number: move.source, suit: -1 })}`
  return [said, ...cards.map((card) => say('race.table.revealed', { card: cardText(card) }))].join(' ')
}

/** A hint in words. @param {Board} board @param {Move} move */
export function hinted(board, { source, target, count }) {
  if (source === STOCK) return say('race.table.hint.draw')
  if (target === STOCK) return say('race.table.hint.redeal')
  const card = cardAt(board, board.pile(source).at(-count))
  return target === FOUNDATION
    ? say('race.table.hint.home', { card })
    : say('race.table.hint.move', { count, card, column: target })
}
