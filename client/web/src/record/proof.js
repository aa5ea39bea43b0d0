/**
 * Whether the record of a race is true: everything in it is computed from its sources.
 *
 * The signature rests on the server's key, the deck on the secret that was committed to, the boards on the deck and the moves,
 * the results on the boards and the times, and the places on the results. Each check takes the step before it as given in the
 * record, so the first failed check shows the wrong part. The program `forty-thieves verify` does the same (shared/fortythieves/record/proof.py)
 * and finds the same codes with the same parameters; `reasons.js` has the words of the page for them.
 *
 * Nothing in here is needed before a race is over.
 */
import { TAKE_BACK_WITHIN } from '../protocol/constants.js'
import { Board } from '../rules/board.js'
import { names, parseCards } from '../rules/cards.js'
import { game } from '../rules/games.js'
import { parseMove } from '../rules/move-notation.js'
import { nth } from '../rules/nth.js'
import { deckOfNumber } from '../rules/numbered-deal.js'
import { isRanked, places } from '../rules/ranking.js'
import { commitmentOf, deckOfSecret, nonceCommitmentOf } from '../rules/secret-deal.js'
import { endOf, runOf, storiesOf } from '../rules/tally.js'
import { choiceOf, rootFrom } from '../rules/winnable-draw.js'
import { beginsAt, earlier, gameOfDay, isWon, secretOfDay } from '../solver/day.js'
import { solve, starsOf } from '../solver/effort.js'
import { isPromised } from './promise.js'
import { signedBytes } from './race-record.js'
import { faultOf } from './shape.js'
import { isSigned } from './signature.js'

/**
 * @import { End, Run, Story } from '../rules/tally.js'
 * @import { DayProof, RaceRecord, Racer, Winnable } from './race-record.js'
 * @import { Reason } from './reasons.js'
 * @typedef {Record<string, number | null>} Keys each with the time (ms) until which the server signed with it; null: it still does
 * @typedef {'format' | 'signature' | 'commitment' | 'deal' | 'winnable' | 'day' | 'moves' | 'times' | 'results' | 'ranking'}
 *   CheckName in this order. A record of the wrong form fails the first, and has no others. Only that of a winnable deal has
 *   `winnable`, and only that of a deal of the day `day`.
 * @typedef {{check: CheckName, ok: boolean} & Wrong} Check a finding
 * @typedef {Reason & {seat?: number, at?: number}} Wrong `at`: the entry of the log of this seat, from 0
 * @typedef {Reason | Wrong[]} Found that the check holds, or all that is wrong
 * @typedef {{runs: Map<number, Run>, stories: Map<number, Story>, ends: Map<number, End>}} Tally by seat
 */

/** A key is given up at one time, and processes hear of that a little later (ms). */
const HEARD_WITHIN = 60_000

/**
 * Remarks on the racers' numbers in the deal of a valid record. Empty for an open deal.
 * @param {RaceRecord} record @returns {(Reason & {warns: boolean})[]} `warns`: it weakens the proof
 */
export function remarks({ secret, source, nonces, commitments, racers }) {
  if (secret === null || source) return []
  const there = racers.filter((racer) => !racer.late).length
  const revealed = new Set(nonces.map(([seat]) => seat))
  const withheld = commitments.filter(([seat]) => !revealed.has(seat))
  return [
    nonces.length
      ? { warns: false, code: 'numbers-given', params: { given: nonces.length, racers: there } }
      : { warns: true, code: 'no-numbers' },
    ...withheld.map(([seat]) => ({ warns: false, code: 'number-withheld', params: { seat } })),
  ]
}

/**
 * All that can be checked of a record (as `read` of race-record.js gives it), in the order of `CheckName`. A check that holds is
 * there once; one that fails, once for everything that is wrong.
 * @param {unknown} record
 * @param {string | Keys | null} [key] the public key that it should be signed with, in hexadecimal, or all that its server has
 *   had; without it the finding names the key that it is signed with
 * @param {Record<string, string>} [links] keys that the server has published, by day
 * @returns {Check[]}
 */
export function verify(record, key = null, links = {}) {
  const fault = faultOf(record)
  if (fault) return [{ check: 'format', ok: false, ...fault }]
  const read = /** @type {RaceRecord} */ (record)
  const keys = typeof key === 'string' ? { [key]: null } : key
  const tally = tallyOf(read)
  const moves = [...tally.runs.values()].reduce((sum, { entries }) => sum + entries, 0)
  return [
    ...checksOf('format', { code: 'well-formed' }),
    ...checksOf('signature', signature(read, keys)),
    ...checksOf('commitment', commitment(read, keys)),
    ...checksOf('deal', foundOf(dealWrongs(read), 'dealt')),
    ...(read.winnable
      ? checksOf('winnable', foundOf(winnableWrongs(read, read.winnable), 'can-be-won', { stars: read.winnable.stars }))
      : []),
    ...(read.day ? checksOf('day', dayOf(read, read.day, links)) : []),
    ...checksOf('moves', foundOf(moveWrongs(tally), 'legal', { moves })),
    ...checksOf('times', foundOf([...raceTimes(read, tally), ...eventTimes(read, tally), ...logTimes(read, tally)], 'in-order')),
    ...checksOf('results', foundOf(resultWrongs(read, tally), 'results-follow')),
    ...checksOf('ranking', foundOf(placeWrongs(read, tally), 'places-follow')),
  ]
}

/** @param {CheckName} check @param {Found} found @returns {Check[]} */
const checksOf = (check, found) =>
  Array.isArray(found) ? found.map((wrong) => ({ check, ok: false, ...wrong })) : [{ check, ok: true, ...found }]

/** @param {Iterable<Wrong>} wrongs @param {string} code if there are none @param {Reason['params']} [params] @returns {Found} */
function foundOf(wrongs, code, params) {
  const all = [...wrongs]
  return all.length ? all : { code, ...(params && { params }) }
}

/** @param {RaceRecord} record @returns {Tally} */
function tallyOf(record) {
  const race = {
    game: game(record.game),
    deck: parseCards(record.deck),
    undo: record.settings.undo,
    startsAt: record.starts_at,
    endsAt: record.ends_at,
  }
  const runs = new Map(record.logs.map(([seat, log]) => [seat, runOf(race, log)]))
  const stories = storiesOf(record.events)
  const ends = new Map(
    record.racers.map((racer) => {
      const run = /** @type {Run} */ (runs.get(racer.seat))
      // A wrong log has no results. The record's result is taken, and `moves` names the mistake.
      return [racer.seat, run.wrong ? stated(racer) : endOf(race, stories.get(racer.seat) ?? {}, run)]
    }),
  )
  return { runs, stories, ends }
}

/** The fields of a result, in the order of the checks. */
const FIELDS = /** @type {const} */ (['state', 'when', 'home', 'moves', 'reached_at'])

/** @param {Racer} racer @returns {End} */
const stated = ({ state, when, home, moves, reached_at }) => ({ state, when, home, moves, reached_at })

/** @param {string} code @param {Reason['params']} [params] @returns {Found} */
const bad = (code, params) => [{ code, ...(params && { params }) }]

/** Whether the server had given up a key before this time. @param {Keys} keys @param {string} key @param {number} at */
const isGivenUp = (keys, key, at) => at > (keys[key] ?? Infinity) + HEARD_WITHIN

/** @param {RaceRecord} record @param {Keys | null} expected @returns {Found} */
function signature(record, expected) {
  const { key, over_at } = record
  if (expected && !Object.hasOwn(expected, key)) return bad('wrong-key', { key, expected: Object.keys(expected) })
  if (expected && isGivenUp(expected, key, over_at)) return bad('key-given-up', { key })
  if (!isSigned(signedBytes(record), record.signature, key)) return bad('bad-signature')
  return { code: expected ? 'signed-by-server' : 'signed', params: { key } }
}

// The deal

/**
 * Whether the secret is the committed one, and the server signed its commitment before the race, perhaps with an earlier key.
 * @param {RaceRecord} record @param {Keys | null} expected @returns {Found}
 */
function commitment(record, expected) {
  const { secret, commitment, promise, source, starts_at } = record
  if (secret === null && commitment === null) return { code: 'open-deal' }
  if (secret === null || commitment === null) return bad('half')
  if (!record.winnable && commitmentOf(secret) !== commitment) return bad('wrong-secret')
  if (!promise) return bad('no-promise')
  const { key, at } = promise
  if (expected && !Object.hasOwn(expected, key)) return bad('promise-wrong-key', { key })
  if (expected && isGivenUp(expected, key, at)) return bad('promise-key-given-up', { key })
  const [code, race] = source ?? [record.code, record.race]
  if (!isPromised(promise, code, race, commitment)) return bad('bad-promise')
  if (at > starts_at) return bad('late-promise')
  return { code: record.winnable ? 'draw-promised' : 'promised', params: { key } }
}

/** @param {RaceRecord} record @returns {Generator<Wrong>} */
function* dealWrongs(record) {
  if (record.game !== record.settings.game) yield { code: 'wrong-game' }
  if (!isAsSet(record)) {
    yield { code: 'wrong-kind' }
    return
  }
  yield* nonceWrongs(record)
  const deck = deckOf(record)
  if (!deck) yield { code: 'no-such-deal' }
  else if (names(deck) !== record.deck) yield { code: 'wrong-deck' }
}

/**
 * A nonce needs a commitment from before the countdown, and no bot may add one: the server could play the bot. On the deal
 * of an earlier race, both are of its racers. Its own record has these.
 * @param {RaceRecord} record @returns {Generator<Wrong>}
 */
function* nonceWrongs({ commitments, nonces, racers, source }) {
  const committed = new Map(commitments)
  if (!source) {
    /** Whether each starter is a bot. */
    const starters = new Map(racers.filter(({ late }) => !late).map(({ seat, bot }) => [seat, bot]))
    for (const [seat] of nonces) if (!starters.has(seat)) yield { code: 'nonce-not-there', seat }
    for (const [seat] of commitments) if (starters.get(seat) !== false) yield { code: 'commitment-not-there', seat }
  }
  for (const [seat, nonce] of nonces) {
    if (committed.get(seat) !== nonceCommitmentOf(nonce)) yield { code: 'wrong-nonce', seat }
  }
}

/** The deck of a secret and its nonces, else of a number; null if there is none. @param {RaceRecord} record */
function deckOf(record) {
  const { secret, number } = record
  if (secret !== null) return deckOfSecret(secret, record.winnable ? [] : noncesOf(record))
  try {
    return deckOfNumber(number ?? '')
  } catch {
    return null
  }
}

/** @param {RaceRecord} record @returns {string[]} sorted by seat */
const noncesOf = ({ nonces }) => nonces.map(([, nonce]) => nonce)

/** Whether the deal comes from where the settings say. @param {RaceRecord} record */
function isAsSet({ settings: { deal }, secret, number, nonces, commitments, promise, winnable }) {
  const isWinnable = deal.startsWith('winnable')
  if (isWinnable !== (winnable !== null)) return false
  if (deal === 'secret' || isWinnable) return secret !== null && number === null
  return secret === null && number === deal && !nonces.length && !commitments.length && !promise
}

/** @param {RaceRecord} record @param {Winnable} proof @returns {Generator<Wrong>} */
function* winnableWrongs(record, { leaf, path, line, stars }) {
  const { secret, commitment, settings } = record
  if (secret === null || commitment === null) {
    yield { code: 'wrong-path' }
    return
  }
  if (rootFrom(commitmentOf(secret), leaf, path) !== commitment) yield { code: 'wrong-path' }
  const chosen = choiceOf(commitment, noncesOf(record))
  if (leaf !== chosen) yield { code: 'wrong-leaf', params: { stated: leaf, right: chosen } }
  const dealt = Board.deal(game(record.game), parseCards(record.deck))
  if (wins(dealt.copy(), line)) {
    const solved = solve(dealt)
    const right = solved && starsOf(record.game, solved.rung)
    if (stars !== right) yield { code: 'wrong-stars', params: { stated: stars, right } }
  } else yield { code: 'wrong-line' }
  // The number of stars in the setting; none: any.
  const set = Number(/^winnable-(\d)$/.exec(settings.deal)?.[1] ?? stars)
  if (stars !== set) yield { code: 'other-stars', params: { stated: stars, set } }
}

/**
 * Whether the deal is that of its day: the first of its key with the stars of the weekday.
 * @param {RaceRecord} record @param {DayProof} proof @param {Record<string, string>} links @returns {Found}
 */
function dayOf(record, { day, key, counter, stars }, links) {
  const [right, set] = gameOfDay(day)
  /** @type {Wrong[]} */
  const wrongs = []
  if (secretOfDay(key, counter) !== record.secret) wrongs.push({ code: 'not-of-key' })
  if (record.game !== right) wrongs.push({ code: 'other-game', params: { right } })
  const endsAt = beginsAt(day + 1)
  if (record.starts_at < beginsAt(day) || record.starts_at >= endsAt || record.over_at > endsAt)
    wrongs.push({ code: 'other-day' })
  if (stars && stars !== set) wrongs.push({ code: 'other-stars', params: { stated: stars, set } })
  if (!Object.entries(links).every(([known, link]) => isLinked(day, key, Number(known), link)))
    wrongs.push({ code: 'other-chain' })
  // Unless no deal was found in time, it is the first that is won.
  const won = () => Array.from({ length: counter + 1 }, (_, at) => at).find((at) => isWon(right, set, secretOfDay(key, at)))
  if (!wrongs.length && counter !== (stars ? won() : 0)) wrongs.push({ code: 'other-deal' })
  return wrongs.length ? wrongs : { code: stars ? 'of-day' : 'of-day-unproved', params: { day } }
}

/**
 * Whether the key of a day and a published key are of one chain.
 * @param {number} day @param {string} key @param {number} known the day of the published key @param {string} link that key
 */
const isLinked = (day, key, known, link) =>
  known < day ? earlier(key, day - known) === link : earlier(link, known - day) === key

/** Whether the moves of a line win. @param {Board} board @param {string[]} line */
function wins(board, line) {
  try {
    for (const text of line) board.play(parseMove(text))
  } catch {
    return false
  }
  return board.outcome === 'won'
}

// The moves

/** The first wrong entry of each log. @param {Tally} tally @returns {Generator<Wrong>} */
function* moveWrongs({ runs }) {
  for (const [seat, { wrong }] of runs) {
    if (wrong) yield { ...wrong, seat }
  }
}

// The times

/** @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* raceTimes({ starts_at, ends_at, over_at, settings }, { ends }) {
  if (ends_at !== starts_at + settings.time_limit * 1000) yield { code: 'wrong-end' }
  if (over_at !== [...ends.values()].reduce((last, { when }) => Math.max(last, when), 0)) yield { code: 'wrong-over' }
}

/** @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* eventTimes({ events, racers, settings }, { stories }) {
  if (events.some(([at], i) => i > 0 && at < nth(events, i - 1)[0])) yield { code: 'events-unsorted' }
  for (const { seat, late } of racers) {
    const { started_late, astray } = stories.get(seat) ?? {}
    if (late !== (started_late !== undefined)) yield { code: 'late-unclear', seat }
    else if (late && settings.late !== 'join') yield { code: 'late-not-let-in', seat }
    if (astray) yield { code: 'nothing-to-take-back', seat }
  }
}

/** The first wrong time of each log. @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* logTimes({ logs, starts_at, ends_at }, { stories, ends }) {
  for (const [seat, log] of logs) {
    const start = (stories.get(seat)?.started_late ?? 0) - starts_at
    // Processes may learn a moment late that a racer has given up or left.
    const stop = /** @type {End} */ (ends.get(seat)).when - starts_at + TAKE_BACK_WITHIN
    const codes = log.map(([ms], i) => {
      if (ms < (log[i - 1]?.[0] ?? 0)) return 'before-last-entry'
      if (ms >= ends_at - starts_at) return 'after-race'
      if (ms < start) return 'before-start'
      return ms > stop ? 'after-racer' : ''
    })
    const at = codes.findIndex(Boolean)
    if (at >= 0) yield { code: nth(codes, at), seat, at }
  }
}

// The results

/** The first wrong field of each racer. @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* resultWrongs({ racers }, { ends }) {
  for (const racer of racers) {
    const end = /** @type {End} */ (ends.get(racer.seat))
    const field = FIELDS.find((name) => racer[name] !== end[name])
    if (!field) continue
    yield { code: 'wrong-result', params: { field, stated: racer[field], right: end[field] }, seat: racer.seat }
  }
}

/** @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* placeWrongs({ racers }, { ends }) {
  const done = [...ends].filter(([, { state, moves }]) => isRanked(state, moves))
  const ranked = places(new Map(done.map(([seat, end]) => [seat, { ...end, solved: end.state === 'solved' }])))
  for (const { seat, place } of racers) {
    const right = ranked.get(seat) ?? null
    if (place !== right) yield { code: 'wrong-place', params: { stated: place, right }, seat }
  }
}
