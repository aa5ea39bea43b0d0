import { useId } from 'preact/hooks'
import { difficulty, difficultyText, gameName, gamesInOrder, isWinnable } from '../model/game-texts.js'
import { limitText } from '../model/race/rule-texts.js'
import { KINDS } from '../model/tournament/kinds.js'
import { MOST_ADVANCING, MOST_ROUNDS, POINTS, RESERVES, TIEBREAKS } from '../model/tournament/plan-constants.js'
import { tiebreaksOf } from '../model/tournament/tiebreaks.js'
import { entryText, FORMATS, formatLine, formatText, lengthText, tiebreakLine, tiebreakName } from '../model/tournament/words.js'
import { Field, option, Select, Switch, Wrong } from '../parts/controls/form-fields.jsx'
import { DealChoice } from '../parts/page/lazy-parts.js'
import { UndoSelect } from '../parts/settings/undo-select.jsx'
import { t } from '../words/translate.js'
import { ListPreview } from './list-preview.jsx'
import './plan-fields.css'

/**
 * @import { Draft, Fault } from '../model/tournament/plan-draft.js'
 * @import { Tiebreak } from '../model/tournament/tiebreaks.js'
 */

const PAUSES = [20, 30, 60, 120, 180, 300, 600, 900, 1800]
const CLOSES = [0, 600, 1800, 3600, 86_400]
const CHECK_INS = [120, 300, 600, 900, 1800]
const HALF_BYES = [0, 1, 2]
const TEAM_SIZES = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const NO_SHOWS = [10, 30, 60, 120, 300, 600]
const ENTRIES = /** @type {const} */ (['open', 'password', 'list'])
const MINUTES = [15, 30, 45, 60, 90, 120, 180, 240]
const SIZES = [2, 3, 4, 5, 6, 8, 10]
const STREAKS = [0, 1, 2, 3]
const LIMITS = [120, 180, 300, 600, 900, 1200, 1800, 2700, 3600]

/** @param {number[]} known @param {number} value @param {(seconds: number) => string} text */
const choices = (known, value, text) => [...new Set([...known, value])].sort((a, b) => a - b).map((one) => option(one, text(one)))

const GAMES = () =>
  gamesInOrder().map(({ key }) => {
    const text = t('tournament.plan.gameOption', { game: gameName(key), difficulty: difficultyText(difficulty(key)) })
    return option(key, text)
  })

/** @param {Draft['format']} format */
const usualPoints = (format) => (KINDS[format].points ?? POINTS).join(', ')

/** Points as they are usual in a format, unless a host has typed others. @param {Draft['format']} format @param {Draft} draft */
const pointsFor = (format, draft) => (draft.points === usualPoints(draft.format) ? { points: usualPoints(format) } : {})

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

/** A whole number; the typed text stays, and NaN is invalid. @param {{label: string, value: number, onInput: (value: number) => void, error?: string | undefined}} props */
function NumberField({ label, value, onInput, error }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        step="any"
        inputmode="numeric"
        value={Number.isNaN(value) ? '' : value}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      {error && <Wrong id={`${id}-error`}>{error}</Wrong>}
    </div>
  )
}

/** How many may enter; nothing typed is no limit. @param {{label: string, none: string, value: number | null, onChange: (value: number | null) => void, error?: string | undefined}} props */
const MostField = ({ label, none, value, onChange, error }) => (
  <Field
    label={label}
    placeholder={none}
    value={value === null || Number.isNaN(value) ? '' : String(value)}
    onInput={(text) => onChange(text.trim() ? Number(text) : null)}
    inputmode="numeric"
    autocomplete="off"
    error={error}
  />
)

/** @param {{label: string, value: string, onInput: (value: string) => void, error?: string | undefined, hint?: string, ref?: any}} props */
export function WhenField({ label, value, onInput, error, hint, ref }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input ref={ref} id={id} type="datetime-local" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      {error ? <Wrong>{error}</Wrong> : hint && <p class="hint">{hint}</p>}
    </div>
  )
}

/**
 * One game, or one for each round.
 *
 * @param {{games: string[], hasRounds: boolean, onChange: (games: string[]) => void}} props
 */
function Games({ games, hasRounds, onChange }) {
  const isLadder = games.length > 1
  const set = (/** @type {number} */ at, /** @type {string} */ game) => onChange(games.with(at, game))
  return (
    <fieldset class="choice ladder">
      <legend>{isLadder ? t('tournament.plan.games') : t('front.game')}</legend>
      <ol data-ladder={isLadder || undefined}>
        {games.map((game, at) => (
          <li key={at}>
            <select
              aria-label={isLadder ? t('tournament.plan.gameOf', { round: at + 1 }) : t('front.game')}
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
                aria-label={t('tournament.plan.removeGameOf', { round: at + 1 })}
                onClick={() => onChange(games.toSpliced(at, 1))}
              >
                {t('tournament.plan.removeGame')}
              </button>
            )}
          </li>
        ))}
      </ol>
      {isLadder && <p class="hint">{hasRounds ? t('tournament.plan.gamesHint') : t('tournament.plan.gamesArena')}</p>}
      {games.length < 30 && (
        <button type="button" class="button button-small" onClick={() => onChange([...games, games.at(-1) ?? 'lucas'])}>
          {isLadder
            ? t('tournament.plan.addGame')
            : hasRounds
              ? t('tournament.plan.gameEachRound')
              : t('tournament.plan.gameEachRace')}
        </button>
      )}
    </fieldset>
  )
}

/**
 * The order with another one at a place. If that one is already in it, the two change places.
 *
 * @param {Tiebreak[]} order @param {number} at @param {string} key
 */
function swapped(order, at, key) {
  const chosen = /** @type {Tiebreak} */ (key)
  return order.map((one, i) => (i === at ? chosen : one === chosen ? order[at] : one))
}

/**
 * The tie-breaks in their order.
 *
 * @param {{format: Draft['format'], value: Draft['tiebreaks'], onChange: (value: Draft['tiebreaks']) => void}} props
 */
function Tiebreaks({ format, value, onChange }) {
  const order = tiebreaksOf({ format, tiebreaks: value })
  const left = TIEBREAKS[format].filter((key) => !order.includes(key))
  return (
    <fieldset class="choice ladder">
      <legend>{t('tournament.plan.tiebreaks')}</legend>
      <ol data-ladder>
        {order.map((chosen, at) => (
          <li key={chosen}>
            <select
              aria-label={t('tournament.plan.tiebreakNumber', { number: at + 1 })}
              value={chosen}
              title={tiebreakLine(chosen)}
              onChange={(event) => onChange(swapped(order, at, event.currentTarget.value))}
            >
              {TIEBREAKS[format].map((key) => (
                <option key={key} value={key} selected={key === chosen}>
                  {tiebreakName(key)}
                </option>
              ))}
            </select>
            {order.length > 1 && (
              <button
                type="button"
                class="button button-small"
                aria-label={t('tournament.plan.removeTiebreak', { name: tiebreakName(chosen) })}
                onClick={() => onChange(order.toSpliced(at, 1))}
              >
                {t('tournament.plan.removeGame')}
              </button>
            )}
          </li>
        ))}
      </ol>
      <p class="hint">{t('tournament.plan.tiebreaksHint')}</p>
      {left.length > 0 && (
        <button type="button" class="button button-small" onClick={() => onChange([...order, left[0]])}>
          {t('tournament.plan.addTiebreak')}
        </button>
      )}
    </fieldset>
  )
}

/**
 * @param {object} props
 * @param {Draft} props.draft
 * @param {(changed: Partial<Draft>) => void} props.onChange
 * @param {Partial<Record<keyof Draft, Fault>>} props.faults
 * @param {boolean} [props.isOpen] the room is open already: some is settled
 * @param {Draft['entry']} [props.kept] how one enters so far: that password or list stays if nothing is typed
 * @param {boolean} [props.isBegun] a round is drawn already
 * @param {boolean} [props.hasDeal] whether the deal may be chosen
 */
export function PlanFields({ draft, onChange, faults, isOpen = false, kept, isBegun = false, hasDeal = true }) {
  /** @template {keyof Draft} K @param {K} key @returns {(value: Draft[K]) => void} */
  const set = (key) => (value) => onChange(/** @type {Partial<Draft>} */ ({ [key]: value }))
  const wrong = (/** @type {keyof Draft} */ key) => faults[key] && t(`tournament.fault.${faults[key]}`)
  const { hasRounds, hasSchedule, givesPoints, hasTeams } = KINDS[draft.format]
  const isGroups = draft.format === 'roundrobin'
  const isSwiss = draft.format === 'swiss'
  const isSingle = draft.groups === 1
  const keepsPassword = kept === 'password'
  const keepsList = kept === 'list'
  const keepsApart = isOpen && draft.is_apart
  const listId = useId()
  const aboutId = useId()
  return (
    <>
      <div class="plan-grid">
        <Games games={draft.games} hasRounds={hasRounds} onChange={set('games')} />
        {hasRounds && hasDeal && (
          <DealChoice
            value={draft.deal}
            game={draft.games.length === 1 ? draft.games[0] : undefined}
            others={draft.deal === 'secret' || isWinnable(draft.deal) ? [] : [draft.deal]}
            onPick={set('deal')}
          />
        )}
        {!hasRounds && (
          <>
            <Select
              label={t('tournament.setting.minutes')}
              value={draft.minutes}
              options={choices(MINUTES, draft.minutes, (minutes) => lengthText(60 * minutes))}
              onPick={set('minutes')}
            />
            <Select
              label={t('tournament.setting.race_size')}
              value={draft.race_size}
              options={choices(SIZES, draft.race_size, (count) => t('tournament.plan.raceSizeOption', { count }))}
              onPick={set('race_size')}
              hint={isBegun ? t('tournament.plan.fixed') : ''}
              disabled={isBegun}
            />
            <Select
              label={t('tournament.setting.streak')}
              value={draft.streak}
              options={choices(STREAKS, draft.streak, (count) => t('tournament.plan.streakOption', { count }))}
              onPick={set('streak')}
              hint={isBegun ? t('tournament.plan.fixed') : ''}
              disabled={isBegun}
            />
          </>
        )}
        {hasRounds && !hasSchedule && (
          <NumberField
            label={t('tournament.setting.rounds')}
            value={draft.rounds}
            onInput={set('rounds')}
            error={wrong('rounds')}
          />
        )}
        {hasTeams && (
          <Select
            label={t('tournament.setting.team_size')}
            value={draft.team_size}
            options={TEAM_SIZES.map((count) =>
              option(count, t(`tournament.plan.${isSwiss ? 'boards' : 'teams'}Option`, { count })),
            )}
            onPick={set('team_size')}
            hint={isBegun ? t('tournament.plan.fixed') : t('tournament.plan.teamsHint')}
            disabled={isBegun}
          />
        )}
        {isGroups && !isBegun && (
          <>
            <div class="field">
              <NumberField
                label={t('tournament.setting.groups')}
                value={draft.groups}
                onInput={(groups) => onChange({ groups, advance: null })}
                error={wrong('groups')}
              />
              <p class="hint">{t('tournament.plan.groupsHint')}</p>
            </div>
            <Select
              label={t('tournament.setting.advance')}
              value={draft.advance ?? (isSingle ? 0 : 2)}
              options={Array.from({ length: MOST_ADVANCING + 1 }, (_, count) => count)
                .filter((count) => (isSingle ? count !== 1 : count > 0))
                .map((count) => option(count, t('tournament.plan.advanceOption', { count })))}
              onPick={set('advance')}
            />
          </>
        )}
        <Segments
          label={t('tournament.plan.entry')}
          name="entry"
          value={draft.entry}
          options={ENTRIES.map((entry) => option(entry, t(`tournament.plan.entryOption.${entry}`)))}
          onPick={set('entry')}
          hint={entryText({ entry: draft.entry })}
        />
        {draft.entry === 'password' && (
          <Field
            label={keepsPassword ? t('tournament.plan.newPassword') : t('front.join.password')}
            placeholder={keepsPassword ? t('tournament.plan.keepPassword') : undefined}
            value={draft.password}
            onInput={set('password')}
            error={wrong('password')}
            maxlength={100}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        )}
        {draft.entry === 'password' && (
          <Switch
            label={t('tournament.plan.spectators')}
            hint={t('tournament.plan.spectatorsHint')}
            on={draft.spectators === 'open'}
            onChange={(on) => set('spectators')(on ? 'open' : 'password')}
          />
        )}
        {draft.entry === 'list' && (
          <div class="field">
            <label for={listId}>{t('tournament.list.names')}</label>
            <textarea
              id={listId}
              rows={5}
              dir="auto"
              value={draft.listed}
              placeholder={keepsList ? t('tournament.plan.keepList') : t('tournament.plan.listExample')}
              onInput={(event) => set('listed')(event.currentTarget.value)}
            />
            <p class="hint">
              {hasSchedule ? t('tournament.plan.seeding') : t('tournament.plan.orderFree')} {t('tournament.csv.hint')}
            </p>
            {draft.listed.trim() && <ListPreview text={draft.listed} />}
            {faults.listed && <Wrong>{wrong('listed')}</Wrong>}
            <Switch
              label={t('tournament.plan.linksOnly')}
              hint={t('tournament.plan.linksOnlyHint')}
              on={draft.links_only}
              onChange={set('links_only')}
            />
          </div>
        )}
        {!isBegun && (
          <WhenField
            label={hasRounds ? t('tournament.setting.starts_at') : t('tournament.plan.opens')}
            value={draft.starts_at}
            onInput={set('starts_at')}
            error={wrong('starts_at')}
            hint={t('tournament.plan.firstHint')}
          />
        )}
        {hasRounds && (
          <div class="field">
            <Segments
              label={t('tournament.plan.further')}
              name="by-timer"
              value={draft.by_timer ? 'timer' : 'hand'}
              options={[
                ['timer', t('tournament.plan.byTimer')],
                ['hand', t('tournament.plan.byHand')],
              ]}
              onPick={(by) => onChange({ by_timer: by === 'timer' })}
            />
            {draft.by_timer && (
              <Select
                label={t('tournament.setting.pause')}
                value={draft.pause}
                options={choices(PAUSES, draft.pause, lengthText)}
                onPick={set('pause')}
              />
            )}
          </div>
        )}
      </div>
      <details class="plan-more">
        <summary>{t('tournament.plan.more')}</summary>
        <div class="field">
          <label for={aboutId}>{t('tournament.plan.about')}</label>
          <textarea
            id={aboutId}
            rows={4}
            dir="auto"
            maxlength={2000}
            value={draft.about}
            onInput={(event) => set('about')(event.currentTarget.value)}
          />
        </div>
        <div class="plan-grid">
          <Select
            label={t('tournament.rule.format')}
            value={draft.format}
            options={FORMATS.map((format) => option(format, formatText(format)))}
            onPick={(format) => onChange({ ...pointsFor(format, draft), format, tiebreaks: null })}
            hint={isBegun ? t('tournament.plan.fixed') : formatLine(draft.format)}
            disabled={isBegun}
          />
          {givesPoints && (
            <div class="field">
              <Field
                label={t('tournament.plan.points')}
                value={draft.points}
                onInput={set('points')}
                error={wrong('points')}
                disabled={isBegun}
              />
              {isBegun && <p class="hint">{t('tournament.plan.fixed')}</p>}
            </div>
          )}
          {!KINDS[draft.format].isBracket && !isBegun && (
            <Tiebreaks format={draft.format} value={draft.tiebreaks} onChange={set('tiebreaks')} />
          )}
          {hasTeams && draft.team_size > 0 && (
            <MostField
              label={t('tournament.setting.team_most')}
              none={t('tournament.plan.teamMostUsual', { boards: isSwiss ? draft.team_size + RESERVES : 0 })}
              value={draft.team_most}
              onChange={set('team_most')}
              error={wrong('team_most')}
            />
          )}
          {isSwiss && draft.team_size === 0 && (
            <Select
              label={t('tournament.setting.half_byes')}
              value={draft.half_byes}
              options={HALF_BYES.map((count) => option(count, t('tournament.plan.halfByesOption', { count })))}
              onPick={set('half_byes')}
              hint={t('tournament.plan.halfByesHint')}
            />
          )}
          {isSwiss && draft.team_size === 0 && draft.half_byes > 0 && draft.rounds > 1 && (
            <Select
              label={t('tournament.setting.half_byes_until')}
              value={Math.min(draft.half_byes_until ?? draft.rounds - 1, draft.rounds - 1)}
              options={Array.from({ length: Math.min(MOST_ROUNDS, draft.rounds) - 1 }, (_, i) =>
                option(i + 1, t('tournament.standings.roundNumber', { number: i + 1 })),
              )}
              onPick={(round) => onChange({ half_byes_until: round === draft.rounds - 1 ? null : round })}
            />
          )}
          {draft.format === 'swiss' && (
            <div class="field">
              <Switch
                label={t('tournament.plan.isApart')}
                hint={t('tournament.plan.isApartHint')}
                on={draft.is_apart}
                onChange={set('is_apart')}
              />
              {draft.is_apart && (
                <textarea
                  aria-label={t('tournament.plan.apart')}
                  rows={3}
                  dir="auto"
                  value={draft.apart}
                  placeholder={keepsApart ? t('tournament.plan.keepApart') : t('tournament.plan.apartExample')}
                  onInput={(event) => set('apart')(event.currentTarget.value)}
                />
              )}
              {faults.apart && <Wrong>{wrong('apart')}</Wrong>}
            </div>
          )}
          {hasRounds && !hasSchedule && (
            <Select
              label={t('tournament.setting.late')}
              value={draft.late ?? -1}
              options={[
                [-1, t('tournament.plan.lateHalf')],
                [0, t('tournament.plan.lateNever')],
                ...Array.from({ length: Math.max(0, Math.min(MOST_ROUNDS, Math.trunc(draft.rounds) || 0) - 1) }, (_, i) =>
                  option(i + 1, t('tournament.plan.lateUntil', { round: i + 1 })),
                ),
              ]}
              onPick={(late) => onChange({ late: late < 0 ? null : late })}
              hint={t('tournament.plan.lateHint')}
            />
          )}
          <MostField
            label={t('tournament.setting.most')}
            none={t('tournament.plan.mostNone')}
            value={draft.most}
            onChange={set('most')}
            error={wrong('most')}
          />
          {!isBegun && (
            <Select
              label={t('tournament.setting.entry_closes')}
              value={draft.entry_closes ?? -1}
              options={[
                option(-1, t('tournament.plan.closesNever')),
                ...choices(CLOSES, draft.entry_closes ?? 0, (seconds) =>
                  seconds ? t('tournament.plan.beforeStart', { time: lengthText(seconds) }) : t('tournament.plan.atStart'),
                ),
              ]}
              onPick={(closes) => onChange({ entry_closes: closes < 0 ? null : closes })}
              hint={t('tournament.plan.closesHint')}
            />
          )}
          {hasRounds && !isBegun && (
            <Select
              label={t('tournament.setting.check_in')}
              value={draft.check_in}
              options={[
                option(0, t('tournament.plan.noCheckIn')),
                ...choices(CHECK_INS, draft.check_in || CHECK_INS[0], (seconds) =>
                  t('tournament.plan.untilBefore', { time: lengthText(seconds) }),
                ),
              ]}
              onPick={set('check_in')}
              hint={t('tournament.plan.checkInHint')}
            />
          )}
          <Select
            label={t('tournament.setting.no_show')}
            value={draft.no_show}
            options={choices(NO_SHOWS, draft.no_show, lengthText)}
            onPick={set('no_show')}
          />
          {!isOpen && (
            <>
              <Select
                label={t('tournament.plan.timeLimit')}
                value={draft.time_limit}
                options={choices(LIMITS, draft.time_limit, limitText)}
                onPick={set('time_limit')}
              />
              {!draft.deadly && <UndoSelect value={draft.undo} onPick={set('undo')} />}
            </>
          )}
          <div class="switches">
            <Switch
              label={t('tournament.deadly')}
              hint={t('tournament.plan.deadlyHint')}
              on={draft.deadly}
              onChange={set('deadly')}
            />
            {hasRounds && (
              <>
                <Switch
                  label={t('tournament.blind')}
                  hint={t('tournament.plan.blindHint')}
                  on={draft.blind}
                  onChange={set('blind')}
                />
                <Switch
                  label={t('tournament.plan.quiet')}
                  hint={t('tournament.plan.quietHint')}
                  on={draft.quiet}
                  onChange={set('quiet')}
                />
              </>
            )}
            {draft.format === 'double' && !isBegun && (
              <Switch
                label={t('tournament.rule.secondFinal')}
                hint={t('tournament.plan.secondFinalHint')}
                on={draft.second_final}
                onChange={set('second_final')}
              />
            )}
            {hasSchedule && draft.format !== 'double' && (!isGroups || (draft.advance ?? (isSingle ? 0 : 2)) > 0) && (
              <Switch
                label={t('tournament.bracket.third')}
                hint={t('tournament.plan.thirdHint')}
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
