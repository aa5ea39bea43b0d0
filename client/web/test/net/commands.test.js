import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommands } from '../../src/net/commands.js'

/** Commands on a connection that the test breaks and restores. */
function connection() {
  /** @type {any[][]} */
  const sent = []
  let isUp = true
  const commands = createCommands((message) => {
    if (isUp) sent.push(message)
    return isUp
  })
  return {
    commands,
    sent,
    breakIt() {
      isUp = false
      commands.broken()
    },
    restore() {
      isUp = true
      sent.length = 0
      commands.open()
    },
  }
}

test('a promise settles with the answer of its number', async () => {
  const { commands, sent } = connection()
  commands.open()
  const [lock, start] = [commands.ask('lock', true), commands.ask('start')]
  assert.equal(JSON.stringify(sent), '[["lock",1,true],["start",2]]')
  commands.answered(['refused', 2, 'nobody-ready', 'There is nobody here to race.'])
  commands.answered(['ok', 1])
  await lock
  await assert.rejects(start, { code: 'nobody-ready', message: 'There is nobody here to race.' })
})

test('a command without a connection waits until the client is in the room', async () => {
  const { commands, sent, breakIt, restore } = connection()
  breakIt()
  const chat = commands.ask('chat', 'k', 'hi')
  restore()
  assert.deepEqual(sent, [['chat', 1, 'k', 'hi']])
  commands.answered(['ok', 1])
  await chat
})

test('a command without an answer is sent a second time, an answered one is not', async () => {
  const { commands, sent, breakIt, restore } = connection()
  commands.open()
  const ready = commands.ask('ready', 'ff')
  const give = commands.ask('give_up')
  commands.answered(['ok', 1])
  await ready
  breakIt()
  restore()
  assert.deepEqual(sent, [['give_up', 2]])
  commands.answered(['ok', 2])
  await give
})

test('a command that must not happen twice is refused as lost', async () => {
  const { commands, sent, breakIt, restore } = connection()
  commands.open()
  const bot = commands.ask('bot', 2)
  breakIt()
  await assert.rejects(bot, { code: 'lost' })
  restore()
  assert.deepEqual(sent, [])
})

test('the refusal "racing" means success for a second "start", and not for a first', async () => {
  const { commands, breakIt, restore } = connection()
  const racing = /** @type {const} */ (['racing', 'This is not possible during a race.'])
  commands.open()
  const start = commands.ask('start')
  breakIt()
  restore()
  commands.answered(['refused', 1, ...racing])
  await start
  const second = commands.ask('start')
  commands.answered(['refused', 2, ...racing])
  await assert.rejects(second, { code: 'racing' })
})
