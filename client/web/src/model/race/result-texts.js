/** Texts about a finished race: the margin of the win, and the score of the room. */
import { CARDS } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { clockText, finishText } from '../format.js'
import { dealtIn, gameName } from '../game-texts.js'
import { homeText } from './rule-texts.js'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from './room-view.js' */
/** @import { Story } from '../replay/story.js' */
/** @import { Board } from '../../rules/board.js' */
/** @typedef {{seat: number, name: string, wins: number}} Score */
/** @typedef {Pick<Lane, 'place' | 'state' | 'ms' | 'home'>} Own */

/** `40 cards`. @param {number} count */
export const cardsText = (count) => t('more.end.cards', { count })

/**
 * How far the first was ahead of the player, or else of the second; "": not places 1 and 2, or unknown.
 * @param {Lane[]} lanes in the order of the places
 * @param {Pick<Story, 'behind' | 'gaps'> | null} [story] the cards behind the winner at the moment of the win: the race goes on
 *   after it @param {number} [seat] of the player
 */
export function marginText(lanes, story = null, seat = 0) {
  const [first, second] = lanes
  if (first?.place !== 1 || second?.place !== 2) return ''
  const mine = lanes.find((lane) => lane.seat === seat && (lane.place ?? 0) > 1)
  const [own, other] = [mine !== undefined, mine ?? second]
  if (first.state === 'solved' && other.state === 'solved') {
    return t('more.end.marginTime', { own, time: finishText((other.ms ?? 0) - (first.ms ?? 0)) })
  }
  const { name } = first
  if (first.state === 'solved') {
    const behind = (mine ? story?.gaps[seat] : story?.behind) ?? null
    return behind === null ? '' : t('more.end.marginWin', { own, name, cards: cardsText(behind) })
  }
  const count = first.home - other.home
  if (count > 0) return t('more.end.marginCards', { own, name, cards: cardsText(count) })
  return t('more.end.marginFirst', { cards: homeText(first.home) })
}

/** Whether nobody has brought a card home: then there is a place, but nothing to celebrate. @param {{home?: number | null}[]} lanes @param {string} game */
export const isEmpty = (lanes, game) => lanes.every(({ home }) => (home ?? 0) <= (dealtIn(game)?.home ?? 0))

/** `4:54.2`, or `40 cards`. @param {Pick<Lane, 'state' | 'ms' | 'home'>} lane */
export const resultOf = ({ state, ms, home }) => (state === 'solved' && ms !== null ? finishText(ms) : cardsText(home))

/** The gap of two racers: seconds if both won, cards if neither won, else infinite. @param {Lane} a @param {Lane} b */
function gapOf(a, b) {
  if (a.state === 'solved' && b.state === 'solved') return Math.abs((a.ms ?? 0) - (b.ms ?? 0)) / 1000
  return a.state === 'solved' || b.state === 'solved' ? Infinity : Math.abs(a.home - b.home)
}

/** The largest gap that counts as close: seconds, or cards. */
const CLOSE = 5

/**
 * The two neighbours with the smallest gap, apart from the first two, which `marginText` describes. Null if none were close, or
 * if the first two were closer.
 * @param {Lane[]} lanes in the order of the places
 * @returns {{ahead: string, behind: string, gap: number, won: boolean} | null} two names, and their gap in
 *   seconds if both won, else in cards
 */
export function closest(lanes) {
  const placed = lanes.filter((lane) => lane.place !== null)
  const pairs = placed.slice(2).map((behind, i) => ({ ahead: placed[i + 1], behind, gap: gapOf(placed[i + 1], behind) }))
  const [best] = pairs.filter(({ gap }) => gap <= CLOSE).sort((a, b) => a.gap - b.gap)
  if (!best || best.gap > gapOf(placed[0], placed[1])) return null
  const { ahead, behind, gap } = best
  return { ahead: ahead.name, behind: behind.name, gap, won: ahead.state === 'solved' }
}

/** The most wins first. @param {Score[]} scores */
const ranked = (scores) => scores.sort((a, b) => b.wins - a.wins || a.seat - b.seat)

/**
 * The wins of the match, also of racers who left; or how often each racer of this race has won in this room, including this race.
 * The most wins first. Without a match it is empty for a single racer, and if nobody has won.
 * @param {View} ended the room, at the end of the race or before the next
 * @returns {Score[]}
 */
export function roomScore({ race, past, match, people, settings }) {
  if (match) {
    const here = Object.entries(race.over_at == null ? people : race.racers).map(([seat, { name }]) => ({ seat, name }))
    const gone = Object.entries(match.wins).map(([seat, [name]]) => ({ seat, name }))
    const all = [...here, ...gone.filter(({ seat }) => !here.some((one) => one.seat === seat))]
    return ranked(all.map(({ seat, name }) => ({ seat: Number(seat), name, wins: match.wins[seat]?.[1] ?? 0 })))
  }
  /** @type {Map<number, Score>} */
  const scores = new Map()
  /** @param {number} seat @param {string} name @param {number | null | undefined} place */
  const count = (seat, name, place) => {
    const score = scores.get(seat) ?? { seat, name, wins: 0 }
    scores.set(seat, { seat, name, wins: score.wins + (place === 1 ? 1 : 0) })
  }
  for (const { game, places } of Object.values(past ?? {})) {
    const empty = isEmpty(
      places.map(([, , , , home]) => ({ home })),
      game,
    )
    for (const [seat, name, place] of places) count(seat, name, empty ? null : place)
  }
  const empty = isEmpty(Object.values(race.racers ?? {}), settings.game)
  for (const [seat, { name, place }] of Object.entries(race.racers ?? {})) count(Number(seat), name, empty ? null : place)
  const raced = [...scores.values()].filter(({ seat }) => race.racers?.[seat])
  const won = raced.reduce((all, { wins }) => all + wins, 0)
  return raced.length > 1 && won > 0 ? ranked(raced) : []
}

/** Who has won the match, or "". @param {View} ended @param {Score[]} scores @param {number} seat of the player, 0: a spectator */
export function matchText({ match }, scores, seat) {
  const [won, ...others] = scores
  if (match?.winner == null || !won) return ''
  const score = { own: won.wins, other: others[0]?.wins ?? 0, duel: others.length === 1 }
  return won.seat === seat ? t('more.match.youWon', score) : t('more.match.won', { name: won.name, ...score })
}

/** The podium of a match. @param {Score[]} scores @param {number} seat */
export const matchRows = (scores, seat) =>
  scores.map((score) => ({
    key: score.seat,
    place: 1 + scores.filter(({ wins }) => wins > score.wins).length,
    name: score.name,
    result: t('more.match.wins', { count: score.wins }),
    isOwn: score.seat === seat,
  }))

// A result in a few lines without any cards, to send to friends.

/** The squares of a part of the race: less than a quarter, half, three quarters, or more of the cards home. */
const SQUARES = [...'⬜🟨🟧🟩']
const MEDALS = [...'🥇🥈🥉']
const PARTS = 10

/** Cards home at the first draw of each tenth of the stock, else at the end. @param {Board} board @returns {number[]} */
export function homeByStock(board) {
  const back = board.copy()
  /** @type {{stock: number, home: number}[]} from the end to the start */
  const past = [{ stock: back.stockCount, home: back.home }]
  while (back.movesMade) {
    back.undo()
    past.push({ stock: back.stockCount, home: back.home })
  }
  past.reverse()
  const all = past[0]?.stock ?? 0
  return Array.from({ length: PARTS }, (_, part) => {
    const left = all * (1 - (part + 1) / PARTS)
    return (past.find(({ stock }) => stock <= left) ?? past.at(-1))?.home ?? 0
  })
}

/** The pace as squares, of which only a win fills the last one, and the place. @param {Own} own @param {number} racers @param {Board | null} board */
function gridOf({ place, state }, racers, board) {
  const squares = board?.movesMade
    ? homeByStock(board).map((home) => SQUARES[Math.min(SQUARES.length - 1, Math.floor((home / CARDS) * SQUARES.length))])
    : []
  if (squares.length) squares[squares.length - 1] = state === 'solved' ? '🟩' : '⬛'
  return squares.join('') + (racers > 1 ? (MEDALS[(place ?? 0) - 1] ?? '') : '')
}

/** The place, if others raced, and the time or the cards. @param {Own} own @param {number} racers */
function resultText({ place, state, ms, home }, racers) {
  const time = state === 'solved' && ms !== null ? finishText(ms) : null
  if (!place || racers < 2) return time ? t('more.share.won', { time }) : homeText(home)
  if (!time) return t('more.share.placed', { place, racers, cards: homeText(home) })
  return t(place === 1 ? 'more.share.wonFirst' : 'more.share.finished', { place, racers, time })
}

/**
 * `board`: at the end, if it is known. `link`: to play the same deal, without seeing more of it.
 * @param {{game: string, own: Own, racers: number, board: Board | null, link: string}} result
 */
export const shareText = ({ game, own, racers, board, link }) =>
  [
    t('more.share.title', { game: gameName(game) }),
    resultText(own, racers),
    gridOf(own, racers, board),
    own.state === 'solved' && own.ms !== null
      ? t('more.share.beatTime', { time: clockText(own.ms) })
      : t('more.share.beatCards', { cards: cardsText(own.home) }),
    link,
  ]
    .filter(Boolean)
    .join('\n')
