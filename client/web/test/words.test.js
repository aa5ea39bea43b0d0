import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { parsed, unpacked } from '../src/words/packed.js'
import {
  fileOf,
  filesOf,
  languages,
  numberedIn,
  numbering,
  packed,
  packedTexts,
  read,
  scriptsOf,
  unusedMessages,
  wrongMessages,
} from '../words.js'

const FIRST = {
  front: { 'front.hello': 'Hello, {name}', 'front.cards': '{count, plural, one {# card} other {# cards}}' },
  race: { 'race.state.won': 'won', 'race.state.stuck': 'stuck', 'race.over': 'over' },
}
const CODE = `t('front.hello', { name }) + t('front.cards', { count }) + t(\`race.state.\${state}\`) + t("race.over")`

/** What is wrong with the first group in another language. @param {Record<string, string>} front @param {string} [tag] */
const faultsOf = (front, tag = 'ro') => wrongMessages({ front: FIRST.front }, { [tag]: { front } })

test('a language with all messages, parameters and kinds of numbers has no faults', () => {
  const cards = '{count, plural, one {o carte} few {# cărți} other {# de cărți}}'
  assert.deepEqual(faultsOf({ 'front.hello': 'Bună, {name}', 'front.cards': cards }), [])
  assert.deepEqual(wrongMessages(FIRST, { en: FIRST }), [])
})

test('a message that a language lacks is named, and one that only it has', () => {
  const found = faultsOf({ 'front.cards': FIRST.front['front.cards'], 'front.more': 'More', 'race.over': 'gata' }, 'en')
  assert.deepEqual(found, [
    'en/front.json: front.hello is missing',
    'en/front.json: front.more is not in en',
    'en/front.json: race.over does not begin with "front."',
  ])
  assert.deepEqual(
    wrongMessages(FIRST, { en: { front: FIRST.front } }).map((fault) => fault.split(': ')[0]),
    ['en/race.json', 'en/race.json', 'en/race.json'],
  )
})

test('a message with other parameters is named', () => {
  const cards = FIRST.front['front.cards']
  assert.deepEqual(faultsOf({ 'front.hello': 'Hello, {who}', 'front.cards': cards }, 'en'), [
    'en/front.json: front.hello has {who} and not {name}',
  ])
})

test('a choice by number needs every kind of number that the language has', () => {
  const without = (/** @type {string} */ cards) => faultsOf({ 'front.hello': '{name}', 'front.cards': cards })
  assert.deepEqual(without('{count, plural, one {o carte} other {# de cărți}}'), [
    'ro/front.json: front.cards {count} has no "few"',
  ])
  const inside = '{count, plural, one {{count, plural, other {x}}} few {y} other {z}}'
  assert.deepEqual(without(inside).sort(), [
    'ro/front.json: front.cards {count} has no "few"',
    'ro/front.json: front.cards {count} has no "one"',
  ])
})

test('a message that cannot be read is named', () => {
  assert.throws(() => faultsOf({ 'front.hello': '{name', 'front.cards': 'x' }), /front\.hello: /)
})

test('a message is used if a script names its key, or puts it together', () => {
  assert.deepEqual(unusedMessages(FIRST, CODE), [])
  assert.deepEqual(unusedMessages(FIRST, `t('front.hello') + t(\`race.\${what}\`)`), [
    'en: front.cards is not used',
    'en: race.state.won is not used',
    'en: race.state.stuck is not used',
  ])
})

test('the messages for pages that the server makes need no script', () => {
  assert.deepEqual(unusedMessages({ server: { 'server.end': 'end' } }, ''), [])
})

test('only keys that scripts name as they are have numbers in the built page', () => {
  const { numbers, heads } = numberedIn(FIRST, CODE)
  assert.deepEqual(
    [...numbers],
    [
      ['front.hello', '0'],
      ['front.cards', '1'],
      ['race.over', '2'],
    ],
  )
  assert.deepEqual(heads, ['race.state.'])
})

test('what is packed for the page has all messages again when it is unpacked', () => {
  const { numbers, heads } = numberedIn(FIRST, CODE)
  const { keys, order } = packed(['race.state.won', 'race.state.stuck', 'race.over'], numbers, heads)
  assert.deepEqual(keys, [2, 1, [['race.state.', 'won stuck']]])
  assert.deepEqual(order, ['race.over', 'race.state.won', 'race.state.stuck'])
  assert.deepEqual(unpacked(keys, packedTexts(['over', 'won', 'stuck'])), {
    'race.state.won': ['won'],
    'race.state.stuck': ['stuck'],
    2: ['over'],
  })
})

test('a key belongs to the family with the longest head', () => {
  const { keys } = packed(['refused.full', 'refused.reason.no-card'], new Map(), ['refused.', 'refused.reason.'])
  assert.deepEqual(keys.at(2), [
    ['refused.', 'full'],
    ['refused.reason.', 'no-card'],
  ])
})

test('each language has its messages in the order of the keys, whatever that of its catalogue', () => {
  const en = { race: { 'race.over': 'over', 'race.state.won': 'won' } }
  const ro = { race: { 'race.state.won': 'gata', 'race.over': 'a terminat' } }
  const files = filesOf(en, { en, ro }, new Map(), [''])
  assert.deepEqual([...files.keys()], ['en-race.js', 'ro-race.js'])
  assert.equal(files.get('ro-race.js'), 'export default "|a terminat|gata"\n')
})

test('a frequent letter of several bytes has changed places with a rare one of one byte', () => {
  const texts = ['पत्ता पत्ता', 'पत्ता, पत्ता # पत्ता!', '{name} …']
  const packed = packedTexts(texts)
  assert.ok(Buffer.byteLength(packed) < Buffer.byteLength(texts.join('|')))
  assert.match(packed, /\|\{name\} …$/)
  assert.deepEqual(Object.values(unpacked([0, 3, []], packed)), texts.map(parsed))
})

test('no message may have what stands between messages', () => {
  assert.throws(() => packedTexts(['Play|Watch']), /"\|"/)
})

/** Bytes of gzip. */
const MOST = 14_000

test('all that is no tournament is light in each language', () => {
  const { first, files } = scriptsOf(numbering())
  const groups = Object.keys(first).filter((group) => group !== 'tournament')
  for (const language of Object.keys(languages())) {
    const scripts = groups.map((group) => files.get(fileOf(language, group)) ?? '')
    const bytes = scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0)
    assert.ok(bytes <= MOST, `${language} has ${bytes} bytes`)
  }
})

/** A message in which texts side by side are one. @param {any} parts @returns {any[]} */
function plain(parts) {
  /** @type {any[]} */
  const found = []
  for (const part of [parts].flat()) {
    const before = found.at(-1)
    if (typeof part !== 'string') {
      const [name, kind, choices] = part
      found.push([name, kind, Object.entries(choices ?? {}).map(([key, choice]) => [key, plain(choice)])])
    } else if (part !== '#' && typeof before === 'string' && before !== '#') found.push(found.pop() + part)
    else if (part) found.push(part)
  }
  return found
}

test('the page has each message of each language as Lingui compiles it', () => {
  for (const language of Object.keys(languages())) {
    for (const catalogue of Object.values(read(language))) {
      for (const text of Object.values(catalogue)) {
        const compiled = JSON.parse(JSON.stringify(compileMessageOrThrow(text)))
        assert.deepEqual(plain(parsed(text)), plain(compiled), text)
      }
    }
  }
})
