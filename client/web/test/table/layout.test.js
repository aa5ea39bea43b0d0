import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GAMES, game } from '../../src/rules/games.js'
import { fanOf, layoutOf } from '../../src/table/layout.js'

/** @import { Box } from '../../src/table/layout.js' */

/** The space for the board on phones and tablets in both orientations, and on desktops. */
const SIZES = [
  [352, 480],
  [360, 640],
  [576, 350],
  [740, 310],
  [760, 852],
  [812, 1008],
  [1016, 1190],
  [960, 650],
  [1280, 800],
  [1600, 980],
]

const inside = (/** @type {Box} */ { x, y, w, h }, /** @type {number} */ width, /** @type {number} */ height) =>
  x >= 0 && y >= 0 && x + w <= width + 1 && y + h <= height + 1

test('everything lies inside the box, in every game, on every screen, for either hand', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of SIZES) {
      for (const mirror of [false, true]) {
        const layout = layoutOf(row, width, height, mirror)
        const { w, h, fan, waste } = layout
        const farthest = { x: waste.x - (fan.shown - 1) * fan.x, y: waste.y - (fan.shown - 1) * fan.y, w, h }
        for (const box of [...layout.columns, ...layout.homes, layout.stock, waste, farthest]) {
          assert.ok(inside(box, width, height), `${row.key} ${width}x${height}: ${JSON.stringify(box)}`)
        }
      }
    }
  }
})

test('the longest column there can be ends above the floor, and no card of it is hidden', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of SIZES) {
      const layout = layoutOf(row, width, height, false)
      // The last dealt card is a king, and the other ranks down to the ace follow.
      const { tops } = fanOf(layout, row.cards + 12, row.face_down)
      assert.ok(layout.columns[0].y + (tops.at(-1) ?? 0) + layout.h <= layout.floor + 1)
      assert.ok(tops.every((top, i) => i === 0 || top - tops[i - 1] >= 3))
    }
  }
})

test('a column as long as most never has to be squeezed', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of SIZES) assert.equal(fanOf(layoutOf(row, width, height, false), 11, 0).squeeze, 1)
  }
})

test('thirteen columns leave 27 pixels for a card on a phone that is held upright', () => {
  assert.equal(layoutOf(game('lucas'), 352, 480, false).w, 27)
})

test('the piles beside the columns are for boxes that are low and wide', () => {
  assert.equal(layoutOf(game('forty-thieves'), 740, 310, false).side, true)
  assert.equal(layoutOf(game('forty-thieves'), 352, 540, false).side, false)
  assert.equal(layoutOf(game('forty-thieves'), 960, 650, false).side, false)
})

test('piles do not overlap, so that a finger means one of them', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of SIZES) {
      const { areas } = layoutOf(row, width, height, false)
      areas.forEach((a, i) =>
        areas.slice(i + 1).forEach((b) => {
          const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
          const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
          assert.ok(across <= 6 || down <= 1, `${row.key} ${width}x${height}: ${JSON.stringify([a, b])}`)
        }),
      )
    }
  }
})

test('for the left hand the stock lies on the left, and the columns keep their order', () => {
  for (const [width, height] of SIZES) {
    const right = layoutOf(game('little-forty'), width, height, false)
    const left = layoutOf(game('little-forty'), width, height, true)
    assert.ok(right.stock.x > right.homes[7].x || right.side)
    assert.ok(left.stock.x < left.homes[0].x + 1)
    assert.ok(left.columns[0].x < left.columns[9].x)
  }
})

test('on a phone or a tablet that is held upright the stock lies in the corner under the thumb, and all foundations side by side', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of SIZES.filter(([width, height]) => height > width)) {
      for (const mirror of [false, true]) {
        const { stock, waste, homes, columns, floor, w, h } = layoutOf(row, width, height, mirror)
        assert.ok(stock.y > height * 0.83 && waste.y === stock.y)
        assert.ok(mirror ? stock.x < width * 0.1 : stock.x + w > width * 0.9)
        assert.ok(floor < stock.y && columns[0].y + h < floor)
        homes.slice(1).forEach((home, i) => assert.ok(home.x >= homes[i].x + w, row.key))
      }
    }
  }
  const { stock, homes } = layoutOf(game('lucas'), 1080, 1600, false)
  assert.equal(stock.y, homes[0].y, 'a screen that is wider than a tablet stands on a desk')
})

test('a tablet that is held upright has large cards: its columns take the whole width', () => {
  for (const row of GAMES.values()) {
    const { w } = layoutOf(row, 812, 1008, false)
    assert.ok(w * row.columns > 812 * 0.88, `${row.key}: ${w}`)
  }
})

test('face-down cards show less of themselves than the others', () => {
  const { tops } = fanOf(layoutOf(game('rank-and-file'), 960, 650, false), 5, 3)
  assert.ok(tops[1] - tops[0] < tops[4] - tops[3])
})

test('no pip peeks out under the next card, in any game on any screen', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of [...SIZES, [344, 590], [468, 640]]) {
      const layout = layoutOf(row, width, height, false)
      const { tops } = fanOf(layout, 4, 0)
      assert.ok(tops[1] <= layout.pip, `${row.key} ${width}x${height}`)
    }
  }
})

test('between foundations and waste there is more air than between two cards', () => {
  for (const row of GAMES.values()) {
    for (const [width, height] of SIZES) {
      for (const mirror of [false, true]) {
        const { side, w, homes, waste, fan } = layoutOf(row, width, height, mirror)
        const taken = fan.x * (fan.shown - 1)
        const air = mirror ? homes[0].x - waste.x - w : waste.x - taken - homes[7].x - w
        assert.ok(side || waste.y > homes[0].y || air >= w * 0.25, `${row.key} ${width}x${height}: ${air}`)
      }
    }
  }
})
