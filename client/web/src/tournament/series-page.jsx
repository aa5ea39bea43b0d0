/** The page of a series: several tournaments added up. Its address has the tournaments and the rules; the server stores nothing. */
import { useEffect, useId, useState } from 'preact/hooks'
import { roomFrom } from '../browser/route.js'
import { MOST_EVENTS, TITLE_LENGTH } from '../model/tournament/plan-constants.js'
import * as model from '../model/tournament/series.js'
import { scoreText } from '../model/tournament/words.js'
import { Refusal, refusalOf } from '../net/refusal.js'
import { Button } from '../parts/controls/button.jsx'
import { CopyButton } from '../parts/controls/copy-button.jsx'
import { Area, Field, Form, option, Select, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, usePageTitle, useSite } from '../parts/hooks.js'
import { Link } from '../parts/page/link.jsx'
import { Page } from '../parts/page/page-head.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { t } from '../words/translate.js'
import { LongTable } from './long-table.jsx'
import { nameColumn, placeColumn, scoreColumn } from './standings.jsx'
import './new-tournament.css'
import './series.css'
import './standings.css'

/** @import { Row, Series, Stated } from '../model/tournament/series.js' */
/** @import { Get } from '../net/fetch-as-guest.js' */

/** @typedef {Stated & {name: string, isOpen: boolean, isFile: boolean}} Found `isOpen`: its standings are provisional; `isFile`: chosen on this page */

/** @typedef {Map<string, Found | Refusal>} Known by code: a tournament, or why the server does not give it */

const LONGEST = 256_000_000 // in bytes: as the server reads it

/**
 * Reads the parts of a file of a tournament that a series needs. The file may be forged.
 * @param {any} source a file or its content @returns {Promise<Found>} @throws {Refusal}
 */
async function readEvent(source) {
  if (source instanceof Blob && source.size > LONGEST) throw new Refusal('not-a-tournament')
  try {
    const plain = source instanceof Blob ? JSON.parse(await source.text()) : source
    if (plain.format !== 'forty-thieves-tournament' || !/^[A-Z]{6}$/.test(plain.code)) throw new TypeError()
    const { code, plan, entrants, standings, rounds } = plain
    const found = { code, entrants, standings, rounds }
    model.seriesTable(model.EMPTY, [found]) // it has all that is needed
    const isOpen = rounds.some((/** @type {any} */ { skipped, confirmed }) => !skipped && !confirmed)
    return { ...found, name: String(plan?.name ?? '').slice(0, TITLE_LENGTH), isOpen, isFile: source instanceof Blob }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('not-a-tournament')
  }
}

const EXAMPLE = 'KQXWVD'

/** @param {string} code @param {Get} get @returns {Promise<Found | Refusal>} */
async function load(code, get) {
  try {
    const answer = await get(`/api/tournaments/${code}.json`)
    return answer.ok ? readEvent(await answer.json()) : await refusalOf(answer)
  } catch (error) {
    return error instanceof Refusal ? error : new Refusal('no-answer')
  }
}

/** Load the unknown tournaments one after another, because a series may have many. @param {string[]} codes @returns {[Known, (changed: Known) => void]} */
function useEvents(codes) {
  const { get } = useSite()
  const [known, setKnown] = useState(/** @type {Known} */ (new Map()))
  const next = codes.find((code) => !known.has(code))
  useEffect(() => {
    if (next) load(next, get).then((found) => setKnown((now) => new Map([...now, [next, found]])))
  }, [next])
  return [known, setKnown]
}

/** @param {Row['cells'][number]} cell */
function pointsIn(cell) {
  if (!cell) return '–'
  const points = scoreText(cell.points)
  return cell.counts ? points : <abbr title={t('tournament.series.notCounted')}>({points})</abbr>
}

/** @param {{codes: string[], rows: Row[], events: Found[]}} props `codes` of all tournaments, in order */
function Table({ codes, rows, events }) {
  const { route } = useSite()
  return (
    <LongTable
      label={t('tournament.series.table')}
      part="series"
      rows={rows}
      columns={[
        placeColumn(({ place }) => place),
        nameColumn(({ name }) => name),
        scoreColumn(t('tournament.rule.points')),
        ...events.map(({ code, name }, i) => ({
          class: 'of-round',
          head: (
            <Link href={`/r/${code}`} title={name || code} onGo={() => route.toRoom(code)}>
              {codes.indexOf(code) + 1}
            </Link>
          ),
          cell: (/** @type {Row} */ { cells }) => pointsIn(cells[i]),
        })),
      ]}
      row={({ name }) => ({ key: name })}
    />
  )
}

/**
 * One tournament of the series.
 * @param {{number: number, code: string, found: Found | Refusal | undefined, onRemove: () => void, onAgain: () => void}} props
 */
function Event({ number, code, found, onRemove, onAgain }) {
  const what = found instanceof Refusal || !found ? null : found
  return (
    <li data-code={code}>
      <span class="series-number">{number}</span>
      <span class="series-what">
        <b>
          <bdi>{what?.name || code}</bdi>
        </b>{' '}
        <span class="hint">
          {what
            ? t('tournament.series.event', { code, entrants: what.standings.length, rounds: what.rounds.length })
            : found instanceof Refusal
              ? found.message
              : t('front.loading')}
        </span>
        {found instanceof Refusal && <span class="hint">{t('tournament.series.needsFile')}</span>}
        {what?.isOpen && <span class="hint">{t('tournament.series.open')}</span>}
      </span>
      {found instanceof Refusal ? (
        <Button kind="small" onClick={onAgain} text={t('front.retry')} />
      ) : (
        !what?.isFile && (
          <a class="button button-small" href={`/r/${code}`}>
            {t('tournament.series.check')}
          </a>
        )
      )}
      <Button kind="small quiet" onClick={onRemove}>
        {t('tournament.plan.removeGame')}
        <span class="heard"> {what?.name || code}</span>
      </Button>
    </li>
  )
}

/** @param {{series: Series, onCode: (code: string) => void, onFile: (found: Found) => void}} props */
function AddEvent({ series, onCode, onFile }) {
  const id = useId()
  const [text, setText] = useState('')
  const add = useAction(async () => {
    const code = roomFrom(text)?.code
    if (!code) throw new Refusal('bad-request', t('tournament.series.noCode'))
    onCode(code)
    setText('')
  })
  const read = useAction(async (/** @type {File | undefined} */ file) => {
    if (file) onFile(await readEvent(file))
  })
  const isFull = series.codes.length >= MOST_EVENTS
  return (
    <>
      <Form class="series-add" onSubmit={() => add.go()}>
        <Field
          label={t('tournament.series.add')}
          value={text}
          onInput={setText}
          maxlength={200}
          autocomplete="off"
          placeholder={EXAMPLE}
          error={add.error?.message}
          disabled={isFull}
        />
        <Button type="submit" text={t('tournament.series.addButton')} disabled={isFull} />
      </Form>
      <div class="field">
        <label for={id}>{t('tournament.series.file')}</label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          disabled={isFull}
          onChange={({ currentTarget }) => read.go(currentTarget.files?.[0])}
        />
        <p class="hint">{t('tournament.series.fileHint')}</p>
        {read.error && <Wrong>{read.error.message}</Wrong>}
      </div>
      {isFull && <p class="hint">{t('tournament.series.full', { most: MOST_EVENTS })}</p>}
    </>
  )
}

/** How the tournaments are added up. @param {{series: Series, onChange: (some: Partial<Series>) => void}} props */
function Rules({ series, onChange }) {
  const id = useId()
  const [points, setPoints] = useState(series.points.join(', '))
  const [same, setSame] = useState(model.nameLines(series.same))
  const wrong = model.wrongPoints(model.pointsFrom(points))
  const counts = Array.from({ length: Math.max(series.codes.length, series.best) }, (_, i) => i + 1)
  return (
    <>
      <div class="series-fields">
        <Field
          label={t('tournament.series.name')}
          value={series.name}
          onInput={(name) => onChange({ name })}
          maxlength={TITLE_LENGTH}
          autocomplete="off"
          dir="auto"
        />
        <Select
          label={t('tournament.series.best')}
          value={series.best}
          options={[
            [0, t('tournament.series.all')],
            ...counts.map((count) => option(count, t('tournament.series.bestOf', { count }))),
          ]}
          onPick={(best) => onChange({ best })}
        />
      </div>
      <Field
        label={t('tournament.plan.points')}
        value={points}
        onInput={(text) => {
          setPoints(text)
          if (!model.wrongPoints(model.pointsFrom(text))) onChange({ points: model.pointsFrom(text) })
        }}
        maxlength={600}
        autocomplete="off"
        inputmode="decimal"
        error={wrong && t(`tournament.series.wrongPoints.${wrong}`)}
      />
      <Area
        label={t('tournament.series.same')}
        rows={3}
        maxlength={5000}
        aria-describedby={`${id}-hint`}
        value={same}
        onInput={(text) => {
          setSame(text)
          onChange({ same: model.namesFrom(text) })
        }}
      >
        <p class="hint" id={`${id}-hint`}>
          {t('tournament.series.sameHint')}
        </p>
      </Area>
    </>
  )
}

export function SeriesPage() {
  const { route } = useSite()
  const series = model.seriesOf(route.hash.value)
  const [known, setKnown] = useEvents(series.codes)
  const change = (/** @type {Partial<Series>} */ some) => route.replaceFragment(model.seriesFragment({ ...series, ...some }))
  const [files, setFiles] = useState(0)
  const events = series.codes.flatMap((code) => {
    const found = known.get(code)
    return found && !(found instanceof Refusal) ? [found] : []
  })
  const rows = model.seriesTable(series, events)
  usePageTitle(series.name || t('tournament.series'))

  /** @param {Found} found */
  function take(found) {
    setKnown(new Map([...known, [found.code, found]]))
    setFiles(files + 1)
    if (!series.codes.includes(found.code)) change({ codes: [...series.codes, found.code] })
  }

  return (
    <Page name="series" main="host-main series-main">
      <section class="card">
        <h1>
          <bdi>{series.name || t('tournament.series')}</bdi>
        </h1>
        <p class="hint">{t('tournament.series.hint')}</p>
        {rows.length > 0 && <Table codes={series.codes} rows={rows} events={events} />}
        {rows.length > 0 && series.best > 0 && <p class="hint">{t('tournament.series.bestCount', { count: series.best })}</p>}
        {events.length < series.codes.length && rows.length > 0 && (
          <p class="hint provisional">{t('tournament.series.missing', { count: series.codes.length - events.length })}</p>
        )}
        {series.codes.length > 0 && (
          <div class="row series-tools">
            <CopyButton text={location.href} label={t('race.room.copyLink')} />
            <Button onClick={() => window.print()} disabled={!rows.length} text={t('tournament.room.print')} />
          </div>
        )}
      </section>
      <Panel title={t('tournament.series.events')} class="series-events">
        {series.codes.length > 0 && (
          <ol>
            {series.codes.map((code, i) => (
              <Event
                key={code}
                number={i + 1}
                code={code}
                found={known.get(code)}
                onRemove={() => change({ codes: series.codes.filter((one) => one !== code) })}
                onAgain={() => setKnown(new Map([...known].filter(([one]) => one !== code)))}
              />
            ))}
          </ol>
        )}
        <AddEvent
          key={files}
          series={series}
          onCode={(code) => {
            if (!series.codes.includes(code)) change({ codes: [...series.codes, code] })
          }}
          onFile={take}
        />
      </Panel>
      <Panel title={t('tournament.series.rules')}>
        <Rules series={series} onChange={change} />
        <p class="hint">{t('tournament.series.recompute')}</p>
      </Panel>
    </Page>
  )
}
