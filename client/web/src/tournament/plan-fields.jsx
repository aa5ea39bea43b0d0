import { difficulty, difficultyText, gameName, gamesInOrder, isWinnable } from '../model/game-texts.js'
import { limitText } from '../model/race/rule-texts.js'
import { KINDS, tiebreaksOf } from '../model/tournament/kinds.js'
import * as plans from '../model/tournament/plan-constants.js'
import { entryText, FORMATS, formatLine, formatText, lengthText, tiebreakLine, tiebreakName } from '../model/tournament/words.js'
import { Button } from '../parts/controls/button.jsx'
import { Area, Choices, Field, option, Segments, Select, Switch, Wrong } from '../parts/controls/form-fields.jsx'
import { DealChoice } from '../parts/page/lazy-parts.js'
import { UndoSelect } from '../parts/settings/undo-select.jsx'
import { t } from '../words/translate.js'
import { ListPreview } from './list-preview.jsx'
import './plan-fields.css'

/** @import { Draft, Fault } from '../model/tournament/plan-draft.js' */

const ENTRIES = /** @type {const} */ (['open', 'password', 'list'])
const LIMITS = [120, 180, 300, 600, 900, 1200, 1800, 2700, 3600]

/** @param {number[]} known @param {number} value @param {(seconds: number) => string} text */
const choices = (known, value, text) => [...new Set([...known, value])].sort((a, b) => a - b).map((one) => option(one, text(one)))

/** @param {number} from @param {number} to @param {(value: number) => string} text */
const range = (from, to, text) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => option(from + i, text(from + i)))

const GAMES = () =>
  gamesInOrder().map(({ key }) =>
    option(key, t('tournament.plan.gameOption', { game: gameName(key), difficulty: difficultyText(difficulty(key)) })),
  )

/** @param {Draft['format']} format */
const usualPoints = (format) => (KINDS[format].points ?? plans.POINTS).join(', ')

/** Points as they are usual in a format, unless a host has typed others. @param {Draft['format']} format @param {Draft} draft */
const pointsFor = (format, draft) => (draft.points === usualPoints(draft.format) ? { points: usualPoints(format) } : {})

/** A time, with its fault or else a hint below. @param {Parameters<typeof Field>[0]} props */
export const WhenField = (props) => <Field type="datetime-local" {...props} hint={!props.error && props.hint} />

/**
 * Choices in an order, each a drop-down list.
 * @template {string} T @param {{legend: string, values: T[], options: (readonly [T, string])[],
 *   row: (value: T, at: number) => {key: string | number, label: string, title?: string, remove: string}, isLadder?: boolean,
 *   onChange: (values: T[]) => void, onPick: (at: number, value: T) => void, hint: string | false, add: string | false, next: T}}
 *   props row: its names; isLadder: whether there is an order, and not a single choice; add: the text of the button for another
 *   one
 */
const Ladder = ({ legend, values, options, row, isLadder = true, onChange, onPick, hint, add, next }) => (
  <fieldset class="choice ladder">
    <legend>{legend}</legend>
    <ol data-ladder={isLadder || undefined}>
      {values.map((value, at) => {
        const { key, label, title, remove } = row(value, at)
        return (
          <li key={key}>
            <Choices aria-label={label} title={title} value={value} options={options} onPick={(to) => onPick(at, to)} />
            {values.length > 1 && (
              <Button
                kind="small"
                label={remove}
                onClick={() => onChange(values.filter((_, i) => i !== at))}
                text={t('tournament.plan.removeGame')}
              />
            )}
          </li>
        )
      })}
    </ol>
    {hint && <p class="hint">{hint}</p>}
    {add && <Button kind="small" onClick={() => onChange([...values, next])} text={add} />}
  </fieldset>
)

/** One game, or one for each round. @param {{games: string[], hasRounds: boolean, onChange: (games: string[]) => void}} props */
function Games({ games, hasRounds, onChange }) {
  const isLadder = games.length > 1
  const each = hasRounds ? t('tournament.plan.gameEachRound') : t('tournament.plan.gameEachRace')
  return (
    <Ladder
      legend={isLadder ? t('tournament.plan.games') : t('front.game')}
      values={games}
      options={GAMES()}
      row={(_, at) => ({
        key: at,
        label: isLadder ? t('tournament.plan.gameOf', { round: at + 1 }) : t('front.game'),
        remove: t('tournament.plan.removeGameOf', { round: at + 1 }),
      })}
      isLadder={isLadder}
      onChange={onChange}
      onPick={(at, game) => onChange(games.map((one, i) => (i === at ? game : one)))}
      hint={isLadder && (hasRounds ? t('tournament.plan.gamesHint') : t('tournament.plan.gamesArena'))}
      add={games.length < plans.MOST_ROUNDS && (isLadder ? t('tournament.plan.addGame') : each)}
      next={games.at(-1) ?? 'lucas'}
    />
  )
}

/** The tie-breaks in their order. @param {{format: Draft['format'], value: Draft['tiebreaks'], onChange: (value: Draft['tiebreaks']) => void}} props */
function Tiebreaks({ format, value, onChange }) {
  const order = tiebreaksOf({ format, tiebreaks: value })
  const left = plans.TIEBREAKS[format].filter((key) => !order.includes(key))
  return (
    <Ladder
      legend={t('tournament.plan.tiebreaks')}
      values={order}
      options={plans.TIEBREAKS[format].map((key) => option(key, tiebreakName(key)))}
      row={(key, at) => ({
        key,
        label: t('tournament.plan.tiebreakNumber', { number: at + 1 }),
        title: tiebreakLine(key),
        remove: t('tournament.plan.removeTiebreak', { name: tiebreakName(key) }),
      })}
      onChange={onChange}
      // If the other one is already in the order, the two change places.
      onPick={(at, key) => onChange(order.map((one, i) => (i === at ? key : one === key ? order[at] : one)))}
      hint={t('tournament.plan.tiebreaksHint')}
      add={left.length > 0 && t('tournament.plan.addTiebreak')}
      next={left[0]}
    />
  )
}

/** @typedef {'minutes' | 'race_size' | 'streak' | 'team_size' | 'advance' | 'pause' | 'half_byes' | 'half_byes_until' | 'late' | 'entry_closes' | 'check_in' | 'no_show'} Listed a number that is chosen from a list */

/** The options of each list, as the other fields allow them. @param {Draft} draft @returns {Record<Listed, (readonly [number, string])[]>} */
function optionsOf({ format, rounds, groups, ...draft }) {
  const teamsText = (/** @type {number} */ count) =>
    t(`tournament.plan.${format === 'swiss' ? 'boards' : 'teams'}Option`, { count })
  const closesText = (/** @type {number} */ seconds) =>
    seconds ? t('tournament.plan.beforeStart', { time: lengthText(seconds) }) : t('tournament.plan.atStart')
  const advancing = range(0, plans.MOST_ADVANCING, (count) => t('tournament.plan.advanceOption', { count }))
  const lastRound = Math.min(plans.MOST_ROUNDS, Math.trunc(rounds) || 0) - 1
  return {
    minutes: choices([15, 30, 45, 60, 90, 120, 180, 240], draft.minutes, (minutes) => lengthText(60 * minutes)),
    race_size: choices([2, 3, 4, 5, 6, 8, 10], draft.race_size, (count) => t('tournament.plan.raceSizeOption', { count })),
    streak: choices([0, 1, 2, 3], draft.streak, (count) => t('tournament.plan.streakOption', { count })),
    team_size: [option(0, teamsText(0)), ...range(2, plans.LARGEST_TEAM, teamsText)],
    advance: advancing.filter(([count]) => (groups === 1 ? count !== 1 : count > 0)),
    pause: choices([20, 30, 60, 120, 180, 300, 600, 900, 1800], draft.pause, lengthText),
    half_byes: range(0, plans.MOST_HALF_BYES, (count) => t('tournament.plan.halfByesOption', { count })),
    half_byes_until: range(1, lastRound, (number) => t('tournament.standings.roundNumber', { number })),
    late: [
      option(-1, t('tournament.plan.lateHalf')),
      option(0, t('tournament.plan.lateNever')),
      ...range(1, lastRound, (round) => t('tournament.plan.lateUntil', { round })),
    ],
    entry_closes: [
      option(-1, t('tournament.plan.closesNever')),
      ...choices([0, 600, 1800, 3600, 86_400], draft.entry_closes ?? 0, closesText),
    ],
    check_in: [
      option(0, t('tournament.plan.noCheckIn')),
      ...choices([120, 300, 600, 900, 1800], draft.check_in || 120, (seconds) =>
        t('tournament.plan.untilBefore', { time: lengthText(seconds) }),
      ),
    ],
    no_show: choices([10, 30, 60, 120, 300, 600], draft.no_show, lengthText),
  }
}

/**
 * @param {{draft: Draft, onChange: (changed: Partial<Draft>) => void, faults: Partial<Record<keyof Draft, Fault>>,
 *   isOpen?: boolean, kept?: Draft['entry'], isBegun?: boolean, hasDeal?: boolean}} props isOpen: the room is open already: some
 *   is settled; kept: how one enters so far: that password or list stays if nothing is typed; isBegun: a round is drawn already;
 *   hasDeal: whether the deal may be chosen
 */
export function PlanFields({ draft, onChange, faults, isOpen = false, kept, isBegun = false, hasDeal = true }) {
  /** @template {keyof Draft} K @param {K} key @returns {(value: Draft[K]) => void} */
  const set = (key) => (value) => onChange(/** @type {Partial<Draft>} */ ({ [key]: value }))
  const wrong = (/** @type {keyof Draft} */ key) => faults[key] && t(`tournament.fault.${faults[key]}`)
  const options = optionsOf(draft)
  /** A whole number; NaN is invalid, and the typed text stays. @param {'rounds' | 'groups'} key @param {string} [hint] @param {Partial<Draft>} [also] */
  const number = (key, hint, also) => (
    <Field
      type="number"
      step="any"
      inputmode="numeric"
      label={t(`tournament.setting.${key}`)}
      value={Number.isNaN(draft[key]) ? '' : String(draft[key])}
      onInput={(text) => onChange({ [key]: text ? Number(text) : Number.NaN, ...also })}
      error={wrong(key)}
      hint={hint}
    />
  )
  /** How many may enter; nothing typed is no limit. @param {'most' | 'team_most'} key @param {string} placeholder */
  const limit = (key, placeholder) => (
    <Field
      inputmode="numeric"
      autocomplete="off"
      label={t(`tournament.setting.${key}`)}
      placeholder={placeholder}
      value={draft[key] === null || Number.isNaN(draft[key]) ? '' : String(draft[key])}
      onInput={(text) => onChange({ [key]: text.trim() ? Number(text) : null })}
      error={wrong(key)}
    />
  )
  /** A list for a number; -1 stands for null. @param {Listed} key @param {Partial<Parameters<typeof Select<number>>[0]>} [more] */
  const list = (key, more) => (
    <Select
      label={t(`tournament.setting.${key}`)}
      value={draft[key] ?? -1}
      options={options[key]}
      onPick={(value) => onChange({ [key]: value < 0 ? null : value })}
      {...more}
    />
  )
  /** @param {'deadly' | 'blind' | 'quiet' | 'second_final' | 'third_place' | 'links_only' | 'is_apart'} key @param {string} label @param {string} hint */
  const toggle = (key, label, hint) => <Switch label={label} hint={hint} on={draft[key]} onChange={set(key)} />
  const { hasRounds, hasSchedule, givesPoints, hasTeams, isBracket } = KINDS[draft.format]
  const isGroups = draft.format === 'roundrobin'
  const isSwiss = draft.format === 'swiss'
  const advance = draft.advance ?? (draft.groups === 1 ? 0 : 2)
  const maySitOut = isSwiss && draft.team_size === 0
  const keepsPassword = kept === 'password'
  const keepsList = kept === 'list'
  const isOpenEnded = hasRounds && !hasSchedule
  const lastHalfBye = draft.rounds - 1
  const fixed = { hint: isBegun ? t('tournament.plan.fixed') : '', disabled: isBegun }
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
            {list('minutes')}
            {list('race_size', fixed)}
            {list('streak', fixed)}
          </>
        )}
        {isOpenEnded && number('rounds')}
        {hasTeams && list('team_size', { ...fixed, hint: fixed.hint || t('tournament.plan.teamsHint') })}
        {isGroups && !isBegun && (
          <>
            {number('groups', t('tournament.plan.groupsHint'), { advance: null })}
            {list('advance', { value: advance })}
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
          <>
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
            <Switch
              label={t('tournament.plan.spectators')}
              hint={t('tournament.plan.spectatorsHint')}
              on={draft.spectators === 'open'}
              onChange={(on) => set('spectators')(on ? 'open' : 'password')}
            />
          </>
        )}
        {draft.entry === 'list' && (
          <Area
            label={t('tournament.list.names')}
            rows={5}
            value={draft.listed}
            placeholder={keepsList ? t('tournament.plan.keepList') : t('tournament.plan.listExample')}
            onInput={set('listed')}
          >
            <p class="hint">
              {hasSchedule ? t('tournament.plan.seeding') : t('tournament.plan.orderFree')} {t('tournament.csv.hint')}
            </p>
            {draft.listed.trim() && <ListPreview text={draft.listed} />}
            {faults.listed && <Wrong>{wrong('listed')}</Wrong>}
            {toggle('links_only', t('tournament.plan.linksOnly'), t('tournament.plan.linksOnlyHint'))}
          </Area>
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
            {draft.by_timer && list('pause')}
          </div>
        )}
      </div>
      <details class="plan-more">
        <summary>{t('tournament.plan.more')}</summary>
        <Area
          label={t('tournament.plan.about')}
          rows={4}
          maxlength={plans.ABOUT_LENGTH}
          value={draft.about}
          onInput={set('about')}
        />
        <div class="plan-grid">
          <Select
            label={t('tournament.rule.format')}
            value={draft.format}
            options={FORMATS.map((format) => option(format, formatText(format)))}
            onPick={(format) => onChange({ ...pointsFor(format, draft), format, tiebreaks: null })}
            hint={fixed.hint || formatLine(draft.format)}
            disabled={isBegun}
          />
          {givesPoints && (
            <Field
              label={t('tournament.plan.points')}
              value={draft.points}
              onInput={set('points')}
              error={wrong('points')}
              disabled={isBegun}
              hint={fixed.hint}
            />
          )}
          {!isBracket && !isBegun && <Tiebreaks format={draft.format} value={draft.tiebreaks} onChange={set('tiebreaks')} />}
          {hasTeams &&
            draft.team_size > 0 &&
            limit('team_most', t('tournament.plan.teamMostUsual', { boards: isSwiss ? draft.team_size + plans.RESERVES : 0 }))}
          {maySitOut && list('half_byes', { hint: t('tournament.plan.halfByesHint') })}
          {maySitOut &&
            draft.half_byes > 0 &&
            lastHalfBye >= 1 &&
            list('half_byes_until', {
              value: Math.min(draft.half_byes_until ?? lastHalfBye, lastHalfBye),
              onPick: (round) => onChange({ half_byes_until: round === lastHalfBye ? null : round }),
            })}
          {isSwiss && (
            <div class="field">
              {toggle('is_apart', t('tournament.plan.isApart'), t('tournament.plan.isApartHint'))}
              {draft.is_apart && (
                <textarea
                  aria-label={t('tournament.plan.apart')}
                  rows={3}
                  dir="auto"
                  value={draft.apart}
                  placeholder={isOpen ? t('tournament.plan.keepApart') : t('tournament.plan.apartExample')}
                  onInput={(event) => set('apart')(event.currentTarget.value)}
                />
              )}
              {faults.apart && <Wrong>{wrong('apart')}</Wrong>}
            </div>
          )}
          {isOpenEnded && list('late', { hint: t('tournament.plan.lateHint') })}
          {limit('most', t('tournament.plan.mostNone'))}
          {!isBegun && list('entry_closes', { hint: t('tournament.plan.closesHint') })}
          {hasRounds && !isBegun && list('check_in', { hint: t('tournament.plan.checkInHint') })}
          {list('no_show')}
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
            {toggle('deadly', t('tournament.deadly'), t('tournament.plan.deadlyHint'))}
            {hasRounds && toggle('blind', t('tournament.blind'), t('tournament.plan.blindHint'))}
            {hasRounds && toggle('quiet', t('tournament.plan.quiet'), t('tournament.plan.quietHint'))}
            {draft.format === 'double' &&
              !isBegun &&
              toggle('second_final', t('tournament.rule.secondFinal'), t('tournament.plan.secondFinalHint'))}
            {hasSchedule &&
              draft.format !== 'double' &&
              (!isGroups || advance > 0) &&
              toggle('third_place', t('tournament.bracket.third'), t('tournament.plan.thirdHint'))}
          </div>
        </div>
      </details>
    </>
  )
}
