import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { Refusal } from '../../src/net/refusal.js'
import { checkFile } from '../../src/record/check-file.js'
import { reasonText } from '../../src/record/reasons.js'
import { checkBundle } from '../../src/tournament/check.js'
import { recordOf } from '../model/replay/records.js'
import { said } from '../model/tournament/views.js'

/**
 * @import { Unreadable } from '../../src/record/race-record.js'
 * @import { Bundle, Line } from '../../src/tournament/check.js'
 */

const { keys } = JSON.parse(readFileSync(new URL('../../../../shared/vectors/records.json', import.meta.url), 'utf8'))

// Two true records of one room: Bob is ahead of Ann twice; in the second race there are two more, and one does not come.
const records = [recordOf('short'), recordOf('solved')]
const base64 = (/** @type {any} */ record) => Buffer.from(encode(record)).toString('base64')

/** @returns {any} */
const bundle = () => ({
  code: 'KQXWVD',
  plan: { format: 'points', points: [25, 18, 15] },
  entrants: Object.fromEntries(
    ['Ann', 'Bob', '', 'Dan', 'Eve'].flatMap((name, at) => (name ? [[at + 1, { name, state: 'in' }]] : [])),
  ),
  rounds: records.map(({ race, racers }) => ({
    number: race,
    seats: racers.map(({ seat }) => seat),
    pairs: [],
    byes: [],
    races: [race],
    skipped: false,
    results: racers.map(({ seat, name, state, home, moves }) => ({ race, seat, name, state, home, moves })),
  })),
  standings: [
    { place: 1, seat: 2, score: 50, tiebreaks: [2, 1, 104], rounds: [25, 25] },
    { place: 2, seat: 1, score: 36, tiebreaks: [0, 1, 104], rounds: [18, 18] },
    { place: 3, seat: 4, score: 15, tiebreaks: [0, 0, 10], rounds: [null, 15] },
    { place: 4, seat: 5, score: 0, tiebreaks: [0, 0, 0], rounds: [null, 0] },
  ],
  records: Object.fromEntries(records.map((record) => [record.race, base64(record)])),
})

/** As the worker is asked that verifies. @param {Parameters<typeof checkFile>} file */
async function asked(...file) {
  try {
    return checkFile(...file)
  } catch (error) {
    const { code, parameters } = /** @type {Unreadable} */ (error)
    throw new Refusal(code, undefined, parameters)
  }
}

/** @param {Line['reason']} reason */
function textOf(reason) {
  if ('id' in reason) return said(reason)
  return 'check' in reason ? reasonText(reason.check, reason) : reason.message
}

/** What is wrong with a bundle after a change; the last line has to say so, too. @param {(bundle: any) => void} [change] */
async function wrongs(change = () => {}, key = keys.server) {
  const changed = bundle()
  change(changed)
  const lines = []
  for await (const line of checkBundle(changed, { checkFile: asked, key })) lines.push(line)
  const wrong = lines.filter(({ ok, about }) => !ok && about !== 'all').map(({ about, reason }) => `${about}: ${textOf(reason)}`)
  assert.deepEqual([lines.at(-1)?.about, lines.at(-1)?.ok], ['all', wrong.length === 0])
  return wrong
}

test('what follows from true records holds', async () => {
  assert.deepEqual(await wrongs(), [])
})

test('points, places and an order that do not follow from the records are found', async () => {
  assert.deepEqual(await wrongs((held) => (held.standings[0].score = 51)), ['standings: Bob should be in place 1 with 50.'])
  assert.deepEqual(await wrongs((held) => (held.standings[2].place = 2)), ['standings: Dan should be in place 3 with 15.'])
  assert.deepEqual(await wrongs((held) => held.standings.pop()), ['standings: Someone is missing or listed twice.'])
  assert.equal((await wrongs((held) => held.standings.reverse())).length, 1)
})

test('a result that a host corrected counts instead of its record', async () => {
  const correct = (/** @type {any} */ held) => (held.rounds[0].corrections = [{ seat: 1, value: 20, reason: 'A wrong click.' }])
  assert.deepEqual(await wrongs(correct), ['standings: Ann should be in place 2 with 38.'])
  const wrong = await wrongs((held) => {
    correct(held)
    Object.assign(held.standings[1], { score: 38, rounds: [20, 18] })
  })
  assert.deepEqual(wrong, [])
})

test('a result that its record does not have is found', async () => {
  const wrong = await wrongs((held) => (held.rounds[0].results[0].home = 40))
  assert.deepEqual(wrong, ['results: In round 1, the result of Ann is not as in the record.'])
})

test('without all records nothing can be worked out', async () => {
  const wrong = await wrongs((held) => delete held.records[2])
  assert.deepEqual(
    [wrong[0], wrong.at(-1)],
    ['race: Its record is missing.', 'standings: They can’t be worked out without all records.'],
  )
})

test('a file that is no record, and one of another form, are found with the reason', async () => {
  const wrong = async (/** @type {Uint8Array} */ bytes) =>
    (await wrongs((held) => (held.records[1] = Buffer.from(bytes).toString('base64'))))[0]
  assert.equal(await wrong(encode([1])), 'race: This is not the record of a race.')
  assert.equal(await wrong(encode(records[0]).slice(0, -1)), 'race: This record is cut short or damaged.')
  assert.match((await wrong(encode({ ...records[0], deck: 1 }))) ?? '', /^race: .*deck/)
})

test('a record of another room, and one that was changed, are found', async () => {
  const strange = { ...recordOf('equal places') }
  assert.ok((await wrongs((held) => (held.records[1] = base64(strange)))).includes('race: It is the record of another race.'))
  const forged = structuredClone(records[0])
  forged.racers[0].moves += 1
  assert.notDeepEqual(await wrongs((held) => (held.records[1] = base64(forged))), [])
})

test('records that another server signed are found', async () => {
  assert.equal((await wrongs(undefined, keys.other)).length, 2)
})

test('somebody who raced and was not drawn is found', async () => {
  assert.deepEqual(await wrongs((held) => held.rounds[1].seats.pop()), [
    'race: Someone raced who was not drawn.',
    'standings: Eve should be in place 4 with 0.',
  ])
})

test('what is no record at all is said, and stops nothing', async () => {
  const wrong = await wrongs((held) => (held.records[1] = base64('hello')))
  assert.ok(wrong.length >= 2, wrong.join('\n'))
})

/** The same two races as a cup: Bob and Ann win against Dan and Eve, and then Bob against Ann. @param {any} held */
function makeCup(held) {
  const [final, semis] = held.rounds
  held.plan = { format: 'knockout', points: [] }
  held.rounds = [
    {
      ...semis,
      number: 1,
      pairs: [
        [1, 5],
        [2, 4],
      ],
    },
    { ...final, number: 2, pairs: [[1, 2]] },
  ]
  held.standings = [
    { place: 1, seat: 2, score: 2, tiebreaks: [1], rounds: [1, 1] },
    { place: 2, seat: 1, score: 1, tiebreaks: [0], rounds: [1, 0] },
    { place: 3, seat: 4, score: 0, tiebreaks: [0], rounds: [0, null] },
    { place: 3, seat: 5, score: 0, tiebreaks: [0], rounds: [0, null] },
  ]
}

test('who met another one in a cup than the bracket says is found', async () => {
  const found = await wrongs((held) => {
    makeCup(held)
    held.rounds[0].pairs = [
      [1, 4],
      [2, 5],
    ]
  })
  assert.equal(found[0], 'draw: The pairs of round 1 are not those of the bracket.')
})

test('a cup is worked out, too, and who has not won it is found', async () => {
  assert.deepEqual(await wrongs(makeCup), [])
  const found = await wrongs((held) => {
    makeCup(held)
    Object.assign(held.standings[0], { seat: 1 })
    Object.assign(held.standings[1], { seat: 2 })
  })
  assert.deepEqual(found, ['standings: Bob should be in place 1 with 2.'])
})

/** The same with two teams, and their standings. @returns {any} */
function inTeams() {
  const whole = bundle()
  const teams = ['Red', 'Blue', '', 'Red', 'Blue']
  for (const [seat, one] of Object.entries(whole.entrants))
    Object.assign(one, { team: teams[Number(seat) - 1], board: Number(seat) })
  whole.plan.team_size = 2
  whole.teams = [
    { place: 1, team: 'Red', score: 51, tiebreaks: [33, 1], rounds: [18, 33], counted: [[1], [1, 4]] },
    { place: 2, team: 'Blue', score: 50, tiebreaks: [25, 1], rounds: [25, 25], counted: [[2], [2, 5]] },
  ]
  return whole
}

/** @param {Bundle} held */
async function linesOf(held) {
  const lines = []
  for await (const line of checkBundle(held, { checkFile: asked, key: keys.server })) lines.push(line)
  return lines
}

test('the standings of the teams are worked out again', async () => {
  const all = await linesOf(inTeams())
  assert.ok(
    all.every(({ ok }) => ok),
    JSON.stringify(all),
  )
  assert.ok(all.some(({ reason }) => /2 teams/.test(textOf(reason))))
  for (const [change, words] of /** @type {[(held: any) => void, RegExp][]} */ ([
    [(held) => (held.teams[0].score = 52), /Red should be in place 1 with 51/],
    [(held) => held.teams[0].counted.reverse(), /Red should be/],
    [(held) => held.teams.pop(), /A team is missing/],
    [(held) => (held.entrants[4].team = ''), /in no team/],
  ])) {
    const held = inTeams()
    change(held)
    const wrong = (await linesOf(held)).filter(({ ok, about }) => !ok && about !== 'all')
    assert.ok(
      wrong.some(({ reason }) => words.test(textOf(reason))),
      `${words} ${wrong.map(({ reason }) => textOf(reason))}`,
    )
  }
})
