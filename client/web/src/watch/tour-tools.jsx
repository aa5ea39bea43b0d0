import { useEffect, useState } from 'preact/hooks'
import { Choices, option } from '../parts/controls/form-fields.jsx'
import { STAYS } from '../stage/board-choice.js'
import { StageTool } from '../stage/stage-tool.jsx'
import { t } from '../words/translate.js'

/** @import { Act, Choice } from '../stage/board-choice.js' */
/** @import { Story } from './feed.jsx' */

/**
 * Changes the board after some seconds: to the board with the latest event, or to the next one. It starts on request.
 * @param {Choice} choice @param {number} every seconds @param {Story} story @param {(act: Act) => void} onAct
 */
export function useTour({ tour, paused, seat }, every, { news }, onAct) {
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!tour || paused) return
    const last = news.peek().at(-1)
    const timer = setTimeout(() => {
      const latest = news.peek().at(-1)
      onAct({ do: 'next', ...(latest && latest !== last ? { to: latest.seat } : {}) })
      setRound((before) => before + 1) // the next board may be the same one
    }, every * 1000)
    return () => clearTimeout(timer)
  }, [tour, paused, seat, every, round])
}

/** @param {{choice: Choice, every: number, onAct: (act: Act) => void, onEvery: (seconds: number) => void}} props */
export const TourTools = ({ choice, every, onAct, onEvery }) => (
  <span class="tour" data-on={choice.tour || undefined} role="group" aria-label={t('watch.tour.name')}>
    <StageTool
      icon="tour"
      word={t('watch.tour.name')}
      label={t('watch.tour.all')}
      aria-pressed={choice.tour}
      hotkey="T"
      onClick={() => onAct({ do: 'tour' })}
    />
    {choice.tour && (
      <>
        <StageTool
          icon={choice.paused ? 'play' : 'pause'}
          label={t(choice.paused ? 'watch.tour.resume' : 'watch.tour.pause')}
          title={t('more.key.space')}
          onClick={() => onAct({ do: 'pause' })}
        />
        <Choices
          class="tour-every"
          aria-label={t('watch.tour.every')}
          value={every}
          options={STAYS.map((seconds) => option(seconds, t('watch.tour.seconds', { seconds })))}
          onPick={onEvery}
        />
        {!choice.paused && (
          <span class="tour-left" key={choice.seat} style={{ animationDuration: `${every}s` }} aria-hidden="true" />
        )}
      </>
    )}
  </span>
)
