import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommands } from '../../src/net/commands.js'

function line() {
  /** @type {any[][]} */
  const said = []
  let up = true
  const commands = createCommands((message) => {
    if (up) said.push(message)
    return up
  })
  return {
    commands,
    said,
    break() {
      up = false
      commands.broken()
    },
    mend() {
      up = true
      said.length = 0
      commands.open()
    },
  }
}

test('a promise settles with the answer of its number', async () => {
  const { commands, said } = line()
  commands.open()
  const lock = commands.ask('lock', true)
  const start = commands.ask('start')
  assert.deepEqual(said, [
    ['lock', 1, true],
    ['start', 2],
  ])
  commands.answered(['refused', 2, 'nobody-ready', 'There is nobody here to race.'])
  commands.answered(['ok', 1])
  await lock
  await assert.rejects(start, { code: 'nobody-ready', message: 'There is nobody here to race.' })
})

test('a command given while the line is down waits for the room', async () => {
  const { commands, said, ...net } = line()
  net.break()
  const chat = commands.ask('chat', 'k', 'hi')
  net.mend()
  assert.deepEqual(said, [['chat', 1, 'k', 'hi']])
  commands.answered(['ok', 1])
  await chat
})

test('a command whose answer was lost is said again', async () => {
  const { commands, said, ...net } = line()
  commands.open()
  const give = commands.ask('give_up')
  net.break()
  net.mend()
  assert.deepEqual(said, [['give_up', 1]])
  commands.answered(['ok', 1])
  await give
})

test('a command that was answered is not said again', async () => {
  const { commands, said, ...net } = line()
  commands.open()
  const ready = commands.ask('ready', 'ff')
  commands.answered(['ok', 1])
  await ready
  net.break()
  net.mend()
  assert.deepEqual(said, [])
})

test('what could happen twice is not said again, and the person is told that it is not known', async () => {
  const { commands, said, ...net } = line()
  commands.open()
  const bot = commands.ask('bot', 2)
  net.break()
  await assert.rejects(bot, { code: 'lost' })
  net.mend()
  assert.deepEqual(said, [])
})

test('said again, "the race is on" means that starting it went through the first time', async () => {
  const { commands, ...net } = line()
  commands.open()
  const start = commands.ask('start')
  net.break()
  net.mend()
  commands.answered(['refused', 1, 'racing', 'This is not possible during a race.'])
  await start
})

test('said for the first time, "the race is on" is a refusal', async () => {
  const { commands } = line()
  commands.open()
  const start = commands.ask('start')
  commands.answered(['refused', 1, 'racing', 'This is not possible during a race.'])
  await assert.rejects(start, { code: 'racing' })
})
