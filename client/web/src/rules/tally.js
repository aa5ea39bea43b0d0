/**
 * The result of one racer, computed from the log of moves and the other events of the seat. The same rules are in
 * shared/fortythieves/rules/tally.py and race_rules.py.
 */

import { TAKE_BACK_WITHIN } from '../protocol/constants.js'
import { Board, Illegal } from './board.js'
import { DRAW, moveText, parseMove, REDEAL } from './moves.js'

/**
 * @import { Card } from './cards.js'
 * @import { Game } from './games.js'
 */

/** @typedef {[ms: number, text: string][]} Log ms since the start, and a move or undo */
/** @typedef {[at: number, name: string, seat: number]} Event an event of the race that is not a move, and its seat */
/** @typedef {'none' | 'turned' | 'free'} Undo */
/** @typedef {{code: string, params: Record<string, string>}} Why an entry of a log is impossible */

const UNDO = 'undo'
/** The entries that move no card of the table. */
const NO_CARDS = new Set([UNDO, moveText(DRAW), moveText(REDEAL)])

/**
 * @typedef {object} Race the facts that are the same for all racers
 * @property {Game} game
 * @property {readonly Card[]} deck
 * @property {Undo} undo
 * @property {number} startsAt
 * @property {number} endsAt
 */

/**
 * @typedef {object} Run the result of playing a log, up to the first wrong entry.
 * @property {number} home
 * @property {number} reachedAt when the number of cards at home last changed.
 * @property {'solved' | 'stuck' | ''} outcome
 * @property {number} at the time of the last entry.
 * @property {number} entries
 * @property {(Why & {at: number}) | null} wrong
 */

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

/**
 * Make an entry of a log, or return why it is impossible.
 * @param {Board} board @param {Undo} undo @param {string} text @returns {Why | null}
 */
function played(board, undo, text) {
  // After the end a move of cards is illegal anyway. So the slow check is only made before a draw, a redeal or an undo.
  const outcome = NO_CARDS.has(text) && outcomeOf(board, undo)
  if (outcome) return { code: 'after-end', params: { move: text, outcome } }
  if (text === UNDO) {
    if (!mayUndo(board, undo)) return { code: 'illegal-move', params: { move: text } }
    board.undo()
    return null
  }
  try {
    board.play(parseMove(text))
  } catch (error) {
    return { code: error instanceof Illegal ? 'illegal-move' : 'bad-move', params: { move: text } }
  }
  return null
}

/** `turned`: no undo of a move that revealed a card, because it was seen. @param {Board} board @param {Undo} undo */
const mayUndo = (board, undo) => board.movesMade > 0 && (undo === 'free' || (undo === 'turned' && !board.lastTurned))

/**
 * How the race ends on this board, or ''. A stuck board ends it only if no undo is allowed.
 * @param {Board} board @param {Undo} undo
 */
function outcomeOf(board, undo) {
  const { outcome } = board
  if (outcome === 'won') return 'solved'
  return outcome === 'stuck' && !mayUndo(board, undo) ? 'stuck' : ''
}

/**
 * @typedef {object} Story the events of a seat, with their times.
 * @property {number} [startedLate]
 * @property {number | undefined} [gaveUp] only if not taken back.
 * @property {number} [left]
 * @property {number} [kicked]
 * @property {number} [stopped]
 * @property {boolean} [astray] whether the racer took back a give-up that did not exist.
 */

/** The stories by seat, only for seats with events. @param {readonly Event[]} events */
export function storiesOf(events) {
  /** @type {Map<number, Story>} */
  const told = new Map()
  for (const [at, name, seat] of events) told.set(seat, toldOf(told.get(seat) ?? {}, at, name))
  return told
}

/** @param {Story} story @param {number} at @param {string} name @returns {Story} */
function toldOf(story, at, name) {
  switch (name) {
    case 'started_late':
      return { ...story, startedLate: at }
    case 'gave_up':
      return { ...story, gaveUp: at }
    case 'took_back':
      return { ...story, gaveUp: undefined, astray: story.astray || story.gaveUp === undefined }
    case 'left':
      return { ...story, left: at }
    case 'stopped':
      return { ...story, stopped: at }
    default:
      return { ...story, kicked: at }
  }
}

/**
 * @typedef {object} End how the race ended for a racer, with the names and the order of the record
 * @property {string} state
 * @property {number} when
 * @property {number} home
 * @property {number} moves
 * @property {number} reached_at
 */

/**
 * How the race ended for a racer with this run and story.
 * @param {Race} race @param {Story} story @param {Run} run @returns {End}
 */
export function endOf(race, story, run) {
  const [state, when] = how(race, story, run)
  return { state, when, home: run.home, moves: run.entries, reached_at: run.reachedAt }
}

/** @param {Race} race @param {Story} story @param {Run} run @returns {[state: string, when: number]} */
function how({ startsAt, endsAt }, { kicked, left, stopped, gaveUp }, run) {
  const removedAt = kicked ?? left ?? stopped ?? endsAt
  // The first final event counts: a racer cannot lose a win by leaving, or by the time limit, just after it.
  if (run.outcome) return [run.outcome, run.at]
  if (gaveUp !== undefined && gaveUp + TAKE_BACK_WITHIN <= Math.min(removedAt, endsAt)) return ['gave_up', gaveUp]
  const outOfTime = run.entries ? 'timed_out' : 'did_not_start'
  if (removedAt >= endsAt) return [outOfTime, endsAt]
  if (kicked !== undefined) return ['disqualified', kicked]
  if (left !== undefined) return [left >= startsAt ? 'gave_up' : 'did_not_start', left]
  return [outOfTime, removedAt]
}
