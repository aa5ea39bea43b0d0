import { useId } from 'preact/hooks'
import { ENTRY, FORMATS, lengthText } from '../model/tournament/words.js'
import { about, DIFFICULTY, gamesInOrder, limitText } from '../model/words.js'
import { Field, Select, Switch, Wrong } from '../parts/form-fields.jsx'
import { UndoSelect } from '../parts/undo-select.jsx'
import './plan-fields.css'

/** @typedef {import('../model/tournament/plan-draft.js').Draft} Draft */

const PAUSES = [20, 30, 60, 120, 180, 300, 600, 900, 1800]
const NO_SHOWS = [10, 30, 60, 120, 300, 600]
const LIMITS = [300, 600, 900, 1200, 1800, 2700, 3600]

/** @param {number[]} known @param {number} value @param {(seconds: number) => string} text */
const choices = (known, value, text) =>
  [...new Set([...known, value])].sort((a, b) => a - b).map((one) => /** @type {const} */ ([one, text(one)]))

const GAMES = () =>
  gamesInOrder().map((game) => /** @type {const} */ ([game.key, `${game.name} (${DIFFICULTY[about(game.key).hard]})`]))

/**
 * A choice of few, each beside the other.
 *
 * @template {string} T
 * @param {{label: string, name: string, value: T, options: (readonly [T, string])[], onPick: (value: T) => void, hint?: string}} props
 */
export const Segments = ({ label, name, value, options, onPick, hint }) => (
  <fieldset class="choice">
    <legend>{label}</legend>
    <div class="segments">
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onPick(key)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
    {hint && <p class="hint">{hint}</p>}
  </fieldset>
)

/** @param {{label: string, value: number, min: number, max: number, onInput: (value: number) => void, hint?: string}} props */
function NumberField({ label, value, min, max, onInput, hint }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={min}
        max={max}
        value={value}
        onInput={(event) => onInput(Math.max(min, Math.min(max, event.currentTarget.valueAsNumber || min)))}
      />
      {hint && <p class="hint">{hint}</p>}
    </div>
  )
}

/** @param {{label: string, value: string, onInput: (value: string) => void, error?: string | undefined, hint?: string}} props */
export function WhenField({ label, value, onInput, error, hint }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="datetime-local" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      {error ? <Wrong>{error}</Wrong> : hint && <p class="hint">{hint}</p>}
    </div>
  )
}

/**
 * One game, or one for each round.
 *
 * @param {{games: string[], onChange: (games: string[]) => void}} props
 */
function Games({ games, onChange }) {
  const isLadder = games.length > 1
  const set = (/** @type {number} */ at, /** @type {string} */ game) => onChange(games.with(at, game))
  return (
    <fieldset class="choice ladder">
      <legend>{isLadder ? 'Games, round by round' : 'Game'}</legend>
      <ol data-ladder={isLadder || undefined}>
        {games.map((game, at) => (
          <li key={at}>
            <select
              aria-label={isLadder ? `Game of round ${at + 1}` : 'Game'}
              value={game}
              onChange={(event) => set(at, event.currentTarget.value)}
            >
              {GAMES().map(([key, text]) => (
                <option key={key} value={key} selected={key === game}>
                  {text}
                </option>
              ))}
            </select>
            {isLadder && (
              <button
                type="button"
                class="button button-small"
                aria-label={`Without the game of round ${at + 1}`}
                onClick={() => onChange(games.toSpliced(at, 1))}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ol>
      {isLadder && <p class="hint">Further rounds begin again from the first.</p>}
      {games.length < 30 && (
        <button type="button" class="button button-small" onClick={() => onChange([...games, games.at(-1) ?? 'lucas'])}>
          {isLadder ? 'Another round’s game' : 'A game for each round'}
        </button>
      )}
    </fieldset>
  )
}

/**
 * @param {object} props
 * @param {Draft} props.draft
 * @param {(changed: Partial<Draft>) => void} props.onChange
 * @param {Partial<Record<keyof Draft, string>>} props.faults
 * @param {boolean} [props.isOpen] the room is open already: some is settled
 * @param {Draft['entry']} [props.kept] how one enters so far: that password or list stays if nothing is typed
 * @param {boolean} [props.isBegun] a round is drawn already
 */
export function PlanFields({ draft, onChange, faults, isOpen = false, kept, isBegun = false }) {
  /** @template {keyof Draft} K @param {K} key @returns {(value: Draft[K]) => void} */
  const set = (key) => (value) => onChange(/** @type {Partial<Draft>} */ ({ [key]: value }))
  const isKnockout = draft.format === 'knockout'
  const listId = useId()
  return (
    <>
      <div class="plan-grid">
        <Games games={draft.games} onChange={set('games')} />
        {!isKnockout && <NumberField label="Rounds" value={draft.rounds} min={1} max={30} onInput={set('rounds')} />}
        <Segments
          label="Who may enter"
          name="entry"
          value={draft.entry}
          options={[
            ['open', 'Everybody'],
            ['password', 'By password'],
            ['list', 'By list'],
          ]}
          onPick={set('entry')}
          hint={ENTRY[draft.entry]}
        />
        {draft.entry === 'password' && (
          <Field
            label={kept === 'password' ? 'New password' : 'Password'}
            placeholder={kept === 'password' ? 'Empty: it stays as it is' : undefined}
            value={draft.password}
            onInput={set('password')}
            error={faults.password}
            maxlength={100}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        )}
        {draft.entry === 'password' && (
          <Switch
            label="Open to watch"
            hint="Whoever has the link may watch without the password"
            on={draft.spectators === 'open'}
            onChange={(on) => set('spectators')(on ? 'open' : 'password')}
          />
        )}
        {draft.entry === 'list' && (
          <div class="field">
            <label for={listId}>Names on the list</label>
            <textarea
              id={listId}
              rows={5}
              dir="auto"
              value={draft.listed}
              placeholder={kept === 'list' ? 'Empty: the list stays as it is' : 'A name a line'}
              onInput={(event) => set('listed')(event.currentTarget.value)}
            />
            {isKnockout && <p class="hint">Their order is the seeding: the best first.</p>}
            {faults.listed && <Wrong>{faults.listed}</Wrong>}
            <Switch
              label="Links only"
              hint="Each name has a personal link at the host’s desk. Typing a name is not enough."
              on={draft.links_only}
              onChange={set('links_only')}
            />
          </div>
        )}
        {!isBegun && (
          <WhenField
            label="First round"
            value={draft.starts_at}
            onInput={set('starts_at')}
            error={faults.starts_at}
            hint="Leave it empty to start it by hand."
          />
        )}
        <div class="field">
          <Segments
            label="Further rounds"
            name="by-timer"
            value={draft.by_timer ? 'timer' : 'hand'}
            options={[
              ['timer', 'By themselves'],
              ['hand', 'By hand'],
            ]}
            onPick={(by) => onChange({ by_timer: by === 'timer' })}
          />
          {draft.by_timer && (
            <Select
              label="Pause between rounds"
              value={draft.pause}
              options={choices(PAUSES, draft.pause, lengthText)}
              onPick={set('pause')}
            />
          )}
        </div>
      </div>
      <details class="plan-more">
        <summary>More: points, late entry, no-shows, deadly, blind, quiet</summary>
        <div class="plan-grid">
          {!isBegun && (
            <Select
              label="Format"
              value={draft.format}
              options={Object.entries(FORMATS).map(
                ([key, { name }]) => /** @type {const} */ ([/** @type {Draft['format']} */ (key), name]),
              )}
              onPick={set('format')}
              hint={FORMATS[draft.format].line}
            />
          )}
          {draft.format === 'points' && (
            <Field label="Points by place" value={draft.points} onInput={set('points')} error={faults.points} />
          )}
          {!isKnockout && (
            <Select
              label="Late entry"
              value={draft.late ?? -1}
              options={[
                [-1, 'Until half of the rounds are drawn'],
                [0, 'Nobody after the first draw'],
                ...Array.from(
                  { length: Math.max(0, draft.rounds - 1) },
                  (_, i) => /** @type {const} */ ([i + 1, `Until round ${i + 1}`]),
                ),
              ]}
              onPick={(late) => onChange({ late: late < 0 ? null : late })}
            />
          )}
          <Select
            label="No-shows are out after"
            value={draft.no_show}
            options={choices(NO_SHOWS, draft.no_show, lengthText)}
            onPick={set('no_show')}
          />
          {!isOpen && (
            <>
              <Select
                label="Time limit of a race"
                value={draft.time_limit}
                options={choices(LIMITS, draft.time_limit, limitText)}
                onPick={set('time_limit')}
              />
              {!draft.deadly && <UndoSelect value={draft.undo} onPick={set('undo')} />}
            </>
          )}
          <div class="switches">
            <Switch label="Deadly" hint="One try: no undo, giving up is final" on={draft.deadly} onChange={set('deadly')} />
            <Switch
              label="Blind"
              hint="Nobody sees how the others do before a round is over"
              on={draft.blind}
              onChange={set('blind')}
            />
            <Switch
              label="Quiet"
              hint="Racers say nothing in the chat until a round is over"
              on={draft.quiet}
              onChange={set('quiet')}
            />
            {isKnockout && (
              <Switch
                label="Third place"
                hint="The losers of the semi-finals race for it"
                on={draft.third_place}
                onChange={set('third_place')}
              />
            )}
          </div>
        </div>
      </details>
    </>
  )
}
