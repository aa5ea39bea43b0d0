/** What somebody in a tournament wants to know first: whom am I compared with, and what do I need? Pure. */
import { placeText } from '../format.js'
import { isDrawn, opponentOf } from '../room-view.js'
import { nameOf, standingOf } from './rounds.js'
import { pointsText, scoreText, WHY_OUT } from './words.js'

/**
 * @typedef {import('../room-view.js').View} View
 * @typedef {import('../room-view.js').Tournament} Tournament
 * @typedef {import('../room-view.js').Sentence} Sentence
 */

/** Whether a round is drawn or on. @param {Tournament} tournament */
const isOn = ({ phase }) => phase === 'drawn' || phase === 'racing'

/**
 * Whom somebody is compared with in the round that is drawn or on, or will be in the next one.
 *
 * @param {View} view
 * @param {number} seat
 * @returns {Sentence}
 */
export function comparedWith(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { plan, entrants = {}, rounds = {} } = tournament
  const me = entrants[seat]
  if (!me) return ['You are not an entrant.']
  if (me.state === 'disqualified') return [`You are disqualified: ${me.reason}`]
  if (me.state === 'withdrawn') return [outText(me.reason)]
  if (tournament.phase === 'over') return ['The tournament is over.']
  if (!isOn(tournament)) {
    if (isBeaten(tournament, seat)) return ['You are out of the cup. Stay and see who wins it.']
    return [plan.format === 'points' ? 'You race against everybody.' : 'Whom you race against is drawn shortly before the start.']
  }
  const met = opponentOf(view, seat)
  if (met) return ['You race against ', { name: nameOf(tournament, met) }, '.']
  if (rounds[tournament.round]?.byes?.includes(seat)) {
    return [
      plan.format === 'swiss' ? 'You have a bye: a full point without a race.' : 'You have a bye: you go on without a race.',
    ]
  }
  if (!isDrawn(view, seat)) return ['You are not in this round.']
  return ['You race against everybody.']
}

/** @param {string | undefined} reason */
function outText(reason) {
  if (reason === 'no_show') return 'You were not here at the start of a round, and are out until you come back.'
  if (reason === 'host') return 'A host has taken you out. You can come back.'
  if (reason === 'released') return 'A host has released your name on the list. Leave, and come in as yourself.'
  if (reason === 'left' || !reason) return 'You have withdrawn. You can come back.'
  return `You are out: ${WHY_OUT[reason] ?? reason}.`
}

/** Whether somebody has lost in a knock-out and has nothing left to race. @param {Tournament} tournament @param {number} seat */
export function isBeaten({ plan, rounds = {}, round }, seat) {
  if (plan.format !== 'knockout' || !round) return false
  const last = rounds[round]
  if (!last || last.state === 'skipped' || last.state === 'drawn' || last.state === 'racing') return false
  if (last.byes?.includes(seat)) return false
  const pair = last.pairs?.find((pair) => pair.includes(seat))
  if (!pair) return true
  const [place, other] = [seat, pair[0] + pair[1] - seat].map((one) => last.results?.[one]?.[0])
  // Who loses a semi-final may have the race for the third place before him.
  return place === 2 && other === 1 && !(plan.third_place && last.pairs?.length === 2 && !last.byes?.length)
}

/**
 * What somebody needs: how far it is to the next place, or to win.
 *
 * @param {View} view
 * @param {number} seat
 * @returns {Sentence}
 */
export function needed(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { plan, phase, round, entrants = {} } = tournament
  const me = entrants[seat]
  if (me?.state !== 'in' || phase === 'over' || phase === 'entry') return []
  if (plan.format === 'knockout') return knockoutNeed(view, seat)
  const standing = standingOf(tournament, seat)
  const played = round - (isOn(tournament) ? 1 : 0)
  if (!standing || played < 1)
    return plan.format === 'points' ? [`The first place is worth ${pointsText('points', plan.points[0] ?? 0)}.`] : []
  return [...soFar(tournament, standing, seat), ...(plan.format === 'swiss' ? swissNeed(view, seat) : pointsNeed(tournament))]
}

/** @param {View} view @param {number} seat @returns {Sentence} */
function knockoutNeed(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { round, rounds_planned: planned, rounds = {} } = tournament
  if (!opponentOf(view, seat) || !isOn(tournament)) return []
  const pairs = rounds[round]?.pairs ?? []
  const isThird = round >= planned && pairs.length > 1 && pairs.at(-1)?.includes(seat)
  if (isThird) return ['Win, and the third place is yours.']
  if (round >= planned) return ['This is the final: win, and the cup is yours.']
  const next = ['the final', 'the semi-finals', 'the quarter-finals'][planned - round - 1] ?? `the last ${2 ** (planned - round)}`
  return [`Win to reach ${next}.`]
}

/** Where somebody is, and how far from the next one. @param {Tournament} tournament @param {import('../room-view.js').Standing} standing @param {number} seat @returns {Sentence} */
function soFar(tournament, [place, , score], seat) {
  const { plan, standings = [] } = tournament
  const mine = pointsText(plan.format, score)
  const others = standings.filter((row) => row[1] !== seat && row[0] !== null)
  const above = others.filter((row) => row[2] > score).at(-1)
  if (above) {
    const gap = scoreText(above[2] - score)
    return [
      `You are ${placeText(place ?? 0)} with ${mine}, ${gap} behind `,
      { name: nameOf(tournament, above[1]) },
      ` (${placeText(above[0] ?? 0)}).`,
    ]
  }
  const equal = others.find((row) => row[2] === score)
  if (equal) return [`You are ${placeText(place ?? 0)} with ${mine}, as many as `, { name: nameOf(tournament, equal[1]) }, '.']
  const next = others[0]
  if (!next) return [`You are ${placeText(place ?? 0)} with ${mine}.`]
  return [`You lead with ${mine}, ${scoreText(score - next[2])} ahead of `, { name: nameOf(tournament, next[1]) }, '.']
}

/** What is still to be had. @param {Tournament} tournament @returns {Sentence} */
function pointsNeed({ plan, round, rounds_planned: planned, phase }) {
  const left = planned - round + (phase === 'drawn' || phase === 'racing' ? 1 : 0)
  if (left < 1) return []
  return [` ${left === 1 ? 'One round' : `${left} rounds`} to go, ${scoreText(plan.points[0] ?? 0)} for each won.`]
}

/** @param {View} view @param {number} seat @returns {Sentence} */
function swissNeed(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const met = isOn(tournament) ? standingOf(tournament, opponentOf(view, seat)) : null
  if (!met) return []
  return [` Your opponent has ${scoreText(met[2])}. A win is worth 1, a tie ½.`]
}
