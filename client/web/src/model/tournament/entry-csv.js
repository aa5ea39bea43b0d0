/** A list of entrants that a host types or pastes: a name a line, or a table of comma-separated values. Pure. */
import { NAME_LENGTH } from '../../protocol/constants.js'
import { MOST_LISTED } from './plan-constants.js'

/**
 * @typedef {object} Line an entrant of the list
 * @property {number} line of the text, from 1
 * @property {string} name @property {string} team '': none is given
 * @property {string} club '': none is given; without a column for it, the team
 * @property {number | null} seed @property {number | null} rating
 * @typedef {'name' | 'team' | 'club' | 'seed' | 'rating'} Column
 * @typedef {{line: number, fault: 'quote' | 'heads' | 'comma' | 'noName' | 'long' | 'twice' | 'number' | 'many', text: string}} Fault the fault of a
 *   line; `text`: the name, or the text in place of a number
 * @typedef {object} Understood
 * @property {Line[]} entrants in the order of the seeding, best first
 * @property {Column[]} columns that were found, including `name`
 * @property {Fault[]} faults
 */

/** The possible heads of a column. A spreadsheet is often in English, even if the page is not. */
const HEADS = /** @type {const} */ ({
  name: ['name', 'player'],
  team: ['team'],
  club: ['club', 'school'],
  seed: ['seed', 'no', 'no.', 'nr', '#'],
  rating: ['rating', 'elo', 'rtg'],
})
export const COLUMNS = /** @type {Column[]} */ (Object.keys(HEADS))

/** The parts of a typed text, without empty ones. @param {string} text @param {string | RegExp} by */
export function partsOf(text, by) {
  const parts = text.split(by).map((part) => part.trim())
  return parts.filter(Boolean)
}

/** A name on one line, with single blanks. @param {string} text */
const tidied = (text) => partsOf(text, /\s/).join(' ')

/** A name without regard to case and blanks. @param {string} name */
export const alike = (name) => partsOf(tidied(name), ',').join(',').toLocaleLowerCase()

/** The separator of cells: the most frequent one in the first line; null: it has none. @param {string} first */
function separatorOf(first) {
  const [best] = ['\t', ';', ','].map((mark) => ({ mark, many: first.split(mark).length })).sort((a, b) => b.many - a.many)
  return best.many > 1 ? best.mark : null
}

/**
 * The cells of a line; null: a quotation mark is not closed. Two quotation marks within quotes are one.
 * @param {string} line @param {string | null} separator
 * @param {boolean} [isTight] whether a separator has no blank behind it: a spreadsheet writes none, but "Lee, Ann" has one
 */
export function cellsOf(line, separator, isTight) {
  const cells = /** @type {string[]} */ ([])
  let cell = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const char = line[i]
    if (quoted) {
      if (char !== '"') cell += char
      else if (line[i + 1] === '"') cell += line[++i]
      else quoted = false
    } else if (char === '"' && !cell.trim()) {
      quoted = true
      cell = ''
    } else if (char === separator && !(isTight && line[i + 1] === ' ')) {
      cells.push(cell.trim())
      cell = ''
    } else cell += char
  }
  return quoted ? null : [...cells, cell.trim()]
}

/**
 * The separator of a list without a head. A comma may belong to a name ("Lee, Ann"), unless all names are in one line.
 * @param {string[]} lines @param {string | null} separator the most frequent one
 */
const headless = (lines, separator) =>
  lines.length > 1 ? (separator === ',' ? null : separator) : ([...'\t;,'].find((mark) => lines[0]?.includes(mark)) ?? null)

/**
 * Whether a line without a head seems to have several columns, with commas between them: three, or two with a number, with
 * quotation marks, or with a comma and a blank in a name.
 * @param {string} line
 */
function hasColumns(line) {
  const cells = (cellsOf(line, ',', true) ?? []).filter(Boolean)
  return cells.length > 2 || (cells.length > 1 && (/^\s*"/.test(line) || cells.some((cell) => /^\d+$|, /.test(cell))))
}

/** The position of each column, if these cells are the head of a table. @param {string[]} cells @param {Partial<Record<Column, string>>} heads @returns {Map<Column, number> | null} */
function headOf(cells, heads) {
  const said = cells.map((cell) => cell.toLocaleLowerCase())
  const found = /** @type {Map<Column, number>} */ (new Map())
  for (const column of COLUMNS) {
    const words = [...HEADS[column], heads[column]?.toLocaleLowerCase()]
    const at = said.findIndex((cell) => words.includes(cell))
    if (at >= 0) found.set(column, at)
  }
  return found.has('name') ? found : null
}

/** A number as spreadsheets write it: 1500, 1,500, or 1720.5. @param {string} text @returns {number | null} NaN: this is no number */
function numberOf(text) {
  if (text === '') return null
  const digits = text.replace(/^(\d{1,3})[.,\s](\d{3})$/, '$1$2')
  return /^\d+([.,]\d+)?$/.test(digits) ? Number(digits.replace(',', '.')) : Number.NaN
}

/**
 * The entrants of a text. Without a head, each line is a name, and a single line may have several of them. Entrants are in the
 * order of their seeds if there are any, else by rating, else as they are written.
 * @param {string} text @param {Partial<Record<Column, string>>} [heads] the heads of columns in the language of the page
 * @returns {Understood}
 */
export function entrantsOf(text, heads = {}) {
  const lines = text
    .replace(/^\uFEFF?sep=.[^\S\n]*$/im, '') // for Excel
    .split(/\r\n?|[\n\u2028]/)
    .map((line, at) => ({ line: at + 1, text: line }))
    .filter((row) => row.text.trim())
  const all = lines.map((row) => row.text)
  const usual = separatorOf(all[0] ?? '')
  const head = headOf(cellsOf(all[0] ?? '', usual) ?? [], heads)
  const separator = head ? usual : headless(all, usual)
  const isTight = separator === ',' && head !== null && !all[0]?.includes(', ')
  const rows = lines.map((row) => ({ ...row, cells: cellsOf(row.text, separator, isTight) }))
  const at = head ?? new Map([[/** @type {Column} */ ('name'), 0]])
  const body = head ? rows.slice(1) : rows
  const isOneLine = !head && body.length === 1
  const entrants = /** @type {Line[]} */ ([])
  const faults = /** @type {Fault[]} */ ([])
  const seen = new Set()
  const wide =
    !head && !isOneLine && body.find(({ cells, text }) => cells?.slice(1).some(Boolean) || (!separator && hasColumns(text)))
  const width = rows[0]?.cells?.length ?? 0
  if (wide) faults.push({ line: wide.line, fault: 'heads', text: wide.text.trim() })
  for (const { line, cells, text } of body) {
    if (!cells) {
      faults.push({ line, fault: 'quote', text: text.trim() })
      continue
    }
    const isUnclear =
      cells.length < width ? isTight && cells.some((cell) => cell.includes(', ')) : cells.slice(width).some(Boolean)
    if (head && separator === ',' && isUnclear) {
      faults.push({ line, fault: 'comma', text: text.trim() })
      continue
    }
    const cell = (/** @type {Column} */ column) => cells[at.get(column) ?? -1] ?? ''
    const [seed, rating] = [numberOf(cell('seed')), numberOf(cell('rating'))]
    const noNumber = Number.isNaN(seed) ? cell('seed') : Number.isNaN(rating) ? cell('rating') : null
    if (noNumber !== null) faults.push({ line, fault: 'number', text: noNumber })
    for (const name of isOneLine ? cells.filter(Boolean) : [tidied(cell('name'))]) {
      const key = alike(name)
      if (!name) faults.push({ line, fault: 'noName', text: text.trim() })
      else if ([...name].length > NAME_LENGTH) faults.push({ line, fault: 'long', text: name })
      else if (seen.has(key)) faults.push({ line, fault: 'twice', text: name })
      else
        entrants.push({
          line,
          name,
          team: cell('team'),
          club: cell('club') || cell('team'),
          seed: seed || null,
          rating: rating || null,
        })
      seen.add(key)
    }
  }
  if (entrants.length > MOST_LISTED)
    faults.push({ line: entrants[MOST_LISTED].line, fault: 'many', text: entrants[MOST_LISTED].name })
  // A missing number is last.
  const rank = (/** @type {Line} */ { seed, rating }) =>
    at.has('seed') ? (seed ?? Number.MAX_VALUE) : -(rating ?? -Number.MAX_VALUE)
  entrants.sort((a, b) => rank(a) - rank(b))
  return { entrants, columns: COLUMNS.filter((column) => at.has(column)), faults }
}

/**
 * The names, or the teams, of each club that has several.
 * @param {readonly Line[]} entrants @param {'name' | 'team'} [who] @returns {string[][]}
 */
export function clubsOf(entrants, who = 'name') {
  const clubs = new Set(entrants.map(({ club }) => club).filter(Boolean))
  const groups = [...clubs].map((club) => [
    ...new Set(entrants.filter((one) => one.club === club && one[who]).map((one) => one[who])),
  ])
  return groups.filter((names) => names.length > 1)
}
