/** The keys of the pages with boards, as their help tells them. */

/** @typedef {readonly [key: string, text: string]} KeyText */

/** @type {readonly KeyText[]} */
const race = [
  ['← → ↑ ↓', 'go from pile to pile'],
  ['Enter', 'lift cards, place them'],
  ['↑ ↓', 'with cards lifted: one more, one fewer'],
  ['1 … 9, 0', 'columns 1 to 10: lift, place'],
  ['Shift 1 … 3', 'columns 11 to 13'],
  ['W', 'waste'],
  ['Space', 'draw'],
  ['F', 'send home'],
  ['B', 'best move: home first'],
  ['U', 'undo'],
  ['T', 'hint: a good move, where the race has hints'],
  ['R', 'read the pile with the focus aloud, from the bottom'],
  ['H', 'read the foundations aloud'],
  ['N', 'read aloud how the others are doing'],
  ['M', 'sound on, off'],
  ['C', 'chat'],
  ['Z', 'zen: nothing but the board'],
  ['Escape', 'put down what is lifted; leave the chat, or zen'],
  ['?', 'this help'],
]

/** Where nobody else is. @type {readonly KeyText[]} */
const practice = race.filter(([key]) => !['T', 'N', 'M', 'C', 'Z'].includes(key))

/** @type {readonly KeyText[]} */
const watch = [
  ['1 … 9', 'show one board; the same again: all'],
  ['← → ↑ ↓', 'go from board to board'],
  ['Page ↑ ↓', 'the boards before, the next ones'],
  ['Enter', 'show the marked board alone'],
  ['0, G, Escape', 'show all boards'],
  ['R', 'chart of the race, with what happened'],
  ['N', 'read aloud how everybody is doing'],
  ['T', 'tour: the board on which something happens, or the next one'],
  ['Space', 'pause the tour'],
  ['C', 'chat'],
  ['?', 'this help'],
]

/** @type {readonly KeyText[]} */
const replay = [
  ['Space', 'play, pause'],
  ['← →', '5 seconds back and on'],
  [', .', 'one move back and on'],
  ['[ ]', 'event before, next event'],
  ['Home, End', 'start and end'],
  ['− +', 'slower, faster'],
  ['S', 'align by time or by stock card'],
  ['1 … 9', 'one board large; again: all'],
  ['↑ ↓', 'go from board to board'],
  ['Page ↑ ↓', 'the boards before, the next ones'],
  ['Enter', 'show the marked board alone'],
  ['0, G, Escape', 'all boards'],
  ['?', 'this help'],
]

export const KEYS = { race, practice, watch, replay }
