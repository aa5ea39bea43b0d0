/**
 * Whether the record of a race is true: everything in it is computed again from what it rests on.
 *
 * The signature rests on the server's key, the deck on the secret that was committed to, the boards on the deck and the moves,
 * the results on the boards and the times, and the places on the results. Each check takes the step before it as given in the
 * record, so that what fails is what is wrong. The program `forty-thieves verify` does the same (shared/fortythieves/record/proof.py)
 * and gives the same reasons in the same words.
 *
 * Nothing in here is needed before a race is over.
 */

import { names, parseCards } from '../rules/cards.js'
import { game } from '../rules/games.js'
import { nonceCommitmentOf } from '../rules/nonce.js'
import { deckOfNumber } from '../rules/numbered-deal.js'
import { isRanked, places, ruleOfRecord } from '../rules/ranking.js'
import { commitmentOf, deckOfSecret } from '../rules/secret-deal.js'
import { endOf, runOf, storiesOf, TAKE_BACK_WITHIN } from '../rules/tally.js'
import { isPromised } from './promise.js'
import { signedBytes } from './race-record.js'
import { faultOf } from './shape.js'
import { isSigned } from './signature.js'

/** @typedef {import('./race-record.js').RaceRecord} RaceRecord */
/** @typedef {import('./race-record.js').Racer} Racer */
/** @typedef {import('../rules/tally.js').End} End */
/** @typedef {Record<string, number | null>} Keys each with the time (ms) until which the server signed with it; null: it still does */

/** In this order. A record of the wrong form has failed the first, and is not asked the others. */
export const CHECKS = /** @type {const} */ (['format', 'signature', 'commitment', 'deal', 'moves', 'times', 'results', 'ranking'])

/**
 * @typedef {object} Check what was found: at a seat, and at an entry of its log (the first is 0), where it is about one
 * @property {typeof CHECKS[number]} check
 * @property {boolean} ok
 * @property {string} reason
 * @property {number} [seat]
 * @property {number} [at]
 */

/** @typedef {{reason: string, seat?: number, at?: number}} Wrong */
/** @typedef {{good: string, wrongs: Wrong[]}} Found what is said if the check holds, and what is wrong if it does not */

/**
 * @typedef {object} Tally what follows from a record, by seat
 * @property {Map<number, import('../rules/tally.js').Run>} runs
 * @property {Map<number, import('../rules/tally.js').Story>} stories
 * @property {Map<number, End>} ends
 */

/** A key is given up at one time, and processes hear of that a little later (ms). */
const HEARD_WITHIN = 60_000

/** What whoever gives keys by hand may have left out: records are signed later than promises are made. */
const EARLIER = '(an earlier key of the server has to be given, too)'

const NOBODYS = "no racer's number went into the deal: the server alone chose the cards"
/** So it was in version 1. A server that wants to choose can still write such a record. */
const UNCOMMITTED = 'racers said their numbers without having committed to them: a server with a seat could choose the cards'

/**
 * Whose numbers went into the deal of a record of the right form. There is nothing to say of an open deal.
 *
 * @param {RaceRecord} record
 * @returns {{warns: boolean, text: string}[]} `warns`: it takes something from what the record proves
 */
export function remarks({ version, secret, practice, nonces, commitments = [], racers }) {
  if (secret === null || practice !== null) return []
  const there = racers.filter((racer) => !racer.late).length
  const revealed = new Set(nonces.map(([seat]) => seat))
  const withheld = commitments.filter(([seat]) => !revealed.has(seat))
  return [
    nonces.length
      ? { warns: false, text: `${nonces.length} of ${there} racers' numbers went into the deal` }
      : { warns: true, text: NOBODYS },
    ...(nonces.length && version === 1 ? [{ warns: true, text: UNCOMMITTED }] : []),
    ...withheld.map(([seat]) => ({ warns: false, text: `seat ${seat} promised a number and did not reveal it in time` })),
  ]
}

/**
 * All that can be checked of a record (as `read` of record.js gives it), in the order of `CHECKS`. A check that holds is there
 * once; one that fails, once for everything that is wrong.
 *
 * @param {unknown} record
 * @param {string | Keys | null} [key] the public key that it should be signed with, in hexadecimal, or all that its server has
 *   had; without it the reason names the key that it is signed with
 * @returns {Check[]}
 */
export function verify(record, key = null) {
  const fault = faultOf(record)
  if (fault) return [{ check: 'format', ok: false, reason: fault }]
  const read = /** @type {RaceRecord} */ (record)
  const keys = typeof key === 'string' ? { [key]: null } : key
  const tally = tallyOf(read)
  /** @type {Found[]} */
  const found = [
    { good: 'it has all that a record has', wrongs: [] },
    signature(read, keys),
    commitment(read, keys),
    { good: 'the deck is the one of this deal', wrongs: [...dealWrongs(read)] },
    moves(tally),
    { good: 'all times are in order', wrongs: [...raceTimes(read, tally), ...eventTimes(read, tally), ...logTimes(read, tally)] },
    { good: 'all results follow from the moves', wrongs: [...resultWrongs(read, tally)] },
    { good: 'the places follow from the results', wrongs: [...placeWrongs(read, tally)] },
  ]
  return found.flatMap(({ good, wrongs }, i) => {
    const check = { check: CHECKS[i], ok: !wrongs.length, reason: good }
    return wrongs.length ? wrongs.map((wrong) => ({ ...check, ...wrong })) : check
  })
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
      const run = /** @type {import('../rules/tally.js').Run} */ (runs.get(racer.seat))
      // Nothing follows from a log that is wrong: its result stands as it is written, and `moves` says what is wrong.
      return [racer.seat, run.wrong ? stated(racer) : endOf(race, stories.get(racer.seat) ?? {}, run)]
    }),
  )
  return { runs, stories, ends }
}

/** @param {Racer} racer @returns {End} */
const stated = ({ state, when, home, moves, reached_at }) => ({ state, when, home, moves, reached_at })

/** @type {(good: string) => Found} */
const good = (text) => ({ good: text, wrongs: [] })
/** @type {(reason: string) => Found} */
const bad = (reason) => ({ good: '', wrongs: [{ reason }] })

// The signature

/** @param {RaceRecord} record @param {Keys | null} expected @returns {Found} */
function signature(record, expected) {
  const own = record.key
  if (expected !== null && !Object.hasOwn(expected, own)) {
    return bad(`it is signed with the key ${own}, and should be with ${Object.keys(expected).join(' or ')}`)
  }
  if (expected !== null && isGivenUp(expected[own], record.over_at))
    return bad(`the key ${own} was given up before the race was over`)
  if (!isSigned(signedBytes(record), record.signature, own)) return bad('the signature is not one of this record')
  if (expected !== null) return good(`it is signed with the key ${own}, as it should be`)
  return good(`it is signed with the key ${own}; whether that is the server's, only the server can tell`)
}

// The deal

/** @param {number | null} until @param {number} at */
const isGivenUp = (until, at) => until !== null && at > until + HEARD_WITHIN

/** @param {RaceRecord} record @param {Keys | null} expected @returns {Found} */
function commitment(record, expected) {
  const { secret, commitment, version, practice } = record
  if (secret === null && commitment === null) return good('an open deal needs no commitment')
  if (secret === null || commitment === null) return bad('a secret and a commitment go together')
  if (commitmentOf(secret) !== commitment) return bad('the secret is not the one that was committed to')
  if (version === 1 || practice !== null) return good('the secret is the one that was committed to')
  return promised(record, commitment, expected)
}

/**
 * Whether the server has signed before the race what it was committed to; perhaps with an earlier key of its.
 *
 * @param {RaceRecord} record
 * @param {string} commitment
 * @param {Keys | null} expected
 * @returns {Found}
 */
function promised({ promise, code, race, starts_at }, commitment, expected) {
  if (!promise) return bad('the server has not promised this deal')
  const { key, at } = promise
  if (expected !== null && !Object.hasOwn(expected, key)) {
    return bad(`the promise is signed with the key ${key}, which is not the server's ${EARLIER}`)
  }
  if (expected !== null && isGivenUp(expected[key], at)) return bad(`the key ${key} was given up before the promise was made`)
  if (!isPromised(promise, code, race, commitment)) return bad('the promise is not signed for this deal of this race')
  if (at > starts_at) return bad('the promise was made after the start')
  return good(`the secret is the one that was promised before the race, signed with the key ${key}`)
}

/** @param {RaceRecord} record @returns {Generator<Wrong>} */
function* dealWrongs(record) {
  if (record.game !== record.settings.game) yield { reason: 'the game is not the one that is set' }
  if (!isAsSet(record)) {
    yield { reason: 'the deal is not of the kind that is set' }
    return
  }
  if (record.practice === null) {
    const starters = new Set(record.racers.filter((racer) => !racer.late).map((racer) => racer.seat))
    for (const [seat] of record.nonces) {
      if (!starters.has(seat)) yield { reason: 'gave a nonce, and was not there at the start', seat }
    }
    if (record.version > 1) yield* nonceWrongs(record)
  }
  const deck = deckOf(record)
  if (!deck) yield { reason: 'there is no deal of this number' }
  else if (names(deck) !== record.deck) yield { reason: 'the deck is not the one of this deal' }
}

/**
 * Whoever gave a nonce had committed to it before the countdown, and is no bot: a server could play that itself.
 *
 * @param {RaceRecord} record
 * @returns {Generator<Wrong>}
 */
function* nonceWrongs({ commitments = [], nonces, racers }) {
  const committed = new Map(commitments)
  const people = new Set(racers.filter(({ bot, late }) => !bot && !late).map(({ seat }) => seat))
  for (const [seat] of commitments) {
    if (!people.has(seat)) yield { reason: 'committed to a nonce, and is a bot or was not there at the start', seat }
  }
  for (const [seat, nonce] of nonces) {
    if (committed.get(seat) !== nonceCommitmentOf(nonce)) yield { reason: 'gave another nonce than it had committed to', seat }
  }
}

/** The deck of a secret and its nonces, else of a number; null if there is none. @param {RaceRecord} record */
function deckOf({ secret, nonces, number }) {
  if (secret !== null)
    return deckOfSecret(
      secret,
      nonces.map(([, nonce]) => nonce),
    )
  try {
    return deckOfNumber(number ?? '')
  } catch {
    return null
  }
}

/** Whether the deal comes from where the settings say. @param {RaceRecord} record */
function isAsSet({ settings, secret, number, practice, nonces, commitments = [], promise = null }) {
  const kind = settings.deal === 'secret' ? 'secret' : settings.deal.includes('/') ? 'practice' : 'number'
  if (practice !== (kind === 'practice' ? settings.deal : null)) return false
  if (kind !== 'secret' && (commitments.length || promise)) return false
  if (secret !== null) return kind !== 'number' && number === null
  if (number === null || nonces.length) return false
  return kind === 'practice' || number === settings.deal
}

// The moves

/** @param {Tally} tally @returns {Found} */
function moves({ runs }) {
  let entries = 0
  /** @type {Wrong[]} */
  const wrongs = []
  for (const [seat, run] of runs) {
    entries += run.entries
    if (run.wrong) wrongs.push({ reason: run.wrong.reason, seat, at: run.wrong.at })
  }
  return { good: `all moves are legal, ${entries} in number`, wrongs }
}

// The times

/** @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* raceTimes({ starts_at, ends_at, over_at, settings }, { ends }) {
  if (ends_at !== starts_at + settings.time_limit * 1000) yield { reason: 'the race does not end at its time limit' }
  if (over_at !== [...ends.values()].reduce((last, { when }) => Math.max(last, when), 0)) {
    yield { reason: 'the race is not over when its last racer is' }
  }
}

/** @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* eventTimes({ events, racers, settings }, { stories }) {
  if (events.some(([at], i) => i > 0 && at < events[i - 1][0])) yield { reason: 'the events are not in order' }
  for (const { seat, late } of racers) {
    const { startedLate, astray } = stories.get(seat) ?? {}
    if (late !== (startedLate !== undefined)) yield { reason: 'late says one thing, and the events another', seat }
    else if (late && settings.late !== 'join') yield { reason: 'came late, and nobody was let in late', seat }
    if (astray) yield { reason: 'took giving up back without having given up', seat }
  }
}

/** The first wrong time of each log. @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* logTimes({ logs, starts_at, ends_at }, { stories, ends }) {
  const limit = ends_at - starts_at
  for (const [seat, log] of logs) {
    const start = (stories.get(seat)?.startedLate ?? 0) - starts_at
    // Processes may hear a moment late that somebody has given up or left.
    const stop = /** @type {End} */ (ends.get(seat)).when - starts_at + TAKE_BACK_WITHIN
    const at = log.findIndex(([ms], i) => wrongTime(ms, log[i - 1]?.[0] ?? 0, start, stop, limit))
    if (at >= 0) yield { reason: wrongTime(log[at][0], log[at - 1]?.[0] ?? 0, start, stop, limit), seat, at }
  }
}

/**
 * @param {number} ms
 * @param {number} last
 * @param {number} start
 * @param {number} stop
 * @param {number} limit
 */
function wrongTime(ms, last, start, stop, limit) {
  if (ms < last) return 'it is earlier than the entry before it'
  if (ms >= limit) return 'it is later than the end of the race'
  if (ms < start) return "it is earlier than this racer's start"
  return ms > stop ? "it is later than this racer's end" : ''
}

// The results

/** The first wrong field of each racer. @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* resultWrongs({ racers }, { ends }) {
  for (const racer of racers) {
    const said = Object.entries(stated(racer))
    const follows = Object.values(/** @type {End} */ (ends.get(racer.seat)))
    const i = said.findIndex(([, value], at) => value !== follows[at])
    if (i >= 0) yield { reason: `${said[i][0]} is ${said[i][1]}, and should be ${follows[i]}`, seat: racer.seat }
  }
}

/** @param {RaceRecord} record @param {Tally} tally @returns {Generator<Wrong>} */
function* placeWrongs({ version, racers }, { ends }) {
  const rule = ruleOfRecord(version)
  const done = [...ends].filter(([, { state, moves }]) => isRanked(state, moves, rule))
  const ranked = places(new Map(done.map(([seat, end]) => [seat, { ...end, solved: end.state === 'solved' }])))
  for (const { seat, place } of racers) {
    const follows = ranked.get(seat) ?? null
    if (place !== follows) yield { reason: `the place is ${place ?? 'none'}, and should be ${follows ?? 'none'}`, seat }
  }
}
