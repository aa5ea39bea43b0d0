/**
 * Whether what a tournament states follows from the records of its races.
 *
 * What the records do not say is taken as it is stated: who was drawn, what was skipped, and who was withdrawn or
 * disqualified. Everybody in the room saw that. In a knock-out, who met whom follows from the bracket.
 */

import { misdrawn } from '../model/tournament/knockout.js'
import { isSame, standingsOf } from '../model/tournament/standings.js'
import { reasonText } from '../record/reasons.js'
import { ruleOfRecord } from '../rules/ranking.js'

/**
 * @typedef {{about: 'race' | 'draw' | 'results' | 'standings' | 'all', ok: boolean, what: string, reason: string}} Line
 * @typedef {import('../model/tournament/standings.js').Row} Row
 *
 * @typedef {object} Bundle as /api/tournaments/CODE.bundle.json has it
 * @property {string} code
 * @property {{format: string, points: number[]}} plan
 * @property {import('../model/tournament/results.js').Entrants} entrants
 * @property {(import('../model/tournament/results.js').Drawn & {results: Stated[]})[]} rounds
 * @property {Row[]} standings
 * @property {Record<string, string> | null} records in base64
 *
 * @typedef {{race: number, seat: number, name: string, state: string, home: number, moves: number}} Stated
 *
 * @typedef {object} Rules
 * @property {import('../browser/verifier.js').Verifier['checkFile']} checkFile
 * @property {import('../record/proof.js').Keys | string | null} key the server's, or all that it ever had
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
    resultLine(bundle, records),
    standingLine(bundle, records),
  ]) {
    good &&= line.ok
    yield line
  }
  const what = good ? 'All of it holds.' : 'Something does not hold.'
  yield { about: 'all', ok: good, what, reason: 'Who was drawn, skipped or disqualified is as the hosts say.' }
}

/** @param {Bundle} bundle @param {Bundle['rounds'][number]} round @param {number} number @param {Map<number, any>} found @param {Rules} rules @returns {Promise<Line>} */
async function raceLine(bundle, round, number, found, { checkFile, key }) {
  const what = `Round ${round.number}, race ${number}`
  const bad = (/** @type {string} */ reason) => /** @type {Line} */ ({ about: 'race', ok: false, what, reason })
  const text = bundle.records?.[number]
  if (!text) return bad('its record is not there')
  try {
    const { record, checks } = await checkFile(bytesOf(text), key)
    // What has the form of a record can still be held against what is stated.
    if (record) found.set(number, record)
    const wrong = checks.find(({ ok }) => !ok)
    if (wrong) return bad(reasonText(wrong.check, wrong))
    if (record?.code !== bundle.code || record?.race !== number) return bad('it is the record of another race')
    const drawn = new Set(round.seats)
    if (record.racers.some((/** @type {{seat: number}} */ { seat }) => !drawn.has(seat))) {
      return bad('somebody raced who was not drawn')
    }
    const count = record.racers.length
    return { about: 'race', ok: true, what, reason: `the deal, the moves, the times and the results of all ${count} hold` }
  } catch (error) {
    return bad(/** @type {Error} */ (error).message)
  }
}

/** @param {Map<number, any>} records @param {Rules['key']} known @returns {Line} */
function keyLine(records, known) {
  const keys = new Set([...records.values()].map(({ key }) => key))
  if (known && typeof known === 'object' && [...keys].every((key) => Object.hasOwn(known, key))) {
    return { about: 'race', ok: true, what: 'Signatures', reason: 'all records are signed with a key of this server' }
  }
  const reason = keys.size > 1 ? 'not all records are signed with the same key' : 'all records are signed with one key'
  return { about: 'race', ok: keys.size < 2, what: 'Signatures', reason }
}

/** Of a knock-out. @param {Bundle} bundle @returns {Line[]} */
function drawLines({ plan, rounds }) {
  if (plan.format !== 'knockout') return []
  const wrong = misdrawn(rounds)
  const reason = wrong === null ? 'who met whom follows from the bracket' : `round ${wrong}: others met than the bracket says`
  return [{ about: 'draw', ok: wrong === null, what: 'Bracket', reason }]
}

/** @param {Bundle} bundle @param {Map<number, any>} records @returns {Line} */
function resultLine({ rounds }, records) {
  for (const round of rounds) {
    for (const stated of round.results) {
      const racer = records.get(stated.race)?.racers.find((/** @type {{seat: number}} */ { seat }) => seat === stated.seat)
      if (!racer || ['state', 'home', 'moves'].some((key) => racer[key] !== stated[/** @type {keyof Stated} */ (key)])) {
        const reason = `round ${round.number}: what it says of ${stated.name} is not in the record`
        return { about: 'results', ok: false, what: 'Results', reason }
      }
    }
  }
  return { about: 'results', ok: true, what: 'Results', reason: 'every result is as its record has it' }
}

/** @param {Bundle} bundle @param {Map<number, any>} records @returns {Line} */
function standingLine(bundle, records) {
  const what = 'Standings'
  const bad = (/** @type {string} */ reason) => /** @type {Line} */ ({ about: 'standings', ok: false, what, reason })
  if (bundle.rounds.some(({ races }) => races.some((number) => !records.has(number)))) {
    return bad('they cannot be worked out without all records')
  }
  const races = new Map([...records].map(([number, record]) => [number, playedOf(record)]))
  const right = standingsOf(bundle, races)
  if (right.length !== bundle.standings.length) return bad('somebody is missing, or there twice')
  const wrong = right.find((row, i) => !isSame(row, bundle.standings[i]))
  if (wrong) return bad(`${bundle.entrants[wrong.seat].name} should be at place ${wrong.place ?? '–'} with ${wrong.score}`)
  return {
    about: 'standings',
    ok: true,
    what,
    reason: `scores, tie-breaks and places of all ${right.length} follow from the records`,
  }
}

/** @param {any} record @returns {Map<number, import('../model/tournament/results.js').Played>} */
const playedOf = ({ version, racers }) =>
  new Map(
    racers.map((/** @type {any} */ { seat, state, when, home, reached_at, moves }) => [
      seat,
      { state, result: { solved: state === 'solved', when, home, reached_at, moves }, rule: ruleOfRecord(version) },
    ]),
  )
