import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downsOf, GAMES, game, heightsOf } from '../../src/rules/games.js'
import { nth } from '../../src/rules/nth.js'
import { fanOf, layoutOf, overlap, placeOfNote, spreadOf } from '../../src/table/layout.js'

/** @import { Game } from '../../src/rules/games.js' */
/** @import { Box } from '../../src/table/layout.js' */
/** @typedef {ReturnType<typeof layoutOf>} Layout */
/** @typedef {{row: Game, width: number, height: number, mirror: boolean, name: string}} Case */

/** The space for the board on phones and tablets in both orientations, and on desktops. */
const SIZES = ['352x480', '360x640', '576x350', '740x310', '760x852', '812x1008', '1016x1190', '960x650', '1280x800', '1600x980']

/** @type {Map<string, Layout>} computed once, for all tests */
const LAYOUTS = new Map()

/** Calls a test for every game, on every screen, for both hands. @param {(layout: Layout, at: Case) => void} check @param {string[]} sizes */
function everywhere(check, sizes = SIZES) {
  for (const row of GAMES.values()) {
    for (const size of sizes) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      for (const mirror of [false, true]) {
        const name = `${row.key} ${size} ${mirror}`
        const layout = LAYOUTS.get(name) ?? layoutOf(row, width, height, mirror)
        LAYOUTS.set(name, layout)
        check(layout, { row, width, height, mirror, name })
      }
    }
  }
}

const inside = (/** @type {Box} */ { x, y, w, h }, /** @type {number} */ width, /** @type {number} */ height) =>
  x >= 0 && y >= 0 && x + w <= width + 1 && y + h <= height + 1

test('all piles are inside the box, in every game, on every screen, for either hand', () => {
  everywhere((layout, { width, height, name }) => {
    const { w, h, fan, waste } = layout
    const farthest = { x: waste.x - (fan.shown - 1) * fan.x, y: waste.y - (fan.shown - 1) * fan.y, w, h }
    for (const box of [...layout.columns, ...layout.homes, layout.stock, waste, farthest]) {
      assert.ok(inside(box, width, height), `${name}: ${JSON.stringify(box)}`)
    }
    // A touch area outside would make the table scroll.
    for (const { x, w } of layout.areas) assert.ok(x >= 0 && x + w <= width, `${name}: ${x} + ${w}`)
  })
})

test('the longest column ends above the floor, and a usual one is not squeezed', () => {
  everywhere((layout, { row }) => {
    // The last dealt card is a king, and the other ranks down to the ace follow.
    const { tops } = fanOf(layout, nth(heightsOf(row), 0) + 12, nth(downsOf(row), 0))
    assert.ok(layout.columns[0].y + (tops.at(-1) ?? 0) + layout.h <= layout.floor + 1)
    assert.ok(tops.every((top, i) => i === 0 || top - tops[i - 1] >= 3))
    assert.equal(fanOf(layout, 11, 0).squeeze, 1)
  })
})

test('cards are wide enough, and low boxes have the piles at the side', () => {
  assert.equal(layoutOf(game('lucas'), 352, 480, false).w, 27)
  assert.equal(layoutOf(game('forty-thieves'), 740, 310, false).side, true)
  assert.equal(layoutOf(game('forty-thieves'), 352, 540, false).side, false)
  assert.equal(layoutOf(game('forty-thieves'), 960, 650, false).side, false)
})

test('piles do not overlap', () => {
  everywhere(({ areas }, { name }) => {
    areas.forEach((a, i) =>
      areas.slice(i + 1).forEach((b) => {
        const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
        const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
        assert.ok(across <= 6 || down <= 1, `${name}: ${JSON.stringify([a, b])}`)
      }),
    )
  })
})

test('for the left hand the stock is on the left, and the columns keep their order', () => {
  everywhere(({ stock, homes, side, columns }, { mirror }) => {
    assert.ok(mirror ? stock.x < homes[0].x + 1 : stock.x > homes[7].x || side)
    assert.ok(columns[0].x < columns[columns.length - 1].x)
  })
})

test('on an upright phone or tablet the stock is under the thumb', () => {
  everywhere(({ stock, waste, homes, columns, floor, w, h }, { width, height, mirror, name }) => {
    if (height <= width) return
    assert.ok(stock.y > height * 0.83 && waste.y === stock.y)
    assert.ok(mirror ? stock.x < width * 0.1 : stock.x + w > width * 0.9)
    assert.ok(floor < stock.y && columns[0].y + h < floor)
    homes.slice(1).forEach((home, i) => assert.ok(home.x + 1 > homes[i].x + w, name))
  })
  const { stock, homes } = layoutOf(game('lucas'), 1080, 1600, false)
  assert.equal(stock.y, homes[0].y, 'a screen that is wider than a tablet stands on a desk')
})

test('a watched board has its foundations above or beside the columns, and no pile covers another', () => {
  for (const row of GAMES.values())
    for (const [width, height] of [
      [160, 200],
      [312, 190],
      [316, 380],
      [382, 400],
      [600, 800],
    ]) {
      const { homes, stock, waste, columns, side, w, h } = layoutOf(row, width, height, false, true)
      const name = `${row.key} ${width}x${height}`
      for (const box of [...homes, ...columns, stock, waste]) assert.ok(inside(box, width, height), name)
      for (const one of side ? [] : homes) {
        assert.ok(one.y + h <= columns[0].y && overlap(one, waste) + overlap(one, stock) === 0, name)
        assert.ok(w > width / 20, `${name}: ${w}`)
      }
    }
})

test('columns fill an upright tablet, and cards hide what they should', () => {
  for (const row of GAMES.values()) {
    const { w } = layoutOf(row, 812, 1008, false)
    assert.ok(w * Math.max(9, row.columns) > 812 * 0.88, `${row.key}: ${w}`)
  }
  const { tops } = fanOf(layoutOf(game('rank-and-file'), 960, 650, false), 5, 3)
  assert.ok(tops[1] - tops[0] < tops[4] - tops[3])
  everywhere((layout, { name }) => assert.ok(fanOf(layout, 4, 0).tops[1] <= layout.open, name), [...SIZES, '344x590', '468x640'])
})

/** The middle of a box. @param {Box} box */
const middle = ({ y, h }) => y + h / 2

test('on an upright phone no drag is longer than half of the height, and short columns fill it', () => {
  everywhere(
    (layout, { height, row, name }) => {
      const { areas, columns, homes, waste, h } = layout
      const reach = (/** @type {number} */ from, /** @type {Box} */ to) => Math.max(to.y - from, from - to.y - to.h)
      for (const from of [middle(waste), ...columns.map(middle)])
        for (const to of areas.filter((_, i) => i < 4 || i > 5))
          assert.ok(reach(from, to) <= height / 2 + 1, `${name}: ${reach(from, to)}`)
      assert.ok(homes[0].y < waste.y)
      const end = columns[0].y + h + (fanOf(layout, nth(heightsOf(row), 0) + 3, nth(downsOf(row), 0)).tops.at(-1) ?? 0)
      assert.ok(end > height * 0.5, `${name}: ${end}`)
    },
    ['352x480', '360x560', '382x640', '430x740'],
  )
})

test('five to eight cards of the waste are fanned where there is room', () => {
  const shown = (/** @type {string} */ key, /** @type {number} */ width, /** @type {number} */ height) =>
    layoutOf(game(key), width, height, false).fan.shown
  for (const [width = 0, height = 0] of [
    [976, 660],
    [1126, 760],
    [382, 600],
    [352, 480],
    [590, 350],
  ])
    for (const key of ['lucas', 'limited', 'forty-thieves', 'little-forty', 'maria']) {
      const cards = shown(key, width, height)
      assert.ok(cards >= 5 && cards <= 8, `${key} ${width}: ${cards}`)
    }
})

test('a note covers neither the pile nor the cards that it speaks of', () => {
  everywhere((layout, { width, height, name }) => {
    const { w, h, columns, floor, areas } = layout
    const note = { width: Math.min(240, width - 16), height: 38 }
    columns.forEach(({ x, y }, i) => {
      const long = { x, y, w, h: (i % 2 ? floor : y + 2 * h) - y }
      for (const pile of [long, ...areas.slice(0, 6)]) {
        const card = { x: columns[0].x, y: columns[0].y, w, h }
        const place = placeOfNote(note, { width, height }, pile, [card])
        assert.ok(inside(place, width, height), name)
        assert.ok(overlap(place, pile) + overlap(place, card) < w * 6, `${name}: ${JSON.stringify([place, pile])}`)
      }
    })
  })
})

test('all cards of the waste can be seen at once', () => {
  everywhere((layout, { width, height, name }) => {
    for (const count of [2, 24, 74]) {
      const places = spreadOf(layout, { width, height }, count)
      assert.equal(places.length, count)
      for (const { x, y } of places) assert.ok(inside({ x, y, w: layout.w, h: layout.h }, width, height), name)
      const pitch = places[1].x - places[0].x
      assert.ok(pitch >= layout.strip * 1.5, `${name}: ${pitch}`)
    }
  })
})

test('there is a gap between the foundations and the waste', () => {
  everywhere(({ side, w, homes, waste, fan }, { mirror, name }) => {
    const taken = fan.x * (fan.shown - 1)
    const air = mirror ? homes[0].x - waste.x - w : waste.x - taken - homes[7].x - w
    assert.ok(side || waste.y > homes[0].y || air >= w * 0.25, `${name}: ${air}`)
  })
})
