import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tournamentCommands } from '../../src/net/tournament-commands.js'

test('all that entrants and hosts of a tournament may do can be said', () => {
  /** @type {any[]} */
  const asked = []
  const commands = tournamentCommands({ ask: async (...command) => void asked.push(command) })
  commands.takePart(true)
  commands.plan({ pause: 120 })
  commands.plan({ entry: 'password' }, 'open sesame')
  commands.round('start')
  commands.round('replay', 'The network was down.')
  commands.timer(null)
  commands.judge(4, true, 'Two browsers.')
  commands.withdraw(5)
  commands.coHost(2, true)
  assert.deepEqual(asked, [
    ['enter', true],
    ['plan', { pause: 120 }],
    ['plan', { entry: 'password' }, 'open sesame'],
    ['round', 'start', ''],
    ['round', 'replay', 'The network was down.'],
    ['timer', null],
    ['judge', 4, true, 'Two browsers.'],
    ['withdraw', 5],
    ['co_host', 2, true],
  ])
})
