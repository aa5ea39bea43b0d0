import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReporter, earlierNews, latestFirst, newsText, spokenNews } from '../../../src/model/watch/race-feed.js'
import { joined } from '../../helpers.js'

/** @param {number} seat @param {string} name @param {object} [more] @returns {any} */
const lane = (seat, name, more) => ({
  ...{ seat, name, home: 0, stock: 64, moves: 1, state: 'racing', ms: null, gaveUpAt: null },
  ...more,
})

/** Racers with their cards home. @param {string} text */
const lanesOf = (text) =>
  text.split(',').map((one) => lane(one.charCodeAt(0), one.split(' ')[0], { home: Number(one.split(' ')[1]) }))

/** The news about each new state. @param {any[][]} states */
function newsOf(...states) {
  const report = createReporter()
  return states.flatMap((lanes, i) => report(lanes, i * 1000)).map(newsText)
}

test('there is no news about the time before', () => {
  assert.deepEqual(newsOf([lane(1, 'Ann', { home: 20, stock: 0 }), lane(2, 'Bob', { state: 'gave_up' })]), [])
})

test('the last events before a spectator came are told from the points of the server', () => {
  const rows = /** @type {any} */ ([
    [
      1,
      [
        [1000, 1],
        [4000, 3],
      ],
    ],
    [
      2,
      [
        [2000, 2],
        [5000, 4],
      ],
    ],
    [9, [[1, 1]]],
  ])
  const lanes = [lane(1, 'Ann', { home: 3 }), lane(2, 'Bob', { home: 4, state: 'gave_up', ms: 6000 })]
  const told = earlierNews(rows, lanes, 0)
  assert.deepEqual(
    told.map(({ id, ms }) => [id, ms]),
    [
      [-5, 1000],
      [-4, 2000],
      [-3, 4000],
      [-2, 5000],
      [-1, 6000],
    ],
  )
  assert.match(
    joined(told.map(newsText)),
    /^Ann takes the lead with 1 .* Bob passed Ann and leads with 2 .* Ann passed Bob .* Bob passed Ann .* Bob gave up/,
  )
  const led = earlierNews(rows.slice(0, 1), lanes.slice(0, 1).concat(lane(3, 'Cem')), 0)
  assert.match(joined(led.map(newsText)), /^Ann takes the lead with 1 /, 'the others have no points')
  const swaps = (/** @type {number} */ late) => Array.from({ length: 30 }, (_, i) => [i * 100 + late * 50, 2 * i + 2 + late])
  const many = /** @type {any} */ ([1, 2].map((seat) => [seat, swaps(seat - 1)]))
  assert.equal(earlierNews(many, lanes, 0).length, 20)
  assert.deepEqual(earlierNews([], [lane(1, 'Ann')], 0), [], 'a blind round')
})

test('passing and leading are news', () => {
  assert.deepEqual(newsOf(...['Ann 8,Bob 8', 'Ann 9,Bob 8', 'Ann 11,Bob 8'].map(lanesOf)), [
    'Ann takes the lead with 9 cards on the foundations',
  ])
  const states = ['Ann 5,Bob 3,Cem 9', 'Ann 5,Bob 6,Cem 9', 'Bob 12,Cem 9,Ann 5', 'Bob 12,Ann 13,Cem 9'].map(lanesOf)
  assert.deepEqual(newsOf(...states), [
    'Bob passed Ann',
    'Bob passed Cem and leads with 12 cards on the foundations',
    'Ann passed Bob and Cem and leads with 13 cards on the foundations',
  ])
})

test('the last stock card is news once, also after an undo', () => {
  const at = (/** @type {number} */ stock) => [lane(1, 'Cleo', { stock })]
  assert.deepEqual(newsOf(at(1), at(0), at(1), at(0)), ['Cleo drew the last stock card'])
  assert.deepEqual(newsOf(at(1), at(0), at(40), at(0)).length, 2, 'after a redeal it is another one')
})

test('giving up, going on, the end and late racers are news', () => {
  const dan = (/** @type {object} */ more) => [lane(4, 'Dan', { home: 12, ...more })]
  const gone = newsOf(dan({}), dan({ gaveUpAt: 7 }), dan({}), dan({ gaveUpAt: 9, state: 'gave_up', ms: 5000 }))
  assert.deepEqual(gone, ['Dan is giving up', 'Dan goes on after all', 'Dan gave up with 12 cards on the foundations'])
  assert.deepEqual(newsOf(dan({}), dan({ state: 'solved', ms: 252_900, home: 104 })), ['Dan won in 4:12'])
  const late = newsOf(...['Ann 3,Bob 5', 'Ann 3,Bob 5,Eve 0', 'Ann 6,Bob 5,Eve 0'].map(lanesOf))
  assert.deepEqual(late, ['Eve joined late', 'Ann passed Bob and leads with 6 cards on the foundations'])
})

test('on the page the latest news is first, and a final give-up is told once', () => {
  const report = createReporter()
  const [dan, eve] = [lane(4, 'Dan', {}), lane(5, 'Eve', {})]
  const [danGoes, eveGoes] = [lane(4, 'Dan', { gaveUpAt: 7 }), lane(5, 'Eve', { gaveUpAt: 8 })]
  const ended = { state: 'gave_up', gaveUpAt: 7 }
  const states = [
    [dan, eve],
    [danGoes, eve],
    [dan, eve],
    [danGoes, eve],
    [danGoes, eveGoes],
  ]
  const news = [...states, [lane(4, 'Dan', { ...ended, ms: 3000 }), lane(5, 'Eve', { ...ended, ms: 4000 })]].flatMap((lanes, i) =>
    report(lanes, i * 1000),
  )
  const told = latestFirst(news).map(({ ms, kind, name }) => `${ms} ${name} ${kind}`)
  assert.deepEqual(told, ['4000 Eve ended', '3000 Dan ended', '2000 Dan took_back', '1000 Dan gives_up'])
})

test('the spoken news is short', () => {
  const report = createReporter()
  const some = (/** @type {string} */ state) => Array.from({ length: 9 }, (_, i) => lane(i, `R${i}`, { state, home: 1 }))
  report(some('racing'), 0)
  const text = spokenNews(report(some('did_not_start'), 9000))
  assert.equal(text, '6 more events. R6 did not start. R7 did not start. R8 did not start.')
})

test('names written from right to left do not change the order of a sentence', () => {
  const states = [3, 6].map((home) => [lane(1, 'שלום 12', { home: 5 }), lane(2, 'Bob', { home }), lane(3, 'عمر', { home: 4 })])
  const names = '\u2068\u2068שלום 12\u2069 and \u2068عمر\u2069\u2069'
  assert.deepEqual(newsOf(...states), [`Bob passed ${names} and leads with 6 cards on the foundations`])
})
