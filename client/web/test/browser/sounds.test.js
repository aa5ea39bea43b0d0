import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createSounds } from '../../src/browser/sounds.js'
import { settle } from '../helpers.js'

test('sounds return after a call', async (context) => {
  let started = 0
  const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} }
  const nodes = {
    GainNode: class {
      gain = gain
      connect = () => {}
    },
    OscillatorNode: class {
      connect = (/** @type {any} */ to) => to
      start() {
        started += 1
      }
      stop() {}
    },
  }
  Object.assign(globalThis, nodes)
  context.after(() => Object.keys(nodes).forEach((name) => Reflect.deleteProperty(globalThis, name)))
  const device = {
    ...{ state: 'running', currentTime: 0, isOnCall: false, suspend: mock.fn(async () => {}) },
    async resume() {
      if (device.isOnCall) throw new Error('interrupted')
      device.state = 'running'
    },
  }
  const sounds = createSounds({ isOn: () => true, open: () => /** @type {any} */ (device), isTouched: () => true })
  sounds.play('move')
  assert.equal(started, 1)
  Object.assign(device, { state: 'interrupted', isOnCall: true })
  sounds.play('move')
  await settle()
  assert.equal(started, 1)
  device.isOnCall = false
  sounds.play('draw')
  await settle()
  assert.equal(started, 2)
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  sounds.play('draw')
  mock.timers.tick(3000)
  assert.equal(device.suspend.mock.callCount(), 1)
})
