/**
 * The table of a series of tournaments; the same as in shared/fortythieves/tournament/series.py. And the link to the series,
 * which has all its data. Pure.
 */
import { placesOf } from '../../rules/ranking.js'
import { partsOf } from './entry-csv.js'
import { isNear, meanOf, sum } from './kinds.js'
import { MOST_EVENTS, POINTS, TITLE_LENGTH } from './plan-constants.js'

/**
 * @typedef {object} Series
 * @property {string} name @property {string[]} codes of its tournaments, in order
 * @property {number[]} points by place in a tournament
 * @property {number} best how many tournaments count for each person; 0: all
 * @property {string[][]} same names under which one person entered; the first one is shown
 * @typedef {object} Stated the needed parts of a file of a tournament
 * @property {string} code @property {Record<string, {name: string}>} entrants
 * @property {{place: number | null, seat: number}[]} standings
 * @property {{skipped: boolean, results: {seat: number, moves: number}[], corrections?: {seat: number, value: number}[]}[]}
 *   rounds
 * @typedef {{place: number | null, points: number, counts: boolean}} Cell place: null: disqualified
 * @typedef {{place: number, name: string, score: number, cells: (Cell | null)[]}} Row a cell that is null: did not enter
 */

const MOST_PLACES = 100
const MOST_POINTS = 1000
const MOST_NAMES = 200

/** @type {Series} */
export const EMPTY = { name: '', codes: [], points: [...POINTS], best: 0, same: [] }

/** The same key for names that differ only in case or in spaces around them. @param {string} name */
export const nameKey = (name) => name.normalize('NFC').toLowerCase().trim()

/**
 * The rows, best first; persons with equal places by name.
 * @param {Pick<Series, 'points' | 'best' | 'same'>} series @param {readonly Stated[]} files @returns {Row[]}
 */
export function seriesTable({ points, best, same }, files) {
  const firstNames = new Map(same.flatMap((names) => names.map((name) => [nameKey(name), names[0]])))
  const events = files.map((file) => gains(points, file, firstNames))
  const shown = new Map(events.flatMap((event) => [...event].map(([key, { name }]) => [key, name])))
  const foundOf = (/** @type {string} */ key) => events.map((event) => event.get(key) ?? null)
  const rows = [...shown].map(([key, name]) => rowOf(name, best, foundOf(key)))
  rows.sort((one, other) => compare(other, one) || (nameKey(one.name) < nameKey(other.name) ? -1 : 1))
  const places = placesOf(rows, compare)
  return rows.map((row, i) => ({ ...row, place: places[i] }))
}

/**
 * The points of each person from a tournament. Of two entrants who are the same person, the better one counts.
 * @param {number[]} points @param {Stated} file @param {Map<string, string>} firstNames
 */
function gains(points, { entrants, standings, rounds }, firstNames) {
  const started = startedIn(rounds)
  const found = /** @type {Map<string, {name: string, place: number | null, points: number}>} */ (new Map())
  for (const { place, seat } of standings) {
    const entered = entrants[seat]?.name ?? ''
    const name = firstNames.get(nameKey(entered)) ?? entered
    const many = standings.filter((row) => row.place === place).length
    const mean = place && started.has(seat) ? meanOf(points, place, many) : 0
    if (!found.has(nameKey(name))) found.set(nameKey(name), { name, place, points: mean })
  }
  return found
}

/** The seats that made a move in a round that counts, or have points from a host for one. @param {Stated['rounds']} rounds */
const startedIn = (rounds) =>
  new Set(
    rounds
      .filter(({ skipped }) => !skipped)
      .flatMap(({ results, corrections = [] }) => [
        ...results.filter(({ moves }) => moves > 0).map(({ seat }) => seat),
        ...corrections.filter(({ value }) => value > 0).map(({ seat }) => seat),
      ]),
  )

/** @param {string} name @param {number} best @param {({place: number | null, points: number} | null)[]} found @returns {Row} */
function rowOf(name, best, found) {
  const pointsAt = (/** @type {number} */ n) => found[n]?.points ?? 0
  // Of equal tournaments, the earlier one counts.
  const entered = found.flatMap((one, n) => (one ? [n] : [])).sort((one, other) => pointsAt(other) - pointsAt(one) || one - other)
  const counting = new Set(best ? entered.slice(0, best) : entered)
  return {
    place: 0,
    name,
    score: sum([...counting].map(pointsAt)),
    cells: found.map((one, n) => one && { place: one.place, points: one.points, counts: counting.has(n) }),
  }
}

/** By the score. If that is equal: by the best tournament that counts, then the second best, and so on. @param {Row} a @param {Row} b */
function compare(a, b) {
  const [one, other] = [a, b].map(({ score, cells }) => [
    score,
    ...cells.flatMap((cell) => (cell?.counts ? [cell.points] : [])).sort((x, y) => y - x),
  ])
  for (let i = 0; i < Math.max(one.length, other.length); i += 1) {
    // A person with fewer tournaments is behind one with the same and one more.
    const [x, y] = [one[i] ?? -1, other[i] ?? -1]
    if (!isNear(x, y)) return x - y
  }
  return 0
}

/** The points in a typed text: `10, 6.5, 3`. @param {string} text */
export const pointsFrom = (text) => partsOf(text, /[,;\s]+/).map(Number)

/** The names of each person, one person a line: `Ann = Anna B.`. @param {string} text @returns {string[][]} */
export function namesFrom(text) {
  const persons = partsOf(text, '\n').map((line) => partsOf(line, '='))
  return persons.filter((names) => names.length > 1)
}

/** The text for `namesFrom`. @param {string[][]} same */
export const nameLines = (same) => same.map((names) => names.join(' = ')).join('\n')

/** The fault of the points by place, if any. @param {number[]} points @returns {'bad' | 'order' | null} */
export function wrongPoints(points) {
  const fits = (/** @type {number} */ one) => one >= 0 && one <= MOST_POINTS && isNear(one * 100, Math.round(one * 100))
  if (!points.length || points.length > MOST_PLACES || !points.every(fits)) return 'bad'
  return points.some((one, i) => one < points[i + 1]) ? 'order' : null
}

/**
 * The series of a link. Impossible values are left out, because a stranger may have made the link.
 * @param {string} hash `#name=Winter&points=10,6,3&best=4&same=Ann%0AAnna&events=KQXWVD,BCDFGH` @returns {Series}
 */
export function seriesOf(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const listed = (/** @type {string} */ text, by = ',') => text.split(by).filter(Boolean)
  const codes = listed((parts.get('events') ?? '').toUpperCase()).filter((code) => /^[A-Z]{6}$/.test(code))
  const points = listed(parts.get('points') ?? '').map(Number)
  const best = Number(parts.get('best') ?? 0)
  const same = parts.getAll('same').map((names) => listed(names, '\n').slice(0, MOST_NAMES))
  return {
    name: (parts.get('name') ?? '').slice(0, TITLE_LENGTH),
    codes: [...new Set(codes)].slice(0, MOST_EVENTS),
    points: wrongPoints(points) ? [...POINTS] : points,
    best: Number.isInteger(best) && best > 0 && best <= MOST_EVENTS ? best : 0,
    same: same.filter((names) => names.length > 1).slice(0, MOST_NAMES),
  }
}

/** @param {Series} series @returns {string} the fragment of its link, without default values */
export function seriesFragment({ name, codes, points, best, same }) {
  const parts = new URLSearchParams()
  if (name) parts.set('name', name)
  if (String(points) !== String(POINTS)) parts.set('points', points.join(','))
  if (best) parts.set('best', String(best))
  for (const names of same) parts.append('same', names.join('\n'))
  parts.set('events', codes.join(',')) // last, because a link ends with a letter (`linkParts`)
  return `#${String(parts).replaceAll('%2C', ',')}`
}
