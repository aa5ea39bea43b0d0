/** The story of a finished race: its turning point, the fastest run, and the longest lead. */
import { clockText } from '../../model/format.js'
import { fragmentOf } from '../../model/replay/play-head.js'
import { loadRecord } from '../../net/load-record.js'
import { Rich } from '../../words/sentence.jsx'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Name } from '../controls/face.jsx'
import { useLoaded, useSite } from '../hooks.js'
import './story.css'

/** @import { View } from '../../protocol/protocol.d.ts' */
/** @import { Story } from '../../model/replay/story.js' */

const STORY_RACERS = 16 // a record costs the server more than a page, and a school has one address

/** Whether the race was one among friends, which has a story. @param {View} ended */
export function isTold({ race, tournament, arena }) {
  const count = Object.keys(race.racers ?? {}).length
  return count > 1 && count <= STORY_RACERS && !tournament && !arena
}

/** The story of a race, once its record is loaded. @param {View} ended */
export function useStory(ended) {
  const { get } = useSite()
  const { code, race } = ended
  return useLoaded(async () => {
    if (!isTold(ended)) return null
    const [{ storyOf }, record] = await Promise.all([import('../../model/replay/story.js'), loadRecord(code, race.number, get)])
    return storyOf(record)
  }, [code, race.number])
}

/** Moments of the race, with a link to the turning point. They have their room before they come. @param {{story: Story | null, ended: View}} props */
export function StoryLines({ story, ended }) {
  const { route } = useSite()
  if (!isTold(ended)) return null
  const { turn, run, lead } = story ?? /** @type {Partial<Story>} */ ({})
  const { code, race } = ended
  const nameOf = (/** @type {number} */ seat) => <Name seat={seat} name={race.racers[seat]?.name ?? ''} />
  return (
    <ul class="story" data-part="story">
      {turn && (
        <li>
          <Rich id="more.story.turn" with={{ name: nameOf(turn.seat), time: clockText(turn.ms) }} />{' '}
          <Button
            kind="felt small"
            icon="play"
            text={t('more.story.look')}
            onClick={() => route.toMoment(code, race.number, fragmentOf({ along: 'time', position: turn.ms, seat: 0 }))}
          />
        </li>
      )}
      {run && (
        <li>
          <Rich id="more.story.run" with={{ name: nameOf(run.seat), count: run.count }} />
        </li>
      )}
      {lead && (
        <li>
          <Rich id="more.story.lead" with={{ name: nameOf(lead.seat), time: clockText(lead.length) }} />
        </li>
      )}
    </ul>
  )
}
