/** The games and the rules of a race, in words. */
import { GAMES, stockOf } from '../rules/games.js'
import { clockText, counted } from './format.js'

/**
 * @typedef {import('../rules/games.js').Game} Game
 * @typedef {import('./room-view.js').Settings} Settings
 * @typedef {import('./room-view.js').RacerState} RacerState
 * @typedef {1 | 2 | 3} Difficulty
 */

/**
 * What sets each game apart, and how hard it is among its family.
 *
 * @type {Readonly<Record<string, {line: string, hard: Difficulty}>>}
 */
const ABOUT = {
  'forty-thieves': { line: 'The classic: down in suit, one card at a time.', hard: 3 },
  indian: { line: 'Ten face down; build on any other suit.', hard: 2 },
  limited: { line: 'The classic with more air: twelve short columns.', hard: 2 },
  'little-forty': { line: 'Draw three, four times through. Sequences move.', hard: 1 },
  lucas: { line: 'Thirteen columns, and the aces are home already.', hard: 1 },
  maria: { line: 'Nine columns in alternating colours.', hard: 2 },
  'number-ten': { line: 'Half of the cards face down. Sequences move.', hard: 2 },
  'rank-and-file': { line: 'Three of four face down. Sequences move.', hard: 2 },
  streets: { line: 'The classic, in alternating colours.', hard: 2 },
}

export const DIFFICULTY = /** @type {const} */ ({ 1: 'gentle', 2: 'tricky', 3: 'hard' })

/** The games from the gentlest to the hardest, the most telling first. */
const ORDER = ['lucas', 'little-forty', 'limited', 'maria', 'streets', 'number-ten', 'indian', 'rank-and-file', 'forty-thieves']

/** @param {string} key */
export const about = (key) => ABOUT[key] ?? { line: '', hard: /** @type {Difficulty} */ (2) }

/** @returns {Game[]} */
export function gamesInOrder() {
  const rank = (/** @type {Game} */ game) => (ORDER.indexOf(game.key) + ORDER.length + 1) % (ORDER.length + 1)
  return [...GAMES.values()].sort((a, b) => rank(a) - rank(b))
}

/** Where everybody begins a game. @param {string} key */
export function dealtIn(key) {
  const game = GAMES.get(key)
  return game && { home: game.aces_out ? 8 : 0, stock: stockOf(game) }
}

/** @param {string} key */
export const gameName = (key) => GAMES.get(key)?.name ?? key

export const UNDO = /** @type {const} */ ({
  none: 'No undo: what is played stays played.',
  turned: 'Undo back to the last turned card: what was seen stays seen.',
  free: 'Undo as far as you like.',
})

export const LATE = /** @type {const} */ ({
  refuse: 'Nobody is let in while a race runs.',
  watch: 'Whoever comes late sees how everybody is doing and is in for the next race.',
  join: 'Whoever comes late may join in; the clock is running already.',
})

export const WATCHING = /** @type {const} */ ({
  everyone: 'Everyone may watch; the front page lists the race.',
  link: 'Whoever has the link may watch.',
  nobody: 'Nobody may watch.',
})

/**
 * What watchers see of the boards, and what follows from it for those who race.
 *
 * @type {Readonly<Record<Settings['watch'], (delay: number) => string>>}
 */
export const WATCH = {
  progress: () => 'Watchers see how many cards are home, and no board before the race is over.',
  frontier: () => 'Watchers see each board as far as the slowest racer is, so nobody who races can be told what comes.',
  delayed: (delay) => `Watchers see everything ${delayText(delay)} late. A racer who is slower than that can be told what comes.`,
  open: () => 'Watchers see everything at once, and can tell a racer what comes. For races among friends.',
}

/** @param {number} seconds */
export const delayText = (seconds) => (seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second'))

/** @param {Settings} settings */
const watchRule = ({ watching, watch, delay }) =>
  watching === 'nobody' ? WATCHING.nobody : `${WATCHING[watching]} ${WATCH[watch](delay)}`

/** `CODE/N`: the race whose deal is played again. @param {string | null | undefined} deal */
export function practiceOf(deal) {
  const [, code, race] = /^([A-Z]{6})\/(\d+)$/.exec(deal ?? '') ?? []
  return code ? { code, race: Number(race) } : null
}

export const RANKING =
  'Solved before unsolved; solved by time; the rest by cards home, then who reached that count first, ' +
  'then fewer moves. Equal in all: equal place. Who makes no move has no place.'

/** @param {number} seconds */
export const limitText = (seconds) =>
  seconds % 60 === 0 ? counted(seconds / 60, 'minute') : `${clockText(seconds * 1000)} minutes`

/** What the others may do after the first win. @param {number} seconds */
export const afterWinText = (seconds) => (seconds ? `The others have ${limitText(seconds)} more` : 'Everybody finishes')

/** @param {Settings} settings */
export function dealText({ deal }) {
  if (deal === 'secret') {
    return (
      'Secret deal, the same for everybody: made of the server’s secret and a number from each of you, ' +
      'and proved after the race.'
    )
  }
  const again = practiceOf(deal)
  if (!again) return `Open deal number ${deal}, the same for everybody: somebody may know it.`
  return (
    `Practice: the deal of race ${again.race} in room ${again.code} once more. ` +
    'Whoever raced there, or saw the replay, knows it.'
  )
}

/** All rules of a race. @param {Settings} settings @returns {[term: string, text: string][]} */
export const raceRules = (settings) => [
  ['Game', gameName(settings.game)],
  ['Time', `${limitText(settings.time_limit)} from the first card, for everybody.`],
  ['First win', `${afterWinText(settings.after_win)}.`],
  ['Undo', UNDO[settings.undo]],
  ['Hints', settings.hints ? 'Everybody may ask for one good move at a time.' : 'None.'],
  ['Late', LATE[settings.late]],
  ['Deal', dealText(settings)],
  [
    'Start',
    settings.auto_start
      ? `By itself once everybody here is ready, after a countdown of ${settings.countdown} seconds.`
      : `When the host says so, after a countdown of ${settings.countdown} seconds.`,
  ],
  ['Watching', watchRule(settings)],
  ['Ranking', RANKING],
]

/** @type {Readonly<Record<RacerState, string>>} */
export const STATES = {
  racing: 'racing',
  done: 'done',
  solved: 'solved',
  stuck: 'stuck',
  gave_up: 'gave up',
  timed_out: 'time ran out',
  did_not_start: 'did not start',
  disqualified: 'disqualified',
}

/** How one's own race ended, as it is said to oneself. @type {Readonly<Record<string, string>>} */
const OWN_ENDS = {
  done: 'You are done.',
  stuck: 'Stuck: no move is left.',
  timed_out: 'Your time ran out.',
  disqualified: 'You are disqualified.',
}

/** @param {keyof typeof STATES} state */
export const ownEnd = (state) => OWN_ENDS[state] ?? `You ${STATES[state]}.`
