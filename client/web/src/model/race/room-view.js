/** @import { Person, Racer, Round, View } from '../../protocol/protocol.d.ts' */

/**
 * Facts derived from the public view of a room, which the server sends. Times are ms by the server's clock; a missing key
 * counts as null.
 * @typedef {Racer['state']} RacerState a blind round only shows `done`
 * @typedef {[name: string, seat: number | null, ticket: string, team: string]} ListRow a line of the entry list, for hosts
 * @typedef {'lobby' | 'countdown' | 'racing' | 'over'} Phase
 * @typedef {{moves: number, home: number, stock: number}} Progress
 * @typedef {{seat: number, name: string, state: RacerState, home: number, moves: number, stock: number | null, drawn?: number,
 *   ms: number | null, place: number | null, awayAt: number | null, gaveUpAt: number | null, bot: boolean, early?: boolean, since?: number}} Lane
 *   `drawn`: the part of the stock that is drawn, 0 to 1; `early`: the race was ended before its time; `since`: of a try, when
 *   it had so many cards home
 */

/** @param {View} view @param {number} now @returns {Phase} */
export function phaseOf({ race }, now) {
  if (race.over_at != null) return 'over'
  if (race.starts_at == null) return 'lobby'
  return now < race.starts_at ? 'countdown' : 'racing'
}

/** @param {View} view @returns {[number, Person][]} by seat, in the order of arrival */
export const peopleOf = (view) =>
  Object.entries(view.people)
    .map(([seat, person]) => /** @type {[number, Person]} */ ([Number(seat), person]))
    .sort((a, b) => a[0] - b[0])

/** @param {View} view @param {number} seat */
export const racerAt = (view, seat) => view.race.racers?.[seat] ?? null

/** Whether it is the room of a try of a challenge. @param {View} view */
export const isTry = ({ arena, race }) => arena !== undefined && race.source != null

/** Whether this is a race on the deal of a day. @param {View} view */
export const isOfDay = ({ race }) => race.day != null

/** Whether the results of the others are still hidden: a blind round. @param {View} view */
export const isBlind = ({ tournament, race }) => tournament?.plan.blind === true && race.starts_at != null && race.over_at == null

/** Whether this is a room of people who look for an opponent, before its first race. @param {View} view */
export const isSeeking = ({ settings, race }) => settings.seeking && race.number === 1 && race.starts_at == null

/** Whether a player has the rights of a host. @param {View} view @param {number} seat */
export const isHosting = ({ host, tournament }, seat) =>
  seat > 0 && (seat === host || tournament?.co_hosts?.includes(seat) === true)

/** The opponent of a player in the current round of a tournament; 0: none. @param {View} view @param {number} seat */
export const opponentOf = ({ tournament }, seat) => opponentIn(tournament?.rounds?.[tournament.round], seat)

/** The opponent of a player in a round; 0: none, or a bye. @param {Round | undefined} round @param {number} seat */
export function opponentIn(round, seat) {
  const pair = round?.pairs?.find((pair) => pair.includes(seat))
  return pair ? pair[0] + pair[1] - seat : 0
}

/** Whether a player races in the drawn round, or probably will. @param {View} view @param {number} seat */
export function isDrawn({ tournament }, seat) {
  const round = tournament?.rounds?.[tournament.round]
  if (!round || tournament?.entrants?.[seat]?.state !== 'in' || round.byes?.includes(seat)) return false
  return !round.pairs?.length || round.pairs.some((pair) => pair.includes(seat))
}

/** Whether a round with this player is about to start. @param {View} view @param {number} seat */
export const isCalledSoon = (view, seat) => view.tournament?.phase === 'drawn' && isDrawn(view, seat)

/** The names of the other people who want a rematch or are ready to start. @param {View} view @param {number} seat */
export const rematchers = (view, seat) =>
  view.race.starts_at == null
    ? peopleOf(view)
        .filter(([who, { ready, bot }]) => who !== seat && ready && !bot)
        .map(([, { name }]) => name)
    : []

/** Whether a race ended before its time, because the racers or the host agreed. @param {View['race']} race */
export const isEarly = ({ over_at: over, ends_at: ends }) => over != null && ends != null && over < ends

/**
 * The racers in order: by the server's places if it has sent them, before that by the rule of the race and the known
 * progress. Solved before unsolved, solved by time, the rest by cards home. Racers without a move, or without a place after
 * the race, are behind all others. Equal ones are in the order of their seats: the views would differ about who came first.
 * @param {View} view @param {Record<string, Progress>} rows
 * @param {{home: number, stock: number}} [dealt] the numbers at the start
 * @returns {Lane[]}
 */
export function standings(view, rows, dealt) {
  const starts = view.race.starts_at
  const lanes = Object.entries(view.race.racers ?? {}).map(([key, racer]) => {
    const person = view.people[key]
    const row = rows[key]
    return /** @type {Lane} */ ({
      seat: Number(key),
      name: racer.name,
      state: racer.state,
      home: racer.home ?? row?.home ?? dealt?.home ?? 0,
      moves: racer.moves ?? row?.moves ?? 0,
      stock: row?.stock ?? dealt?.stock ?? null,
      drawn: row && dealt?.stock ? Math.max(0, 1 - row.stock / dealt.stock) : 0,
      ms: racer.finished_at != null && starts != null ? racer.finished_at - starts : null,
      place: racer.place ?? null,
      awayAt: person && !person.here && !person.bot ? (person.away_at ?? 0) : null,
      gaveUpAt: racer.gave_up_at ?? null,
      bot: person?.bot ?? false,
      ...(isEarly(view.race) && { early: true }),
    })
  })
  const isOver = view.race.over_at != null
  const placeOf = (/** @type {Lane} */ { place }) => place ?? (isOver ? lanes.length + 1 : 0)
  return lanes.sort((a, b) => placeOf(a) - placeOf(b) || byProgress(a, b))
}

/** The order of two racers by their known progress. @param {Lane} a @param {Lane} b */
export const byProgress = (a, b) =>
  Number(b.state === 'solved') - Number(a.state === 'solved') ||
  (a.state === 'solved' ? (a.ms ?? 0) - (b.ms ?? 0) : b.home - a.home) ||
  Number(b.moves > 0) - Number(a.moves > 0) ||
  a.seat - b.seat

/** The racer ahead of all others. @param {Lane[]} lanes in the order of `standings` @returns {number} a seat; 0: none */
export function leaderOf([first, second]) {
  if (!first || !second) return 0
  return first.state === 'solved' || first.home > second.home ? first.seat : 0
}

/** Whether two lanes are equal for every viewer. @param {Lane} a @param {Lane} b */
const equal = (a, b) =>
  a.place === b.place &&
  (a.state === 'solved') === (b.state === 'solved') &&
  a.moves > 0 === b.moves > 0 &&
  (a.state === 'solved' ? a.ms === b.ms : a.home === b.home)

/**
 * The lanes to show if there is room for `room` lanes: the player, the opponent, the leaders and the neighbours of the player,
 * in their order, so that a racer who passes another is seen to do so.
 * @param {Lane[]} lanes in the order of `standings`
 * @param {number} seat of the player, 0 if not racing
 * @param {number} room @param {number} [opponent] 0: none
 * @returns {{lane: Lane, rank: number}[]} rank counts from 1; equal lanes share a rank
 */
export function chosenLanes(lanes, seat, room, opponent = 0) {
  let rank = 0
  const ranked = lanes.map((lane, at) => {
    const before = lanes[at - 1]
    if (!before || !equal(before, lane)) rank = at + 1
    return { lane, at, rank }
  })
  const mine = ranked.find(({ lane }) => lane.seat === seat)
  const met = ranked.find(({ lane }) => lane.seat === opponent)
  const first = [mine, met].flatMap((one) => one ?? []).slice(0, room)
  const rivals = ranked.filter((one) => !first.includes(one))
  const free = room - first.length
  const place = mine?.at ?? 0
  const worth = (/** @type {{at: number}} */ { at }) => Math.min(at, Math.abs(at - place) * 1.5)
  const kept = [...rivals].sort((a, b) => worth(a) - worth(b) || a.at - b.at).slice(0, Math.max(0, free))
  return [...first, ...kept].sort((a, b) => a.at - b.at).map(({ lane, rank }) => ({ lane, rank }))
}
