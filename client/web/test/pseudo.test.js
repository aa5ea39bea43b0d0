import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pseudo } from '../pseudo.js'

test('a message is accented, in brackets, and longer', () => {
  assert.deepEqual(pseudo(['Race']), ['[', 'Ŕáçé', '~~]'])
})

test('parameters keep their names, and take room', () => {
  assert.deepEqual(pseudo([['name'], ' won']), ['[', ['name'], ' wóñ', '~~~~]'])
})

test('in a choice, the cases are accented and not what chooses', () => {
  const message = [['count', 'plural', { offset: undefined, one: ['#', ' card'], other: ['#', ' cards'] }]]
  const [, choice] = pseudo(message)
  assert.deepEqual(choice, ['count', 'plural', { offset: undefined, one: ['#', ' çáŕđ'], other: ['#', ' çáŕđš'] }])
})

test('what is added breaks into lines as words do', () => {
  assert.match(pseudo(['x'.repeat(100)]).at(-1), /^(~{8} ){4}~{8}\]$/)
})
