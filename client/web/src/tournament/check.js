/**
 * Whether what a tournament states follows from the records of its races.
 *
 * What the records do not say is taken as it is stated: who was drawn, what was skipped, and who was withdrawn or
 * disqualified. Everybody in the room saw that. In a knock-out, who met whom follows from the bracket.
 */

import { FORMAT_RULES } from '../model/tournament/formats.js'
import { isSame, standingsOf } from '../model/tournament/standings.js'
import { isSameTeam, teamsOf, wrongWith } from '../model/tournament/teams.js'
import { scoreText } from '../model/tournament/words.js'
import { ruleOfRecord } from '../rules/ranking.js'
import { say } from '../words/saying.js'

/**
 * @import { Verifier } from '../browser/verifier.js'
 * @import { Drawn, Entrants, Plan, Played } from '../model/tournament/results.js'
 * @import { Row } from '../model/tournament/standings.js'
 * @import { TeamRow } from '../model/tournament/teams.js'
 * @import { Check, Keys } from '../record/proof.js'
 * @import { Saying } from '../words/saying.js'
 */

/**
 *
 * @typedef {object} Line
 * @property {'race' | 'signatures' | 'draw' | 'results' | 'standings' | 'all'} about
 * @property {boolean} ok
 * @property {Saying} what
 * @property {Saying | Check | {readonly message: string}} reason a sentence, what is found
 *   about a record, or why it cannot be read
 *
 *
 * @typedef {object} Bundle as /api/tournaments/CODE.bundle.json has it
 * @property {string} code
 * @property {Plan} plan
 * @property {Entrants} entrants
 * @property {(Drawn & {results: Stated[]})[]} rounds
 * @property {Row[]} standings
 * @property {TeamRow[]} [teams] not in files of older servers
 * @property {Record<string, string> | null} records in base64
 *
 * @typedef {{race: number, seat: number, name: string, state: string, home: number, moves: number}} Stated
 *
 * @typedef {object} Rules
 * @property {Verifier['checkFile']} checkFile
 * @property {Keys | string | null} key the server's, or all that it ever had
 */

/** @param {string} text base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/**
 * One line for each thing that is checked, the last one for all of it.
 *
 * @param {Bundle} bundle
 * @param {Rules} rules
 * @returns {AsyncGenerator<Line>}
 */
export async function* checkBundle(bundle, rules) {
  /** @type {Map<number, any>} */
  const records = new Map()
  let good = true
  for (const round of bundle.rounds) {
    for (const number of round.races) {
      const line = await raceLine(bundle, round, number, records, rules)
      good &&= line.ok
      yield line
    }
  }
  for (const line of [
    keyLine(records, rules.key),
    ...drawLines(bundle),
    ...boardLines(bundle),
    ...turnLines(bundle, records),
    ...correctionLines(bundle),
    resultLine(bundle, records),
    standingLine(bundle, records),
    ...teamLines(bundle, records),
  ]) {
    good &&= line.ok
    yield line
  }
  const what = good ? say('tournament.check.all') : say('tournament.check.notAll')
  yield { about: 'all', ok: good, what, reason: say('tournament.check.taken') }
}

/** @param {Bundle} bundle @param {Bundle['rounds'][number]} round @param {number} number @param {Map<number, any>} found @param {Rules} rules @returns {Promise<Line>} */
async function raceLine(bundle, round, number, found, { checkFile, key }) {
  const what = say('tournament.check.race', { round: round.number, race: number })
  const bad = (/** @type {Line['reason']} */ reason) => /** @type {Line} */ ({ about: 'race', ok: false, what, reason })
  const text = bundle.records?.[number]
  if (!text) return bad(say('tournament.check.noRecord'))
  try {
    const { record, checks } = await checkFile(bytesOf(text), key)
    // What has the form of a record can still be held against what is stated.
    if (record) found.set(number, record)
    const wrong = checks.find(({ ok }) => !ok)
    if (wrong) return bad(wrong)
    // In an arena, each race has a room of its own.
    const [code, own] = round.room ? [round.room, 1] : [bundle.code, number]
    if (record?.code !== code || record?.race !== own) return bad(say('tournament.check.otherRace'))
    const drawn = new Set(round.seats)
    if (record.racers.some((/** @type {{seat: number}} */ { seat }) => !drawn.has(seat))) {
      return bad(say('tournament.check.notDrawn'))
    }
    const count = record.racers.length
    return { about: 'race', ok: true, what, reason: say('tournament.check.raceHolds', { count }) }
  } catch (error) {
    return bad(/** @type {{message: string}} */ (error))
  }
}

/** @param {Map<number, any>} records @param {Rules['key']} known @returns {Line} */
function keyLine(records, known) {
  const what = say('tournament.check.signatures')
  const keys = new Set([...records.values()].map(({ key }) => key))
  if (known && typeof known === 'object' && [...keys].every((key) => Object.hasOwn(known, key))) {
    return { about: 'signatures', ok: true, what, reason: say('tournament.check.serverKeys') }
  }
  const ok = keys.size < 2
  return { about: 'signatures', ok, what, reason: ok ? say('tournament.check.oneKey') : say('tournament.check.manyKeys') }
}

/** Where all follows from the first draw. @param {Bundle} bundle @returns {Line[]} */
function drawLines({ plan, rounds }) {
  const { misdrawn } = FORMAT_RULES[plan.format]
  if (!misdrawn) return []
  const wrong = misdrawn(plan, rounds)
  const reason = wrong === null ? say('tournament.check.drawHolds') : say('tournament.check.misdrawn', { round: wrong })
  return [{ about: 'draw', ok: wrong === null, what: say('tournament.check.draw'), reason }]
}

/**
 * Of an arena: whether everybody was in one race at a time, in the order of their numbers. Streaks depend on it.
 *
 * @param {Bundle} bundle @param {Map<number, any>} records @returns {Line[]}
 */
function turnLines({ plan, entrants }, records) {
  if (!FORMAT_RULES[plan.format].hasOwnRaces) return []
  const what = say('tournament.check.turns')
  /** @type {Map<number, number>} */
  const ended = new Map()
  for (const [number, { starts_at, racers }] of records) {
    const still = racers.find((/** @type {{seat: number}} */ { seat }) => starts_at < (ended.get(seat) ?? 0))
    if (still) {
      const name = { name: entrants[still.seat]?.name ?? `${still.seat}` }
      return [{ about: 'draw', ok: false, what, reason: say('tournament.check.twoAtOnce', { race: number, name }) }]
    }
    const over = Math.max(0, ...racers.map((/** @type {{when: number}} */ { when }) => when))
    for (const { seat } of racers) ended.set(seat, over)
  }
  return [{ about: 'draw', ok: true, what, reason: say('tournament.check.turnsHold') }]
}

/** What hosts said instead of the races: for everybody to judge. @param {Bundle} bundle @returns {Line[]} */
const correctionLines = ({ rounds, entrants }) =>
  rounds.flatMap(({ number, corrections = [] }) =>
    corrections.map(({ seat, value, reason }) => ({
      about: 'results',
      ok: true,
      what: say('tournament.check.corrected', { round: number }),
      reason: say('tournament.check.correction', {
        name: { name: entrants[seat]?.name ?? `${seat}` },
        value: scoreText(value),
        reason: { name: reason },
      }),
    })),
  )

/** @param {Bundle} bundle @param {Map<number, any>} records @returns {Line} */
function resultLine({ rounds }, records) {
  const what = say('tournament.check.results')
  for (const round of rounds) {
    for (const stated of round.results) {
      const racer = records.get(stated.race)?.racers.find((/** @type {{seat: number}} */ { seat }) => seat === stated.seat)
      if (!racer || ['state', 'home', 'moves'].some((key) => racer[key] !== stated[/** @type {keyof Stated} */ (key)])) {
        const reason = say('tournament.check.wrongResult', { round: round.number, name: { name: stated.name } })
        return { about: 'results', ok: false, what, reason }
      }
    }
  }
  return { about: 'results', ok: true, what, reason: say('tournament.check.resultsHold') }
}

/** @param {Bundle} bundle @param {Map<number, any>} records @returns {Line} */
function standingLine(bundle, records) {
  const what = say('tournament.check.standings')
  const bad = (/** @type {Saying} */ reason) => /** @type {Line} */ ({ about: 'standings', ok: false, what, reason })
  if (bundle.rounds.some(({ races }) => races.some((number) => !records.has(number)))) {
    return bad(say('tournament.check.cannotStand'))
  }
  const races = new Map([...records].map(([number, record]) => [number, playedOf(record)]))
  const right = standingsOf(bundle, races)
  if (right.length !== bundle.standings.length) return bad(say('tournament.check.otherRows'))
  const wrong = right.find((row, i) => !isSame(row, bundle.standings[i]))
  if (wrong) {
    const name = { name: bundle.entrants[wrong.seat].name }
    return bad(say('tournament.check.wrongRow', { name, place: wrong.place ?? '–', score: wrong.score }))
  }
  return { about: 'standings', ok: true, what, reason: say('tournament.check.standingsHold', { count: right.length }) }
}

/** With teams: whether everybody who was drawn is in one, and each team met one other. @param {Bundle} bundle @returns {Line[]} */
function boardLines({ plan, entrants, rounds }) {
  const what = say('tournament.check.draw')
  return rounds.flatMap((round) => {
    const wrong = wrongWith(plan, entrants, round)
    return wrong ? [{ about: 'draw', ok: false, what, reason: say(`tournament.check.${wrong}`, { round: round.number }) }] : []
  })
}

/** @param {Bundle} bundle @param {Map<number, any>} records @returns {Line[]} */
function teamLines(bundle, records) {
  const stated = bundle.teams ?? []
  if (!bundle.plan.team_size && !stated.length) return []
  const what = say('tournament.check.teams')
  const bad = (/** @type {Saying} */ reason) => /** @type {Line[]} */ ([{ about: 'standings', ok: false, what, reason }])
  if (bundle.rounds.some(({ races }) => races.some((number) => !records.has(number)))) {
    return bad(say('tournament.check.cannotStand'))
  }
  const right = teamsOf(bundle, new Map([...records].map(([number, record]) => [number, playedOf(record)])))
  if (right.length !== stated.length) return bad(say('tournament.check.otherTeams'))
  const wrong = right.find((row, i) => !isSameTeam(row, stated[i]))
  if (wrong) {
    const team = { name: wrong.team }
    return bad(say('tournament.check.wrongTeam', { team, place: wrong.place ?? '–', score: wrong.score }))
  }
  return [{ about: 'standings', ok: true, what, reason: say('tournament.check.teamsHold', { count: right.length }) }]
}

/** @param {any} record @returns {Map<number, Played>} */
const playedOf = ({ version, racers }) =>
  new Map(
    racers.map((/** @type {any} */ { seat, state, when, home, reached_at, moves }) => [
      seat,
      { state, result: { solved: state === 'solved', when, home, reached_at, moves }, rule: ruleOfRecord(version) },
    ]),
  )
