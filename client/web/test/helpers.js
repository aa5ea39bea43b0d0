/** Helpers for several tests: vectors, won deals, storage, connections. */
import { readFileSync } from 'node:fs'
import { decode, encode } from '@msgpack/msgpack'
import { Board } from '../src/rules/board.js'
import { cardName } from '../src/rules/cards.js'
import { game } from '../src/rules/games.js'
import { moveText } from '../src/rules/move-notation.js'
import { deckOfNumber } from '../src/rules/numbered-deal.js'

/** A file that Python tests read, too. @param {string} name @param {string} [folder] @returns {any} */
export const vectors = (name, folder = 'shared/vectors') =>
  JSON.parse(readFileSync(new URL(`../../../${folder}/${name}`, import.meta.url), 'utf8'))

/** The moves that win a deal of each game. @type {{game: string, number: number, moves: string[]}[]} */
export const WINS = vectors('wins.json')

/** The board of a numbered deal after some entries of a log. @param {string} key @param {number | string} number @param {string[]} log */
export function dealt(key, number, log = []) {
  const board = Board.deal(game(key), deckOfNumber(String(number)))
  for (const text of log) board.enter(text)
  return board
}

/** The start of a deal of Maria: nine columns of four, alternating colours, one card at a time. */
export const START = '2C3C4CTH 2D3D4D9S 2H3H4H8D 2S3S4S7C 5C6C7CKH 5D6D7DQS 5H6H7HJD 5S6S7STC 8C9CTCAS'.split(' ')

/** Bytes in hexadecimal. @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/** Whether no number is less than the one before it. @param {readonly number[]} numbers */
export const rises = (numbers) => numbers.every((one, i) => i === 0 || one >= numbers[i - 1])

/** A position as in a vector, without the outcome: what a player sees, and the legal moves. @param {Board} board */
export const described = (board) => ({
  legal: [...board.legalMoves()].map(moveText).sort(),
  columns: board.columns.map((pile) => pile.map(cardName)),
  ...{ waste: board.waste.map(cardName), stock: board.stockCount, redeals: board.redealsLeft, home: board.home },
  foundations: board.foundations,
})

/** One field of each item. @template T @template {keyof T} K @param {readonly T[]} items @param {K} name @returns {T[K][]} */
export const pluck = (items, name) => items.map((item) => item[name])

/** The view of a race. @param {Record<number, object>} racers @param {object} [more] @param {Record<number, object>} [people] */
export function raceOf(racers, more = {}, people = {}) {
  const racing = Object.entries(racers).map(([seat, racer]) => [seat, { name: `P${seat}`, state: 'racing', ...racer }])
  return /** @type {any} */ ({ people, race: { starts_at: 1000, racers: Object.fromEntries(racing), ...more } })
}

/** A browser's storage. */
export function storage() {
  /** @type {Map<string, string>} */
  const kept = new Map()
  return {
    kept,
    recall: (/** @type {string} */ key) => kept.get(key) ?? null,
    remember: (/** @type {string} */ key, /** @type {string | null} */ value) =>
      void (value === null ? kept.delete(key) : kept.set(key, value)),
  }
}

/** A WebSocket with the test as its server. @param {string} [named] the room in its URL */
export function fakeSocket(named = '') {
  const socket = {
    named,
    closed: false,
    binaryType: '',
    readyState: 1,
    /** @type {any[]} */ sent: [],
    /** @type {any} */ onopen: null,
    /** @type {any} */ onmessage: null,
    /** @type {any} */ onclose: null,
    send: (/** @type {Uint8Array} */ frame) => void socket.sent.push(decode(frame)),
    close() {
      socket.closed = true
      socket.readyState = 2
    },
    /** The client receives a message. @param {any[]} message */
    receive: (...message) => socket.onmessage({ data: encode(message) }),
    /** @param {boolean} [several] whether several processes serve rooms */
    welcome(several) {
      socket.onopen()
      socket.receive('welcome', 1, 'new', 0, '1.0', several)
    },
    /** The commands of the client. */
    get asked() {
      return socket.sent.filter(([tag]) => tag !== 'hello' && tag !== 'ping')
    },
    /** The fields after the number of all commands of a kind. @param {string} tag */
    fieldsOf: (tag) => socket.sent.filter((message) => message[0] === tag).map(([, , ...fields]) => fields),
    /** The server accepts or refuses the last command. @param {string[]} why */
    answer: (...why) => socket.receive(why.length ? 'refused' : 'ok', socket.asked.at(-1)[1], ...why),
  }
  return socket
}

/** Lets promises that can settle do so. */
export const settle = () => new Promise((done) => setTimeout(done, 5))

/** The items as a text. @param {readonly unknown[]} items */
export const joined = (items, separator = ' ') => items.join(separator)
