import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../texts.js'

/** @param {string} source */
const found = (source) => textsIn('a.jsx', source).map((fault) => fault.replace(': text outside the catalogues', ''))

test('text in an element is found, even one word', () => {
  assert.deepEqual(found('const a = 1\nconst b = <p>Hello</p>'), ['a.jsx:2: Hello'])
  assert.deepEqual(found('const b = <p>{t("front.hello")} · 104 …</p>'), [])
})

test('text is found in whatever makes it: a string, a template, a choice', () => {
  assert.deepEqual(found("const a = 'two words'"), ['a.jsx:1: two words'])
  assert.deepEqual(found(`const a = \`The \${count} cards left\``), ['a.jsx:1: The {} cards left'])
  assert.deepEqual(found("const a = ok ? 'All is well' : 'Done.'"), ['a.jsx:1: All is well', 'a.jsx:1: Done.'])
})

test('what is read or heard of an element is text, and what is for the browser is not', () => {
  assert.deepEqual(found('const a = <img alt="ace" />'), ['a.jsx:1: ace'])
  assert.deepEqual(found('const a = <Field label={wide ? "long" : short} />'), ['a.jsx:1: long'])
  assert.deepEqual(found('const a = <div class="big red" style="color: blue" />'), [])
})

test('keys, codes, names of events and symbols are no text', () => {
  assert.deepEqual(found("t('front.hello'); on('keydown', 'Escape'); const a = ['wrong-password', '· ♣', 'ArrowUp']"), [])
  assert.deepEqual(found("import a from './two words.js'"), [])
})

test('errors are for programmers, and a name that is signed is no sentence', () => {
  assert.deepEqual(found("throw new TypeError('this is wrong'); console.warn('not so good'); new RegExp('a few words')"), [])
  assert.deepEqual(found("class Lost extends Error { constructor() { super('it is lost') } }"), [])
  assert.deepEqual(found("const a = 'forty-thieves record v2'"), [])
})
