/**
 * The mark of the site, our own drawing: two cards, the upper one with a spade. The same few shapes give the icon of the
 * tab, the icons of the installed page and the picture for links, in all sizes.
 */
import { crc32, deflateSync } from 'node:zlib'

/**
 * A shape in a square of 64. Its outline connects points: straight to `[x, y]`, along a curve to `[x1, y1, x2, y2, x, y]`.
 * @typedef {{fill: string, outline: number[][]}} Shape
 */

const FELT = '#14564f'
const SIDE = 64
/** The length of the handles of a curve that is a quarter of a circle of radius 1. */
const QUARTER = 0.5523

/** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} r of its corners @param {string} fill @returns {Shape} */
function box(x, y, w, h, r, fill) {
  const [right, low, k] = [x + w, y + h, r * (1 - QUARTER)]
  const outline = [
    [x + r, y],
    [right - r, y],
    [right - k, y, right, y + k, right, y + r],
    [right, low - r],
    [right, low - k, right - k, low, right - r, low],
    [x + r, low],
    [x + k, low, x, low - k, x, low - r],
    [x, y + r],
    [x, y + k, x + k, y, x + r, y],
  ]
  return { fill, outline }
}

/** A shape rotated around a point. @param {Shape} shape @param {number} degrees @param {number} cx @param {number} cy @returns {Shape} */
function turned({ fill, outline }, degrees, cx, cy) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const turn = (/** @type {number[]} */ points) =>
    points.map((value, i) =>
      i % 2 ? cy + (points[i - 1] - cx) * sin + (value - cy) * cos : cx + (value - cx) * cos - (points[i + 1] - cy) * sin,
    )
  return { fill, outline: outline.map(turn) }
}

/** A line for each point or curve of its outline. */
const SPADE = `37.5 23
  40.5 27.6 45.5 30 45.5 34.3
  45.5 36.5 43.7 38.3 41.5 38.3
  40.5 38.3 39.5 37.9 38.8 37.3
  39 39.3 39.6 40.5 40.8 41.5
  34.2 41.5
  35.4 40.5 36 39.3 36.2 37.3
  35.5 37.9 34.5 38.3 33.5 38.3
  31.3 38.3 29.5 36.5 29.5 34.3
  29.5 30 34.5 27.6 37.5 23`

/** A card and its rim. @param {number} x @param {number} y @param {string} fill */
const card = (x, y, fill) => [
  box(x - 0.75, y - 0.75, 26.5, 36.5, 4.75, '#0b3732'),
  box(x + 0.75, y + 0.75, 23.5, 33.5, 3.25, fill),
]

const CARDS = [
  ...card(13, 14, '#e9e4d6').map((shape) => turned(shape, -12, 25, 32)),
  ...[
    ...card(25, 15, '#fffdf6'),
    { fill: '#1d2b2a', outline: SPADE.split('\n').map((line) => line.trim().split(' ').map(Number)) },
  ].map((shape) => turned(shape, 8, 38, 32)),
]
const GROUND = box(0, 0, SIDE, SIDE, 14, FELT)

/** @param {number} value */
const short = (value) => String(Math.round(value * 10) / 10)

/** The mark as a data URL, for the tab. */
export function markAddress() {
  const paths = [GROUND, ...CARDS].map(({ fill, outline }) => {
    const [start, ...rest] = outline.map((points) => points.map(short).join(' '))
    return `<path fill='${fill}' d='M${start}${rest.map((points, i) => (outline[i + 1].length > 2 ? 'C' : 'L') + points).join('')}z'/>`
  })
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${SIDE} ${SIDE}'>${paths.join('')}</svg>`
  return `data:image/svg+xml,${svg.replaceAll('#', '%23')}`
}

/** The mark with round corners. @param {number} size in pixels */
export const icon = (size) => png(size, size, painted(size, size, [GROUND, ...CARDS], size / SIDE, 0, 0))

/** The mark with felt on all sides, which a system may crop. @param {number} width @param {number} [height] */
export function poster(width, height = width) {
  const scale = (Math.min(width, height) / SIDE) * (width === height ? 0.8 : 1.1)
  const [left, top] = [(width - SIDE * scale) / 2, (height - SIDE * scale) / 2]
  const felt = box(-left, -top, width + left, height + top, 0, FELT)
  return png(width, height, painted(width, height, [felt, ...CARDS], scale, left, top))
}

/** The number of scan lines in a row of pixels. */
const LINES = 4

/**
 * The pixels of shapes, four bytes each: red, green, blue, and the covered part (alpha).
 * @param {number} width @param {number} height
 * @param {Shape[]} shapes the lowest first @param {number} scale @param {number} left @param {number} top
 */
function painted(width, height, shapes, scale, left, top) {
  const pixels = Buffer.alloc(width * height * 4)
  for (const { fill, outline } of shapes) {
    const points = straightened(outline).map(([x, y]) => [x * scale + left, y * scale + top])
    const ink = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16))
    for (let y = 0; y < height; y += 1) {
      const cover = new Float32Array(width)
      for (let line = 0; line < LINES; line += 1) {
        const at = crossings(points, y + (line + 0.5) / LINES)
        for (let i = 0; i + 1 < at.length; i += 2) span(cover, at[i], at[i + 1])
      }
      cover.forEach((part, x) => part && blend(pixels, (y * width + x) * 4, ink, Math.min(1, part)))
    }
  }
  return pixels
}

/** An outline as points connected by straight lines. @param {number[][]} outline */
function straightened(outline) {
  let [px, py] = outline[0]
  return outline.flatMap((points) => {
    const [x1, y1, x2, y2, x, y] = points.length > 2 ? points : [px, py, ...points, ...points]
    const steps = points.length > 2 ? 24 : 1
    const way = Array.from({ length: steps }, (_, i) => {
      const t = (i + 1) / steps
      const u = 1 - t
      const on = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d) =>
        u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
      return [on(px, x1, x2, x), on(py, y1, y2, y)]
    })
    ;[px, py] = [x, y]
    return way
  })
}

/** The places where a horizontal line enters and leaves a shape. @param {number[][]} points @param {number} y */
function crossings(points, y) {
  const at = points.flatMap(([x1, y1], i) => {
    const [x0, y0] = points.at(i - 1) ?? []
    return y0 <= y === y1 <= y ? [] : [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)]
  })
  return at.sort((one, other) => one - other)
}

/** Adds the part of each pixel between two places of a line to `cover`. @param {Float32Array} cover @param {number} from @param {number} to */
function span(cover, from, to) {
  const end = Math.min(cover.length, to)
  for (let x = Math.max(0, Math.floor(from)); x < end; x += 1) {
    cover[x] += (Math.min(x + 1, to) - Math.max(x, from)) / LINES
  }
}

/** @param {Buffer} pixels @param {number} at @param {number[]} ink @param {number} part how much of the pixel it covers */
function blend(pixels, at, ink, part) {
  const below = (pixels[at + 3] / 255) * (1 - part)
  ink.forEach((value, i) => (pixels[at + i] = (value * part + pixels[at + i] * below) / (part + below)))
  pixels[at + 3] = Math.round((part + below) * 255)
}

/** A PNG file (ISO/IEC 15948): 8 bits of red, green, blue and alpha, rows not filtered. @param {number} width @param {number} height @param {Buffer} pixels */
function png(width, height, pixels) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const rows = Array.from({ length: height }, (_, y) => [Buffer.of(0), pixels.subarray(y * width * 4, (y + 1) * width * 4)])
  const parts = { IHDR: head, IDAT: deflateSync(Buffer.concat(rows.flat()), { level: 9 }), IEND: Buffer.alloc(0) }
  const chunks = Object.entries(parts).map(([name, data]) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  })
  return Buffer.concat([Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ...chunks])
}
