import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardText } from '../../../src/model/card-text.js'
import { happeningsOf } from '../../../src/model/replay/happenings.js'
import { figureText, happeningText, positionText } from '../../../src/model/replay/replay-texts.js'
import { timelineOf } from '../../../src/model/replay/timeline.js'
import { parseCard } from '../../../src/rules/cards.js'
import { ALL, recordOf } from './records.js'

test('each happening has a text', () => {
  for (const name of ALL) {
    const timeline = timelineOf(recordOf(name))
    for (const happening of happeningsOf(timeline)) {
      const text = happeningText(happening, (seat) => timeline.line(seat).racer)
      assert.ok(text.startsWith(timeline.line(happening.seat).racer.name), text)
      assert.doesNotMatch(text, /undefined|null|NaN|##|watch\./)
    }
  }
})

test('cards have a suit, and a position is a time or a card', () => {
  assert.equal(cardText(parseCard('TH')), '10♥\uFE0E')
  assert.equal(cardText(parseCard('AS')), 'A♠\uFE0E')
  assert.equal(positionText('time', 83_400), '1:23')
  assert.equal(positionText('stock', 22.999999999999), 'card 23')
  assert.equal(positionText('stock', 22.5), 'card 22')
  assert.equal(figureText('stock', 22.5), '22')
})
