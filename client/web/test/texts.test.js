import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../texts.js'

/** @param {string} source @param {string} [path] */
const found = (source, path = 'a.jsx') => textsIn(path, source).map((fault) => fault.replace(': text outside the catalogues', ''))

test('text is found in elements, strings, templates, choices and attributes', () => {
  assert.deepEqual(found('const a = 1\nconst b = <p>Hello</p>'), ['a.jsx:2: Hello'])
  assert.deepEqual(found('const b = <p>{t("front.hello")} · 104 …</p>'), [])
  assert.deepEqual(found("const a = 'two words'"), ['a.jsx:1: two words'])
  assert.deepEqual(found(`const a = \`The \${count} cards left\``), ['a.jsx:1: The {} cards left'])
  assert.deepEqual(found("const a = ok ? 'All is well' : 'Done.'"), ['a.jsx:1: All is well', 'a.jsx:1: Done.'])
  assert.deepEqual(found('const a = <img alt="ace" />'), ['a.jsx:1: ace'])
  assert.deepEqual(found('const a = <Field label={wide ? "long" : short} />'), ['a.jsx:1: long'])
  assert.deepEqual(found('const a = <div class="big red" style="color: blue" kind="main large" />'), [])
})

test('keys, codes, symbols, errors and signed names are not text', () => {
  assert.deepEqual(found("t('front.hello'); on('keydown', 'Escape'); const a = ['wrong-password', '· ♣', 'ArrowUp']"), [])
  assert.deepEqual(found("import a from './two words.js'"), [])
  assert.deepEqual(found("throw new TypeError('this is wrong'); console.warn('not so good'); new RegExp('a few words')"), [])
  assert.deepEqual(found("class Lost extends Error { constructor() { super('it is lost') } }"), [])
  assert.deepEqual(found("const a = 'forty-thieves record v2'"), [])
})

test('a style sheet can show signs and numbers, but no words', () => {
  const sheet = "a::after { content: 'new' }\n\na::before { quotes: '„' 'x'; content: open-quote }"
  assert.deepEqual(found(sheet, 'a.css'), ['a.css:1: new', 'a.css:3: x'])
  const signs = "a { content: '★' / ''; justify-content: end; content: counter(round) '\\201c'; font-family: 'Noto' }"
  assert.deepEqual(found(`/* content: 'old' */ ${signs}`, 'a.css'), [])
})

test('text on a page is found, but not texts of the server and names', () => {
  const template = '<h1>{{ say("title") }}</h1>\n<input name="sure" value="yes" required>\n<h2>Redis</h2>{# So it is. #}'
  assert.deepEqual(found(`<!doctype html><style>p { color: red }</style>${template}`, 'a.html'), [])
  const empty = '<meta name="viewport" content="width=device-width" /><meta name="description" content="" />'
  assert.deepEqual(found(empty, 'a.html'), [])
  assert.deepEqual(found('<p>\n  All <b>well</b>\n</p>', 'a.html'), ['a.html:2: All', 'a.html:2: well'])
  assert.deepEqual(found('<p>{{ count }} of\n{{ all }}</p>', 'a.html'), ['a.html:1: of'])
  const head = '<meta name="description" content="Race your friends" />\n<img alt="An ace" src="ace.png">'
  assert.deepEqual(found(head, 'a.html'), ['a.html:1: Race your friends', 'a.html:2: An ace'])
})
