/** The result of one racer, from the log of moves and the other events. The server has it in rules/tally.py and race_rules.py. */
import { TAKE_BACK_WITHIN } from '../protocol/constants.js'
import { Board, Illegal } from './board.js'
import { DRAW, moveText, REDEAL, UNDO } from './move-notation.js'

/**
 * @import { Card } from './cards.js'
 * @import { Game } from './games.js'
 * @typedef {[ms: number, text: string][]} Log ms since the start, and a move or undo
 * @typedef {[at: number, name: string, seat: number]} Event an event of the race that is not a move, and its seat
 * @typedef {'none' | 'turned' | 'free'} Undo
 * @typedef {{code: string, params: Record<string, string>}} Why an entry of a log is impossible
 * @typedef {{game: Game, deck: readonly Card[], undo: Undo, startsAt: number, endsAt: number}} Race the same for all racers
 * @typedef {object} Run the result of playing a log, up to the first wrong entry.
 * @property {number} home @property {number} reachedAt when the number of cards at home last changed.
 * @property {'solved' | 'stuck' | ''} outcome @property {number} at the time of the last entry.
 * @property {number} entries @property {(Why & {at: number}) | null} wrong
 * @typedef {object} Story the times of the events of a seat, by their names
 * @property {number} [started_late] @property {number | undefined} [gave_up] only if not taken back
 * @property {number} [left] @property {number} [kicked] @property {number} [stopped]
 * @property {boolean} [astray] whether the racer took back a give-up that did not exist
 * @typedef {{state: string, when: number, home: number, moves: number, reached_at: number}} End how the race ended for a
 *   racer, with the names and the order of the record
 */

/** The entries that move no card of the table. */
const NO_CARDS = new Set([UNDO, moveText(DRAW), moveText(REDEAL)])

/** Play a log of (ms since the start, move or undo). @param {Race} race @param {Log} log @returns {Run} */
export function runOf(race, log) {
  const board = Board.deal(race.game, race.deck)
  /** @type {Run} */
  const run = { home: board.home, reachedAt: race.startsAt, outcome: '', at: race.startsAt, entries: log.length, wrong: null }
  for (const [n, [ms, text]] of log.entries()) {
    const whyNot = played(board, race.undo, text)
    if (whyNot) return { ...run, wrong: { ...whyNot, at: n } }
    run.at = race.startsAt + ms
    if (board.home !== run.home) run.reachedAt = run.at
    run.home = board.home
  }
  return { ...run, outcome: outcomeOf(board, race.undo) }
}

/** Make an entry, or return why not. @param {Board} board @param {Undo} undo @param {string} text @returns {Why | null} */
function played(board, undo, text) {
  // After the end a move of cards is illegal anyway. So the slow check is only made before a draw, a redeal or an undo.
  const outcome = NO_CARDS.has(text) && outcomeOf(board, undo)
  if (outcome) return { code: 'after-end', params: { move: text, outcome } }
  if (text === UNDO && !mayUndo(board, undo)) return { code: 'illegal-move', params: { move: text } }
  try {
    board.enter(text)
  } catch (error) {
    return { code: error instanceof Illegal ? 'illegal-move' : 'bad-move', params: { move: text } }
  }
  return null
}

/** `turned`: no undo of a move that revealed a card, because it was seen. @param {Board} board @param {Undo} undo */
const mayUndo = (board, undo) => board.movesMade > 0 && (undo === 'free' || (undo === 'turned' && !board.lastRevealed))

/** How the race ends on this board, or ''. Stuck ends it if no undo is allowed. @param {Board} board @param {Undo} undo */
function outcomeOf(board, undo) {
  const { outcome } = board
  if (outcome === 'won') return 'solved'
  return outcome === 'stuck' && !mayUndo(board, undo) ? 'stuck' : ''
}

/** The stories by seat, only for seats with events. @param {readonly Event[]} events */
export function storiesOf(events) {
  /** @type {Map<number, Story>} */
  const stories = new Map()
  for (const [at, name, seat] of events) {
    const story = stories.get(seat) ?? {}
    const isAstray = story.astray || story.gave_up === undefined
    stories.set(seat, { ...story, ...(name === 'took_back' ? { gave_up: undefined, astray: isAstray } : { [name]: at }) })
  }
  return stories
}

/** How the race ended for a racer. @param {Race} race @param {Story} story @param {Run} run @returns {End} */
export function endOf(race, story, run) {
  const [state, when] = how(race, story, run)
  return { state, when, home: run.home, moves: run.entries, reached_at: run.reachedAt }
}

/** @param {Race} race @param {Story} story @param {Run} run @returns {[state: string, when: number]} */
function how({ startsAt, endsAt }, { kicked, left, stopped, gave_up }, run) {
  const removedAt = kicked ?? left ?? stopped ?? endsAt
  // The first final event counts: a racer cannot lose a win by leaving, or by the time limit, just after it.
  if (run.outcome) return [run.outcome, run.at]
  if (gave_up !== undefined && gave_up + TAKE_BACK_WITHIN <= Math.min(removedAt, endsAt)) return ['gave_up', gave_up]
  const outOfTime = run.entries ? 'timed_out' : 'did_not_start'
  if (removedAt >= endsAt) return [outOfTime, endsAt]
  if (kicked !== undefined) return ['disqualified', kicked]
  if (left !== undefined) return [left >= startsAt ? 'gave_up' : 'did_not_start', left]
  return [outOfTime, removedAt]
}
