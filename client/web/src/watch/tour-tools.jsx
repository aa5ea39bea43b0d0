import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icon.jsx'
import { STAYS } from '../stage/board-choice.js'

/** @typedef {import('../stage/board-choice.js').Choice} Choice */
/** @typedef {import('../stage/board-choice.js').Act} Act */

/**
 * Goes on to the next board every so many seconds. It only begins when somebody asks for it.
 *
 * @param {Choice} choice @param {number} every seconds @param {(act: Act) => void} onAct
 */
export function useTour({ tour, paused, seat }, every, onAct) {
  useEffect(() => {
    if (!tour || paused) return
    const timer = setTimeout(() => onAct({ do: 'next' }), every * 1000)
    return () => clearTimeout(timer)
  }, [tour, paused, seat, every])
}

/** @param {{choice: Choice, every: number, onAct: (act: Act) => void, onEvery: (seconds: number) => void}} props */
export const TourTools = ({ choice, every, onAct, onEvery }) => (
  <span class="tour" role="group" aria-label="Tour">
    <button
      type="button"
      class="button button-felt"
      aria-pressed={choice.tour}
      aria-label="Tour of all boards"
      title="Tour of all boards (T)"
      onClick={() => onAct({ do: 'tour' })}
    >
      <Icon name="tour" /> <span class="button-word">Tour</span>
    </button>
    {choice.tour && (
      <>
        <button
          type="button"
          class="button button-felt button-icon"
          aria-label={choice.paused ? 'Go on with the tour' : 'Pause the tour'}
          title="Space"
          onClick={() => onAct({ do: 'pause' })}
        >
          <Icon name={choice.paused ? 'play' : 'pause'} />
        </button>
        <select
          class="tour-every"
          aria-label="Seconds at each board"
          value={String(every)}
          onChange={(event) => onEvery(Number(event.currentTarget.value))}
        >
          {STAYS.map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              {seconds} s
            </option>
          ))}
        </select>
        {!choice.paused && (
          <span class="tour-left" key={choice.seat} style={{ animationDuration: `${every}s` }} aria-hidden="true" />
        )}
      </>
    )}
  </span>
)
