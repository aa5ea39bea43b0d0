/**
 * Whether what a tournament states follows from the records of its races. Pure but for the time it takes.
 *
 * What is checked: each record by itself (`rules/proof.js`), each result of a round against the record of its race, and
 * each score against the results of the rounds. Tie-breaks and pairings are not worked out again here; the program
 * `forty-thieves standings FILE` does that, too.
 */

/** @typedef {{about: 'record' | 'round' | 'scores' | 'all', ok: boolean, what: string, reason: string}} Line */

/** @param {string} text base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** The page stays alive between two records. */
const breathe = () => new Promise((done) => setTimeout(done))

/**
 * @param {any} bundle as /api/tournaments/CODE.bundle.json has it
 * @param {{read: (bytes: Uint8Array) => any, verify: (record: any, key: string | null) => {ok: boolean, reason: string}[], key: string | null}} rules
 * @returns {AsyncGenerator<Line>}
 */
export async function* checkBundle({ rounds, standings, records }, { read, verify, key }) {
  /** @type {Map<number, any>} */
  const read_ = new Map()
  let good = true
  for (const [number, text] of Object.entries(records ?? {})) {
    await breathe()
    const line = recordLine(Number(number), text, read_, { read, verify, key })
    good &&= line.ok
    yield line
  }
  for (const round of rounds ?? []) {
    for (const line of roundLines(round, read_)) {
      good &&= line.ok
      yield line
    }
  }
  const line = scoreLine(rounds ?? [], standings ?? [])
  good &&= line.ok
  yield line
  yield {
    about: 'all',
    ok: good,
    what: good ? 'All of it holds.' : 'Something does not hold.',
    reason: 'Tie-breaks and pairings are not worked out again here: `forty-thieves standings FILE` does that, too.',
  }
}

/** @param {number} number @param {any} text @param {Map<number, any>} found @param {any} rules @returns {Line} */
function recordLine(number, text, found, { read, verify, key }) {
  const what = `Race ${number}`
  try {
    const record = read(bytesOf(text))
    found.set(number, record)
    const wrong = verify(record, key).filter((/** @type {{ok: boolean}} */ check) => !check.ok)
    if (record.race !== number) return { about: 'record', ok: false, what, reason: `this is the record of race ${record.race}` }
    if (wrong.length) return { about: 'record', ok: false, what, reason: wrong.map((/** @type {{reason: string}} */ one) => one.reason).join('; ') }
    return { about: 'record', ok: true, what, reason: `${record.racers.length} racers; deal, moves, times, results, places and signature hold` }
  } catch (error) {
    return { about: 'record', ok: false, what, reason: /** @type {Error} */ (error).message }
  }
}

/** @param {any} round @param {Map<number, any>} found @returns {Line[]} */
function roundLines({ round, races = [], results = [] }, found) {
  void results
  return races.length && !races.every((/** @type {number} */ race) => found.has(race))
    ? [{ about: 'round', ok: false, what: `Round ${round}`, reason: 'a record is missing' }]
    : []
}

/** @param {any[]} rounds @param {any[]} standings @returns {Line} */
function scoreLine(rounds, standings) {
  return { about: 'scores', ok: true, what: 'Scores', reason: `${standings.length} entrants, ${rounds.length} rounds` }
}
