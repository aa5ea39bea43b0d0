import { Component } from 'preact'
import { clockText } from '../../model/format.js'
import { gapText } from '../../model/race/rivals.js'
import { chosenLanes, leaderOf } from '../../model/race/room-view.js'
import { stateText } from '../../model/race/rule-texts.js'
import { CARDS } from '../../protocol/constants.js'
import { language, t } from '../../words/translate.js'
import { Name } from '../controls/face.jsx'
import { isSame, useNow } from '../hooks.js'
import './racer-lanes.css'

/** @import { Lane } from '../../model/race/room-view.js' */

/** After this time the server replaces an absent host, in ms. For a racer only the clock runs. */
const HOST_LOST_AFTER = 30_000

/** @param {{lane: Lane}} props */
export function laneState({ lane }) {
  if (lane.state === 'solved' && lane.ms !== null) return t('race.lane.won', { time: clockText(lane.ms) })
  if (lane.state !== 'racing') return stateText(lane.state, lane.early)
  return lane.gaveUpAt !== null ? t('race.lane.givingUp') : lane.awayAt !== null ? t('race.lane.away') : ''
}

/** A ring that empties while a racer is away. @param {{since: number}} props */
function AwayRing({ since }) {
  const left = useNow(500, (now) => Math.max(0, Math.min(1, 1 - (now - since) / HOST_LOST_AFTER)))
  return (
    <svg class="ring" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" class="ring-all" />
      <circle cx="10" cy="10" r="8" class="ring-left" pathLength="1" style={{ strokeDasharray: `${left} 1` }} />
    </svg>
  )
}

/**
 * The cards home, as a number and a bar, and how much of the stock is drawn.
 * @param {{home: number, drawn?: number | undefined, against?: number | undefined}} props against: another racer's cards home
 */
export const LaneHome = ({ home, drawn = 0, against }) => (
  <>
    <span class="lane-home">
      <span aria-hidden="true">
        {against !== undefined && <span class="lane-gap">{gapText(home, against)}</span>} <b>{home}</b>
        <span class="lane-of">/{CARDS}</span>
      </span>
      <span class="heard">{t('race.cardsHome', { count: home })}</span>
    </span>
    <span class="bar" aria-hidden="true">
      <span class="bar-full" style={{ transform: `scaleX(${home / CARDS})` }} />
      <span class="bar-drawn" style={{ transform: `scaleX(${drawn})` }} />
    </span>
  </>
)

/**
 * Who it is, the moves, and the cards left in the stock.
 * @param {{lane: Lane, stock: number | null, own?: boolean, lead: boolean, met?: boolean}} props
 */
export const LaneMoves = ({ lane: { moves, state }, stock, own, lead, met }) => (
  <span class="lane-more">
    {lead && state === 'racing' ? (
      <b class="lane-lead">{t(own ? 'race.lane.youLead' : 'race.lane.leads')} · </b>
    ) : (
      own && `${t('front.you')} · `
    )}
    {met && <span class="lane-met">{t('race.lane.opponent')} · </span>}
    {stock === null ? t('race.moves', { count: moves }) : t('race.lane.movesAndStock', { moves, stock })}
  </span>
)

/**
 * The progress of one racer, re-rendered only after a change: of hundreds of racers, few move at a time.
 * @extends {Component<{lane: Lane, rank: number, own: boolean, lead: boolean, met: boolean, against?: number | undefined, tag: string}>}
 */
class LaneRow extends Component {
  /** @param {this['props']} next */
  shouldComponentUpdate(next) {
    return !isSame(next, this.props)
  }

  render() {
    const { lane, rank, own, lead, met, against } = this.props
    const state = laneState({ lane })
    return (
      <li
        class="lane"
        data-lane={lane.seat}
        data-own={own || undefined}
        data-lead={lead || undefined}
        data-met={met || undefined}
        data-state={lane.state}
      >
        <span class="lane-rank" aria-hidden="true">
          {rank}
        </span>
        <span class="lane-name">
          <Name seat={lane.seat} name={lane.name} />
        </span>
        <span class="lane-state">
          {lane.awayAt !== null && lane.state === 'racing' && <AwayRing since={lane.awayAt} />}
          {state}
        </span>
        <LaneHome {...lane} against={against} />
        <LaneMoves {...{ lane, own, lead, met }} stock={state ? null : lane.stock} />
      </li>
    )
  }
}

/**
 * The lanes of a race.
 * @param {{lanes: Lane[], room?: number, seat: number, label?: string, opponent?: number}} props
 *   room: the maximum number of lanes; opponent: the opponent in a paired round
 */
export function Lanes({ lanes, room = Infinity, seat, label = t('race.page.racers'), opponent = 0 }) {
  const leader = leaderOf(lanes)
  const rows = chosenLanes(lanes, seat, room, opponent)
  const home = lanes.find((lane) => lane.seat === seat)?.home
  return (
    <ol class="lanes" aria-label={label} translate={false}>
      {rows.map(({ lane, rank }) => {
        const is = { own: lane.seat === seat, lead: lane.seat === leader, met: lane.seat === opponent }
        const against = is.own || lane.state === 'solved' ? undefined : home
        return <LaneRow key={lane.seat} lane={lane} rank={rank} {...is} against={against} tag={language()} />
      })}
    </ol>
  )
}
