import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { compiledFiles, compileMessage, languages, pseudo } from '../catalogues.js'
import { faults, unusedMessages, wrongMessages } from './catalogue-faults.js'
import { joined } from './helpers.js'

const FIRST = {
  front: { 'front.hello': 'Hello, {name}', 'front.cards': '{count, plural, one {# card} other {# cards}}' },
  race: { 'race.state.won': 'won', 'race.state.stuck': 'stuck', 'race.over': 'over' },
}
const CODE = `t('front.hello', { name }) + t('front.cards', { count }) + t(\`race.state.\${state}\`) + t("race.over")`

/** The faults of the first group in another language. @param {Record<string, string>} front @param {string} [tag] */
const faultsOf = (front, tag = 'ro') => wrongMessages({ front: FIRST.front }, { [tag]: { front } })

test('the catalogues have no fault', () => assert.deepEqual(faults(), []))

test('missing and additional messages of a language are named', () => {
  const cards = '{count, plural, one {o carte} few {# cărți} other {# de cărți}}'
  assert.deepEqual(faultsOf({ 'front.hello': 'Bună, {name}', 'front.cards': cards }), [])
  assert.deepEqual(wrongMessages(FIRST, { en: FIRST }), [])
  const found = faultsOf({ 'front.cards': FIRST.front['front.cards'], 'front.more': 'More', 'race.over': 'gata' }, 'en')
  const faults = ['front.hello is missing', 'front.more is not in en', 'race.over does not begin with "front."']
  assert.deepEqual(
    found,
    faults.map((fault) => `en/front.json: ${fault}`),
  )
  const without = wrongMessages(FIRST, { en: { front: FIRST.front } })
  assert.equal(joined(without.map((fault) => fault.split(': ')[0])), 'en/race.json en/race.json en/race.json')
})

test('a message with other parameters, missing choices or bad syntax is named', () => {
  const other = { ...FIRST.front, 'front.hello': 'Hello, {who}' }
  assert.deepEqual(faultsOf(other, 'en'), ['en/front.json: front.hello has {who} and not {name}'])
  const without = (/** @type {string} */ cards) => joined(faultsOf({ 'front.hello': '{name}', 'front.cards': cards }).sort())
  const fault = 'ro/front.json: front.cards {count} has no'
  assert.equal(without('{count, plural, one {o carte} other {# de cărți}}'), `${fault} "few"`)
  const inside = '{count, plural, one {{count, plural, other {x}}} few {y} other {z}}'
  assert.equal(without(inside), `${fault} "few" ${fault} "one"`)
  assert.throws(() => faultsOf({ 'front.hello': '{name', 'front.cards': 'x' }), /front\.hello: /)
})

test('a message is used by its key or a pattern, or by the server', () => {
  assert.deepEqual(unusedMessages(FIRST, CODE), [])
  const unused = unusedMessages(FIRST, `t('front.hello') + t(\`race.\${what}\`)`)
  assert.deepEqual(
    unused,
    ['front.cards', 'race.state.won', 'race.state.stuck'].map((key) => `en: ${key} is not used`),
  )
  assert.deepEqual(unusedMessages({ server: { 'server.end': 'end' } }, ''), [])
})

test('each language is small without the texts of tournaments, challenges, sharing, other games and the memory', () => {
  for (const language of Object.keys(languages())) {
    const scripts = [...compiledFiles()].filter(([name]) =>
      new RegExp(`^${language}-(?!tournament|challenge|memory|share|games)\\w+\\.js$`).test(name),
    )
    const bytes = scripts.reduce((sum, [, script]) => sum + gzipSync(script, { level: 9 }).length, 0)
    assert.ok(bytes <= 24_700, `${language} has ${bytes} bytes`)
  }
})

/** @param {string} message */
const marked = (message) => JSON.parse(JSON.stringify(pseudo(compileMessage('', message))))

test('the language for tests has accents, brackets and longer texts', () => {
  assert.equal(marked('Race').join(''), '[Ŕáçé~~]')
  assert.deepEqual(marked('{name} won'), ['[', ['name'], ' wóñ', '~~~~]'])
  const cards = { 0: ['Ñó çáŕđ'], one: ['#', ' çáŕđ'], other: ['#', ' çáŕđš'] }
  const plural = marked('{count, plural, =0 {No card} one {# card} other {# cards}}')
  assert.deepEqual(plural, ['[', ['count', 'plural', cards], '~~]'])
  assert.match(marked('x'.repeat(100)).join(''), /(~{8} ){4}~{8}\]$/)
})
