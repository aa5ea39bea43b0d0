/** The games played in this browser: totals, the last ones, and the file with all of them. */
import { useId, useState } from 'preact/hooks'
import { carryLink, giveCode, takeOver } from '../browser/carry.js'
import { circles } from '../browser/circles.js'
import { memory } from '../browser/memory.js'
import { finishText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { carriedIn } from '../model/link-fragments.js'
import { fileOf, LARGEST, memoryOf } from '../model/memory/file.js'
import { daysInARow, KINDS, merged, totalsOf, Unusable } from '../model/memory/memory.js'
import { pageOf } from '../model/memory/plays.js'
import { homeText, stateText } from '../model/race/rule-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { CopyButton } from '../parts/controls/copy-button.jsx'
import { save } from '../parts/controls/download-button.jsx'
import { Field, Form, NameField, Wrong } from '../parts/controls/form-fields.jsx'
import { useAction, useLater, useLoaded, usePageTitle, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { Panel } from '../parts/page/panel.jsx'
import { QrCode } from '../parts/room/invite.jsx'
import { useOrigin } from '../parts/room/reach.js'
import { CARRIED_FOR } from '../protocol/later-constants.js'
import { language, t } from '../words/translate.js'
import './me.css'

/** @import { Kind, Memory, Play, Total } from '../model/memory/memory.js' */
/** @import { RacerState } from '../model/race/room-view.js' */

const COLUMNS = /** @type {const} */ (['games', 'wins', 'best', 'streak', 'longest'])
const SHOWN = 20

/** @param {{kind: Kind, totals: [game: string, total: Total][]}} props */
function Totals({ kind, totals }) {
  const percent = new Intl.NumberFormat(language(), { style: 'percent' })
  return (
    <Panel title={t(`memory.kind.${kind}`)} part={kind}>
      <table class="me-table">
        <thead>
          <tr>
            <th scope="col">{t('front.game')}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`memory.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {totals.map(([game, { games, wins, best, streak, longest }]) => (
            <tr key={game} data-game={game}>
              <th scope="row">{gameName(game)}</th>
              <td>{games}</td>
              <td>
                {wins} ({percent.format(wins / games)})
              </td>
              <td>{best === null ? '–' : finishText(best)}</td>
              <td>{streak}</td>
              <td>{longest}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** @param {{plays: Play[]}} props newest first */
function Last({ plays }) {
  const [all, setAll] = useState(false)
  const when = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Panel title={t('memory.last')} part="last">
      <ul class="me-plays">
        {plays.slice(0, all ? plays.length : SHOWN).map((play) => (
          <li key={play.id} data-play={play.id}>
            <span class="me-what">
              <b>{gameName(play.game)}</b> <span>{resultText(play)}</span>
              <span class="hint">
                {t(`memory.kind.${play.kind}`)} · <time datetime={new Date(play.at).toISOString()}>{when.format(play.at)}</time>
              </span>
            </span>
            <Links play={play} />
          </li>
        ))}
      </ul>
      {!all && plays.length > SHOWN && (
        <Button kind="small" onClick={() => setAll(true)} text={t('memory.all', { count: plays.length })} />
      )}
    </Panel>
  )
}

/** `4:54.2 · place 1 of 3`. @param {Play} play */
const resultText = ({ state, ms, home, place, racers }) =>
  [
    ms !== null
      ? finishText(ms)
      : state === 'timed_out' // or the race was ended: the cards say enough
        ? homeText(home)
        : `${homeText(home)}, ${stateText(/** @type {RacerState} */ (state))}`,
    place && racers > 1 && t('memory.place', { place, racers }),
  ]
    .filter(Boolean)
    .join(' · ')

/** @param {{play: Play}} props */
function Links({ play }) {
  const { kind, of, id } = play
  const text = kind === 'practice' ? t('memory.deal') : of ? t('memory.challenge') : t('race.room.replay')
  return (
    <span class="row">
      <a class="button button-small" href={pageOf(play)}>
        {text}
      </a>
      {kind !== 'practice' && !of && (
        <a class="button button-small" href={`/r/${id.slice(0, 6)}`}>
          {t('memory.room')}
        </a>
      )}
    </span>
  )
}

/** @param {Blob} file */
async function add(file) {
  if (file.size > LARGEST) throw new Unusable('large')
  const other = memoryOf(await file.text())
  await memory.change((own) => merged(own, other))
}

/** Takes everything elsewhere, adds a file, and deletes everything. @param {{own: Memory, onChange: () => void}} props */
function File({ own, onChange }) {
  const id = useId()
  const [told, tell] = useState(/** @type {'memory.added' | null} */ (null))
  const [wrong, setWrong] = useState('')
  /** @param {File | undefined} file */
  async function read(file) {
    if (!file) return
    tell(null)
    setWrong('')
    try {
      await add(file)
      tell('memory.added')
      onChange()
    } catch (error) {
      setWrong(error instanceof Unusable ? error.message : 'torn')
    }
  }
  const name = `forty-thieves-${new Date().toISOString().slice(0, 10)}.json`
  const download = () => save(new Blob([fileOf(own)], { type: 'application/json' }), name)
  return (
    <Panel title={t('memory.file')} class="me-file" part="file">
      <div class="field">
        <label for={id}>{t('memory.import')}</label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => read(currentTarget.files?.[0]).then(() => (currentTarget.value = ''))}
        />
        <p class="hint" id={`${id}-hint`}>
          {t('memory.importHint')}
        </p>
      </div>
      {wrong && <Wrong>{t(/** @type {'memory.wrong.torn'} */ (`memory.wrong.${wrong}`))}</Wrong>}
      <p role="status">{told && t(told)}</p>
      <div class="row">
        <Button icon="copy" onClick={download} text={t('memory.export')} />
        <ConfirmButton
          kind="danger"
          text={t('memory.delete')}
          question={t('memory.deleteQuestion')}
          onYes={() => memory.forget().then(onChange)}
        />
      </div>
    </Panel>
  )
}

/** A code for the player's other device. */
function Carry() {
  const origin = useOrigin()
  const [code, setCode] = useState('')
  const give = useAction(async () => setCode(await giveCode()))
  useLater(() => setCode(''), CARRIED_FOR, [code])
  const link = carryLink(origin, code)
  return (
    <Panel title={t('memory.carry')} class="me-file" part="carry">
      <p class="hint">{t('memory.carryHint')}</p>
      {give.error && <Wrong>{give.error.message}</Wrong>}
      <div class="row">
        {code ? (
          <>
            <QrCode text={link} />
            <CopyButton text={link} label={t('race.room.copyLink')} />
          </>
        ) : (
          <Button {...give.button()} text={t('memory.carryShow')} />
        )}
      </div>
    </Panel>
  )
}

/** Asks before this browser's player becomes the one of another device. @param {{code: string, path: string}} props */
function Carried({ code, path }) {
  const { route } = useSite()
  const take = useAction(async () => {
    await takeOver(code)
    location.replace(path) // all of the page begins again, with the other guest
  })
  return (
    <Panel title={t('memory.carried')} class="me-file" part="carried">
      <p>{t('memory.carriedHint')}</p>
      {take.error && <Wrong>{t('memory.carriedWrong')}</Wrong>}
      <div class="row">
        <Button kind="main" {...take.button()} text={t('memory.takeOver')} />
        <Button onClick={route.dropFragment} text={t('front.cancel')} />
      </div>
    </Panel>
  )
}

/** The player's circles, and a new one. */
function Circles() {
  const { session, route, prefs } = useSite()
  const [title, setTitle] = useState('')
  const [name, setName] = useState(prefs.name.value)
  const found = useAction(async () => {
    await session.ask('found', title.trim(), name.trim(), prefs.face.peek())
    prefs.name.value = name.trim()
    route.toChallenge(session.challenged.peek()) // it came before the answer
  })
  return (
    <Panel title={t('memory.circles')} part="circles">
      <p class="hint">{t('memory.circlesHint')}</p>
      <ul class="me-plays">
        {circles().map(({ code, name }) => (
          <li key={code}>
            <a class="button button-small" href={`/r/${code}/c`}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <Form onSubmit={found.go}>
        <Field label={t('memory.circleName')} value={title} onInput={setTitle} required />
        <NameField value={name} onInput={setName} required error={null} />
        {found.error && <Wrong>{found.error.message}</Wrong>}
        <Button type="submit" disabled={found.busy} text={t('memory.newCircle')} />
      </Form>
    </Panel>
  )
}

export function Me() {
  const carried = carriedIn(useSite().route.hash.value)
  const [times, setTimes] = useState(0) // how often it has changed here
  const [before, setBefore] = useState(/** @type {Memory | null} */ (null))
  const found = useLoaded(memory.read, [times])
  const own = found ?? before
  usePageTitle(t('memory.title'))
  const totals = own ? [...totalsOf(own)] : []
  const kinds = KINDS.map((kind) => {
    const ofKind = totals.filter(([key]) => key.startsWith(`${kind}/`))
    return { kind, totals: ofKind.map(([key, total]) => /** @type {[string, Total]} */ ([key.slice(kind.length + 1), total])) }
  })
  const days = own ? daysInARow(own, Date.now()) : 0
  const onChange = () => {
    setBefore(own)
    setTimes(times + 1)
  }
  return (
    <Page name="me" main="me">
      <section class="card">
        <h1>{t('memory.title')}</h1>
        {own && !memory.isKept() ? <Wrong>{t('memory.notKept')}</Wrong> : <p>{t('memory.here')}</p>}
        {own && totals.length === 0 && <p>{t('memory.none')}</p>}
        {days > 0 && <p data-part="days">{t('memory.days', { count: days })}</p>}
      </section>
      {carried && <Carried {...carried} />}
      {kinds.map((one) => one.totals.length > 0 && <Totals key={one.kind} {...one} />)}
      {own && own.plays.length > 0 && <Last plays={[...own.plays].reverse()} />}
      <Circles />
      {!carried && <Carry />}
      {own && <File own={own} onChange={onChange} />}
    </Page>
  )
}
