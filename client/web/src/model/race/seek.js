/**
 * People who look for an opponent meet in ordinary public rooms that are marked for it (`seeking`). Anyone who finds none opens
 * one. If two of them did so at the same moment, one moves to the other.
 */
import { difficulty } from '../game-texts.js'

/** @import { View } from '../../protocol/protocol.d.ts' */
/**
 * @typedef {object} SeekRoom a listed room
 * @property {string} code @property {string} game @property {boolean} seeking @property {boolean} open
 * @property {string} phase @property {number | null} starts_at
 */

/** A player who is alone for this time (ms) gets a bot. */
export const BOT_AFTER = 20_000
/** How long before the cards a third and a fourth racer may still come, in ms: they have to load the table. */
const IN_TIME = 3000
const EASIEST = 'lucas'

/** The settings of a room for this. Its countdown leaves time for a third and a fourth racer. @param {string} game */
export const settingsFor = (game) => ({
  ...{ seeking: true, public: true, seats: 4, countdown: 8, late: /** @type {const} */ ('join') },
  game: difficulty(game) === 1 ? game : EASIEST,
})

/**
 * The rooms to try, the best first: the game that the player wants, then others, because few people look for an opponent.
 * @param {SeekRoom[]} rooms @param {number} now @param {string} wanted game
 * @param {string} [own] the player already waits alone in this one. Of two such rooms always the same one is given up, so two
 *   people never change places.
 */
export function roomsFor(rooms, now, wanted, own = '') {
  const good = rooms.filter(({ seeking, open, game }) => seeking && open && difficulty(game) === 1)
  const codes = (/** @type {(room: SeekRoom) => boolean} */ test) =>
    good
      .filter(test)
      .sort((a, b) => Number(b.game === wanted) - Number(a.game === wanted) || (a.code < b.code ? -1 : 1))
      .map(({ code }) => code)
  const waiting = codes(({ phase }) => phase === 'lobby')
  if (own) return waiting.filter((code) => code < own).slice(0, 1)
  return [...waiting, ...codes(({ phase, starts_at }) => phase === 'racing' && (starts_at ?? 0) - now >= IN_TIME)]
}

/** How many others are in the room now. @param {View} view @param {number} seat */
export const othersHere = (view, seat) =>
  Object.entries(view.people).filter(([who, { here }]) => here && Number(who) !== seat).length

/**
 * What the browser of a seeker does now: it is ready at once. After the wait, it gets a bot, or starts with those who are there.
 * If its host does nothing, it goes elsewhere.
 * @param {View} view @param {number} seat @param {boolean} waited long enough
 */
export function nextStep(view, seat, waited) {
  if (!view.people[seat]?.ready) return 'ready'
  if (!waited) return null
  if (view.host !== seat) return 'elsewhere'
  return othersHere(view, seat) ? 'start' : 'bot'
}
