import { useEffect, useMemo, useState } from 'preact/hooks'
import { gameName } from '../model/game-texts.js'
import { ghostFragment } from '../model/link-fragments.js'
import { playOfRace } from '../model/memory/plays.js'
import { photoFinish } from '../model/race/photo-finish.js'
import { whyOver } from '../model/race/race-end.js'
import { closest, isEmpty, marginText, matchRows, matchText, resultOf, roomScore, shareText } from '../model/race/result-texts.js'
import { isOfDay, isTry, rematchers, standings } from '../model/race/room-view.js'
import { homeText } from '../model/race/rule-texts.js'
import { predictionText } from '../model/watch/prediction.js'
import { Table } from '../parts/board/card-table.jsx'
import { ChatCard } from '../parts/chat/chat.jsx'
import { Button } from '../parts/controls/button.jsx'
import { CopyButton } from '../parts/controls/copy-button.jsx'
import { Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useOfRace, useSite } from '../parts/hooks.js'
import { RematchWords } from '../parts/page/back-to-room.jsx'
import { lazyExtra } from '../parts/page/lazy.jsx'
import { Head } from '../parts/page/page-head.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { Cascade, PlaceBadge } from '../parts/race/celebration.jsx'
import { ChallengeFriends } from '../parts/results/challenge-friends.jsx'
import { Proof } from '../parts/results/deal-proof.jsx'
import { Podium, Results } from '../parts/results/results.jsx'
import { CouldBeWon, Review } from '../parts/results/review.jsx'
import { PhotoFinish, Score } from '../parts/results/score.jsx'
import { isTold, StoryLines, useStory } from '../parts/results/story.jsx'
import { useOrigin } from '../parts/room/reach.js'
import { Rich } from '../words/sentence.jsx'
import { language, t } from '../words/translate.js'
import './end.css'

/** @import { View } from '../protocol/protocol.d.ts' */
/** @import { Lane } from '../model/race/room-view.js' */

const OwnBest = lazyExtra(['memory'], async () => (await import('../parts/results/own-best.jsx')).OwnBest)

/** Two neighbours in the result with a small gap. @param {{pair: NonNullable<ReturnType<typeof closest>>}} props */
function Closest({ pair: { ahead, behind, gap, won } }) {
  const names = { ahead: <bdi>{ahead}</bdi>, behind: <bdi>{behind}</bdi> }
  if (!won) return <Rich id="more.end.closestCards" with={{ ...names, count: gap }} />
  const seconds = new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(gap)
  return <Rich id="more.end.closestTime" with={{ ...names, seconds }} />
}

/** The player's own result as text for friends, without cards. @param {{ended: View, lanes: Lane[], seat: number}} props */
function ShareResult({ ended, lanes, seat }) {
  const { race, settings, code } = ended
  const link = `${useOrigin()}/r/${isTry(ended) ? `${ended.arena}/c` : `${code}/${race.number}${ghostFragment(seat)}`}`
  const own = lanes.find((lane) => lane.seat === seat)
  const board = useOfRace('shown', race.number).value?.board ?? null
  const text = useMemo(
    () => (own ? shareText({ game: settings.game, own, racers: lanes.length, board, link }) : ''),
    [ended, board, link, language()],
  )
  return own ? <CopyButton text={text} label={t('more.end.copyResult')} class="button button-large" /> : null
}

/** @param {Lane[]} lanes @param {number} seat */
function headline(lanes, seat) {
  const winners = lanes.filter((lane) => lane.place === 1)
  const own = lanes.find((lane) => lane.seat === seat)
  if (lanes.length === 1 && own) return own.state === 'solved' ? t('more.end.won') : homeText(own.home)
  if (own?.place === 1) {
    const [, second] = lanes
    if (winners.length > 1) return t('more.end.tie')
    return own.state === 'solved' || !second || second.home === own.home
      ? t('more.end.won')
      : t('more.end.wonOnCards', { own: own.home, other: second.home })
  }
  if (own?.place) return t('more.end.place', { place: own.place })
  return t('more.end.over')
}

/**
 * The page after a race: the results, the proof of the deal and the rematch.
 * @param {{ended: View, view: View, seat: number, onRoom: () => void, heading?: string | undefined,
 *   met?: {lanes: Lane[], title: string} | undefined, placed?: any}} props ended: the room as it was when this race was over;
 *   heading: of a try; met: the try and its challenger; placed: its place among all
 */
export function End({ ended, view, seat, onRoom, heading, met, placed }) {
  const { session, route, prefs } = useSite()
  const [board, setBoard] = useState(false)
  const { number } = ended.race
  const circle = (!view.arena && session.ownTry.value?.code) || '' // in which the race counts, if the player is a member
  const isNext = view.race.number !== number
  const again = useAction(async () => {
    await (isNext ? session.ready() : session.rematch())
    onRoom()
  })
  /** @param {boolean} [line] with moves that win the deal */
  const replay = (line) => route.toReplay(ended.code, number, { endKnown: true, ...(line && { line }) })
  const game = gameName(ended.settings.game)
  const lanes = met?.lanes ?? standings(ended, {})
  const rows = lanes.map((lane) => ({ ...lane, key: lane.seat, result: resultOf(lane), isOwn: lane.seat === seat }))
  const own = lanes.find((lane) => lane.seat === seat)
  const why = whyOver(ended, seat)
  const story = useStory(ended)
  const scores = ended.tournament ? [] : roomScore(ended)
  const match = matchText(ended, scores, seat)
  const margin =
    met || (!match && own?.place === 1 && own.state !== 'solved' && lanes[1]?.home !== own.home)
      ? ''
      : marginText(lanes, story, seat)
  const photo = photoFinish(lanes, story?.behind)
  const close = closest(lanes)
  const foreseen = predictionText(ended, lanes)
  const empty = isEmpty(lanes, ended.settings.game)
  const place = lanes.length > 1 && !empty ? own?.place : null
  const shown = useOfRace('shown', number)
  const back = t(isTry(view) ? 'more.end.allResults' : view.arena ? 'more.arena.back' : 'race.room.backToIt')
  const boardText = t(board ? 'more.end.hide' : 'more.end.show')
  const boardTool = <Button kind="small" aria-expanded={board} onClick={() => setBoard(!board)} text={boardText} />
  const asked = isNext ? rematchers(view, seat) : []
  const hasMoved = lanes.some((lane) => lane.seat === seat && lane.moves > 0)
  const isAlone = lanes.length === 1
  const play = hasMoved ? playOfRace(ended, seat, 0) : null
  // After a first race, the player needs no lesson.
  useEffect(() => {
    if (hasMoved) prefs.coached.value = true
  }, [hasMoved])

  return (
    <div class="page" data-page="end">
      <Head />
      <Cascade view={ended} seat={seat} match={match !== ''} />
      <main class="end">
        <section class="card end-top on-felt">
          <p class="label">{heading ?? t('more.end.label', { game, race: number })}</p>
          {place && <PlaceBadge place={place} />}
          <h1>{match || met?.title || (empty && !isOfDay(ended) ? t('more.end.over') : headline(lanes, seat))}</h1>
          {match && ended.match?.winner !== seat && <p class="margin-words">{headline(lanes, seat)}</p>}
          {placed}
          {why && <p class="margin-words">{why}</p>}
          {play && (
            <div class="end-best">
              <OwnBest play={play} />
            </div>
          )}
          {empty && !isOfDay(ended) && <p class="margin-words">{t('more.end.nobody')}</p>}
          {lanes.length > 1 && (match || !empty) && <Podium rows={match ? matchRows(scores, seat) : rows} />}
          {photo && <PhotoFinish photo={photo} />}
          {!match && <Score view={ended} scores={scores} />}
          <div class="end-story" data-told={isTold(ended) || undefined}>
            {(!photo || (own?.place ?? 0) > 2) && !empty && margin && <p class="margin-words">{margin}</p>}
            {close && (
              <p class="margin-words">
                <Closest pair={close} />
              </p>
            )}
            <StoryLines story={story} ended={ended} />
          </div>
          {foreseen && <p class="margin-words">{foreseen}</p>}
          {ended.race.stars != null && <CouldBeWon stars={ended.race.stars} onPlay={() => replay(true)} />}
          <RematchWords names={asked} />
          <div class="row">
            <Button kind={view.arena ? 'main large' : 'large'} onClick={onRoom} text={back} />
            {circle && <Button kind="large" onClick={() => route.toChallenge(circle)} text={t('more.end.circle')} />}
            {!isOfDay(ended) && <Button kind="large" icon="play" onClick={() => replay()} text={t('race.room.replay')} />}
            <ShareResult ended={ended} lanes={lanes} seat={seat} />
            {!view.arena && !view.tournament && hasMoved && (
              <ChallengeFriends code={ended.code} race={number} kind={isAlone && 'main large'} circle={circle} />
            )}
            {!view.arena && (
              <Button
                kind={isAlone ? 'large' : 'main large'}
                {...again.button()}
                text={t(match ? 'more.match.next' : 'race.ready.rematch')}
              />
            )}
          </div>
          {again.error && <Wrong>{again.error.message}</Wrong>}
        </section>
        <div class="end-main">
          <section class="card" aria-label={t('more.end.allResults')}>
            <Results lanes={lanes} seat={seat} />
          </section>
          {shown.value && (
            <Panel title={t('race.page.board')} tools={boardTool}>
              {board && (
                <div class="end-board">
                  <Table shown={shown} game={ended.settings.game} interactive={false} undo="none" />
                </div>
              )}
            </Panel>
          )}
          <Proof view={ended} start={shown.value?.start ?? null} />
          {view.host === seat && view.tournament && lanes.length > 1 && (
            <Review race={number} nameOf={(who) => ended.race.racers?.[who]?.name ?? t('race.seat', { seat: who })} />
          )}
        </div>
        {!isTry(view) && <ChatCard view={view} seat={seat} />}
      </main>
    </div>
  )
}
