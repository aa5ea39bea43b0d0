/** What spectators say about who will win. */
import { CARDS } from '../../protocol/constants.js'
import { t } from '../../words/translate.js'
import { listText } from '../format.js'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Lane } from '../race/room-view.js' */

/** With more racers, there is no question: nobody knows them all. */
const MOST_RACERS = 8

/** Whether it is early enough in a race to say who will win (PROTOCOL.md, "Reactions"). @param {View} view @param {readonly Lane[]} lanes @param {number} now */
export function mayPredict({ race, settings, tournament, arena }, lanes, now) {
  const isOfFriends = !tournament && !arena && lanes.length > 1 && lanes.length <= MOST_RACERS
  const isOn = race.starts_at != null && race.over_at == null
  const until = (race.starts_at ?? 0) + (settings.time_limit * 1000) / 3
  return isOfFriends && isOn && now < until && lanes.every(({ home }) => 3 * home < CARDS)
}

/** How many said the winner's name, after the race; "": nobody said anything, or nobody won. @param {View} ended @param {readonly Lane[]} lanes */
export function predictionText({ race: { predicted } }, lanes) {
  const winners = lanes.filter(({ place }) => place === 1)
  if (!predicted || !winners.length) return ''
  const count = Object.values(predicted).reduce((all, one) => all + one, 0)
  const right = winners.reduce((all, { seat }) => all + (predicted[seat] ?? 0), 0)
  return t('more.predict.result', { count, right, names: listText(winners.map(({ name }) => name)) })
}
