/** The first questions of an entrant: with whom am I compared, and how much do I need? Pure. */
import { say } from '../../words/translate.js'
import { isDrawn, opponentOf } from '../race/room-view.js'
import { bracketWith } from './bracket.js'
import { byPlace, cupRounds, groupWith, isCupRound, isTableBye } from './group-tables.js'
import { advancing } from './kinds.js'
import { askedBy, isProvisional, isTooLate, nameOf, nextRound, standingOf } from './rounds.js'
import { boardOf, hasBoards, hasTeams, teamOf } from './team-view.js'
import { cupRound, roundName, scored, scoreText } from './words.js'

/** @import { Saying } from '../../words/translate.js' */
/** @import { Standing, Tournament, View } from '../../protocol/protocol.d.ts' */

/** Whether a round is drawn or being raced. @param {Tournament} tournament */
const isOn = ({ phase }) => phase === 'drawn' || phase === 'racing'

/**
 * The opponents of an entrant in the current round or, between rounds, in the next one.
 * @param {View} view @param {number} seat @returns {Saying}
 */
export function comparedWith(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { plan, entrants = {}, rounds = {} } = tournament
  const me = entrants[seat]
  if (!me) return say('tournament.compared.noEntrant')
  if (me.state === 'disqualified') return say('tournament.compared.disqualified', { reason: { name: me.reason } })
  if (tournament.phase === 'over') return placedSaying(tournament, seat)
  if (me.state === 'withdrawn') return isTooLate(tournament, seat) ? say('tournament.compared.tooLate') : outSaying(me.reason)
  if (!isOn(tournament)) {
    if (isBeaten(tournament, seat)) return say('tournament.compared.beaten')
    if (askedBy(tournament, seat).includes(nextRound(tournament)) && !tournament.again) {
      return say('tournament.compared.halfByeNext')
    }
    if (plan.format === 'roundrobin' && tournament.round) return nextSaying(tournament, seat)
    if (hasTeams(tournament) && !me.team) return say('tournament.compared.noTeam')
    return plan.format === 'points' ? say('tournament.compared.everyone') : say('tournament.compared.notDrawn')
  }
  if (hasTeams(tournament) && !me.team) return say('tournament.compared.noTeam')
  if (hasBoards(plan)) return boardSaying(view, seat)
  const met = opponentOf(view, seat)
  if (met) return say('tournament.compared.opponent', { name: { name: nameOf(tournament, met) } })
  if (rounds[tournament.round]?.byes?.includes(seat)) {
    if (plan.format === 'roundrobin' && !isCupRound(tournament, tournament.round)) {
      return isTableBye(tournament, seat) ? say('tournament.compared.byeGroup') : say('tournament.compared.byeLeft')
    }
    if (rounds[tournament.round].lost) return say('tournament.compared.waits')
    return plan.format === 'swiss' ? say('tournament.compared.byeSwiss') : say('tournament.compared.byeKnockout')
  }
  if (plan.format === 'roundrobin') {
    const isCup = isCupRound(tournament, tournament.round)
    if (!isCup) return say(groupWith(tournament, seat) ? 'tournament.compared.groupDone' : 'tournament.compared.notInRound')
    return say(isQualified(tournament, seat) ? 'tournament.compared.beaten' : 'tournament.compared.notQualified')
  }
  if (rounds[tournament.round]?.half_byes?.includes(seat)) return say('tournament.compared.halfBye')
  return isDrawn(view, seat) ? say('tournament.compared.everyone') : say('tournament.compared.notInRound')
}

/** The entrant's board in a match of teams. @param {View} view @param {number} seat @returns {Saying} */
function boardSaying(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const own = boardOf(tournament, seat)
  const met = opponentOf(view, seat)
  if (!own) {
    const isLate = (tournament.entrants?.[seat]?.since ?? 1) > tournament.round
    const team = { name: teamOf(tournament, seat) }
    return isLate ? say('tournament.compared.notInRound') : say('tournament.compared.reserve', { team })
  }
  if (own.opponent === null) return say('tournament.compared.teamBye')
  const team = { name: own.opponent }
  if (!met) return say('tournament.compared.boardBye', { team })
  return say('tournament.compared.board', { board: own.board, name: { name: nameOf(tournament, met) }, team })
}

/** The entrant's opponent in the next round of the group. @param {Tournament} tournament @param {number} seat @returns {Saying} */
function nextSaying(tournament, seat) {
  const { plan } = tournament
  if (cupRounds(tournament).length) {
    return isQualified(tournament, seat) ? say('tournament.compared.notDrawn') : say('tournament.compared.notQualified')
  }
  const next = tournament.coming?.[seat]
  if (next) return say('tournament.compared.next', { name: { name: nameOf(tournament, next) } })
  if (next === 0) return say('tournament.compared.nextBye')
  return advancing(plan) && !tournament.next_stage ? say('tournament.compared.groupDone') : say('tournament.compared.notDrawn')
}

/** Whether the entrant has advanced into the knock-out. @param {Tournament} tournament @param {number} seat */
function isQualified(tournament, seat) {
  const [, { pairs = [], byes = [] }] = cupRounds(tournament)[0] ?? [0, {}]
  return byes.includes(seat) || pairs.some((pair) => pair.includes(seat))
}

/** The entrant's place after the last round. @param {Tournament} tournament @param {number} seat @returns {Saying} */
function placedSaying(tournament, seat) {
  const place = standingOf(tournament, seat)?.[0]
  if (place == null) return say('tournament.compared.over')
  const count = tournament.standings?.filter(([place]) => place !== null).length ?? 0
  return isProvisional(tournament)
    ? say('tournament.compared.placedSoFar', { place, count })
    : say('tournament.compared.placed', { place, count })
}

/** @param {string} reason @returns {Saying} */
function outSaying(reason) {
  if (reason === 'no_show' || reason === 'host' || reason === 'released' || reason === 'check_in')
    return say(`tournament.compared.out.${reason}`)
  return say('tournament.compared.out.left')
}

/** Whether the entrant has lost in a knock-out and has no race left. @param {Tournament} tournament @param {number} seat */
export function isBeaten(tournament, seat) {
  const { plan, rounds = {}, round } = tournament
  if (plan.format === 'double') return bracketWith(tournament, seat) === 'out'
  if (!round || !isCupRound(tournament, round)) return false
  if (plan.format === 'roundrobin' && !isQualified(tournament, seat)) return false
  const last = rounds[round]
  if (!last || last.state === 'skipped' || last.state === 'drawn' || last.state === 'racing') return false
  if (last.byes?.includes(seat)) return false
  const pairs = last.pairs ?? []
  const pair = pairs.find((pair) => pair.includes(seat))
  if (!pair) return true
  const isFirst = (/** @type {number} */ one) => last.results?.[one]?.[0] === 1
  const lost = last.results?.[seat]?.[0] === 2
  // The loser of a semi-final may still have the race for third place, if the other semi-final has a loser, too.
  return lost && !(plan.third_place && pairs.length === 2 && !last.byes?.length && pairs.every((one) => one.some(isFirst)))
}

/**
 * The distance of an entrant to the next place, or to a win.
 * @param {View} view @param {number} seat @returns {Saying[]} a sentence each
 */
export function needed(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { plan, phase, round, entrants = {} } = tournament
  const me = entrants[seat]
  if (phase === 'over' && hasTeams(tournament) && me?.team) return teamNeed(tournament, me.team)
  if (me?.state !== 'in' || phase === 'over' || phase === 'entry') return []
  if (plan.format === 'double') return doubleNeed(tournament, seat)
  if (round && isCupRound(tournament, round)) return knockoutNeed(view, seat)
  if (plan.format === 'roundrobin') return groupNeed(tournament, seat)
  if (hasTeams(tournament) && me.team) return teamNeed(tournament, me.team)
  const standing = standingOf(tournament, seat)
  const played = round - (isOn(tournament) ? 1 : 0)
  if (!standing || played < 1) return plan.format === 'points' ? [say('tournament.need.first', scored(plan.points[0] ?? 0))] : []
  return [soFar(tournament, standing, seat), ...(plan.format === 'swiss' ? swissNeed(view, seat) : pointsNeed(tournament))]
}

/** After the last round: the entrant's place and points. @param {Tournament} tournament @param {number} seat @returns {Saying[]} */
export function finalPlace(tournament, seat) {
  const { plan, phase } = tournament
  const [place, , score] = standingOf(tournament, seat) ?? [null, 0, 0]
  const hasPoints = plan.format === 'points' || plan.format === 'swiss'
  return phase === 'over' && hasPoints && place !== null ? [say('tournament.need.alone', { place, ...scored(score) })] : []
}

/** The entrant's bracket or final. @param {Tournament} tournament @param {number} seat @returns {Saying[]} */
function doubleNeed(tournament, seat) {
  const { round, plan } = tournament
  const is = bracketWith(tournament, seat)
  if (!is || is === 'out') return []
  const { stage } = roundName(tournament, isOn(tournament) || tournament.again ? round : round + 1)
  if (stage === 'second') return [say('tournament.need.second')]
  if (stage === 'final') return [plan.second_final ? say(`tournament.need.final.${is}`) : say('tournament.need.final')]
  return [say(`tournament.need.${is}`)]
}

/** @param {View} view @param {number} seat @returns {Saying[]} */
function knockoutNeed(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const { round, rounds = {} } = tournament
  const { stage, number } = roundName(tournament, round)
  if (!opponentOf(view, seat) || !isOn(tournament)) return []
  const pairs = rounds[round]?.pairs ?? []
  const isThird = stage === 'final' && pairs.length > 1 && pairs.at(-1)?.includes(seat)
  if (isThird) return [say('tournament.need.third')]
  if (stage === 'final') return [say('tournament.need.final')]
  return [say('tournament.need.reach', cupRound(number / 2))]
}

/** The entrant's place in the group, and how many entrants advance. @param {Tournament} tournament @param {number} seat @returns {Saying[]} */
function groupNeed(tournament, seat) {
  const group = groupWith(tournament, seat)
  const row = group && byPlace(group.rows).find((one) => one.seat === seat)
  if (!group || !row || !tournament.standings?.length || row.place === null) return []
  const count = advancing(tournament.plan)
  return [
    say('tournament.need.group', { place: row.place, group: group.letter, ...scored(row.score) }),
    ...(count ? [say('tournament.need.goesOn', { count })] : []),
  ]
}

/** The place and score of a team. @param {Tournament} tournament @param {string} team @returns {Saying[]} */
function teamNeed({ teams = [] }, team) {
  const row = teams.find(([place, name]) => name === team && place !== null)
  return row ? [say('tournament.need.team', { team: { name: team }, place: row[0] ?? 0, ...scored(row[2]) })] : []
}

/** The entrant's place, and the distance to the next entrant. @param {Tournament} tournament @param {Standing} standing @param {number} seat @returns {Saying} */
function soFar(tournament, [place, , score], seat) {
  const { standings = [] } = tournament
  const mine = { place: place ?? 0, ...scored(score) }
  const nameAt = (/** @type {Standing} */ row) => ({ name: nameOf(tournament, row[1]) })
  const others = standings.filter((row) => row[1] !== seat && row[0] !== null)
  const above = others.filter((row) => row[2] > score).at(-1)
  if (above) {
    const gap = scoreText(above[2] - score)
    return say('tournament.need.behind', { ...mine, gap, name: nameAt(above), above: above[0] ?? 0 })
  }
  const equal = others.find((row) => row[2] === score)
  if (equal) return say('tournament.need.tied', { ...mine, name: nameAt(equal) })
  const next = others[0]
  if (!next) return say('tournament.need.alone', mine)
  return say('tournament.need.lead', { ...scored(score), gap: scoreText(score - next[2]), name: nameAt(next) })
}

/** The number of rounds left, and the points for a win in each. @param {Tournament} tournament @returns {Saying[]} */
function pointsNeed({ plan, round, rounds_planned: planned, phase }) {
  const left = planned - round + (phase === 'drawn' || phase === 'racing' ? 1 : 0)
  if (left < 1) return []
  return [say('tournament.need.left', { rounds: left, score: scoreText(plan.points[0] ?? 0) })]
}

/** @param {View} view @param {number} seat @returns {Saying[]} */
function swissNeed(view, seat) {
  const tournament = /** @type {Tournament} */ (view.tournament)
  const met = isOn(tournament) ? standingOf(tournament, opponentOf(view, seat)) : null
  return met ? [say('tournament.need.swiss', scored(met[2]))] : []
}
