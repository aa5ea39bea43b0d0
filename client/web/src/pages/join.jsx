import { useEffect, useState } from 'preact/hooks'
import { sinceText } from '../model/format.js'
import { gameName } from '../model/game-texts.js'
import { ticketOf } from '../model/link-fragments.js'
import { Refusal, refusalOf } from '../net/refusal.js'
import { Button } from '../parts/controls/button.jsx'
import { Faces } from '../parts/controls/face.jsx'
import { NameField, PasswordField } from '../parts/controls/form-fields.jsx'
import { Badge } from '../parts/controls/icon.jsx'
import { instead, useAction, useLoaded, useNow, useSite } from '../parts/hooks.js'
import { Page } from '../parts/page/page-head.jsx'
import { Rich } from '../words/sentence.jsx'
import { hasWords, t } from '../words/translate.js'
import { Fan } from './hero.jsx'
import './front.css'
import './join.css'

/** @import { Plan, Tournament } from '../protocol/protocol.d.ts' */

/** Reasons why a tournament refuses an entry and still can be watched. */
const WATCHED = ['links-only', 'wrong-link', 'too-late']

/**
 * The preview of a room (`/api/rooms/CODE`).
 * @typedef {Omit<import('./front.jsx').Listed, 'tournament' | 'closed_to'>
 *   & {tournament: TournamentInfo | null, challenge?: object, closed_to: 'locked' | 'full' | 'started' | null}} DoorInfo
 * @typedef {object} TournamentInfo
 * @property {string} name @property {Plan['format']} format @property {Plan['entry']} entry @property {boolean} links_only
 * @property {Tournament['phase']} phase @property {number | null} next_at @property {string} about by the host
 * @property {string[]} games @property {number | null} rounds null: depends on the number of entrants
 * @property {number} entrants @property {boolean} may_enter
 * @property {'closed' | 'full' | null} [closed] why the registration is closed
 * @property {number | null} [closes_at] when the registration closes
 * @property {number | null} [most] entrants
 * @property {{opens: number, ends: number} | null} [check_in]
 * @property {number} [team_size] how many members of a team count; 0: no teams
 * @property {string[]} [teams] some of the existing teams
 */

/** The people in the room, and the state of the race. @param {{info: DoorInfo}} props */
function WhoWaits({ info: { faces, phase, starts_at, closed_to, people, seats } }) {
  const now = useNow(1000)
  const time = sinceText(starts_at, now)
  return (
    <div class="who-waits" data-part="who">
      <Faces faces={faces} />
      <span>{t('join.people', { people, seats })}</span>
      <span>{t('join.phase', { phase, time })}</span>
      {closed_to && <Badge text={t(`join.${closed_to}`)} />}
    </div>
  )
}

/**
 * The page for a room in which the visitor has no seat.
 * @param {{code: string, Event: (props: {info: DoorInfo, team: string, onTeam: (team: string) => void}) => any}} props Event:
 *   describes the tournament and asks for the team
 */
export function Join({ code, Event }) {
  const { visit, prefs, route, get } = useSite()
  // Without an answer, the visitor can still join. The banner reports a missing server.
  const answer = useLoaded(async () => {
    const answer = await get(`/api/rooms/${code}`)
    return answer.ok ? /** @type {DoorInfo} */ (await answer.json()) : refusalOf(answer)
  }, [code])
  const info = answer instanceof Refusal ? null : answer
  const held = info?.tournament ?? null
  useEffect(() => {
    if (info?.challenge) route.toChallenge(code)
  }, [info])
  const [name, setName] = useState(prefs.name.value)
  const [password, setPassword] = useState('')
  const [team, setTeam] = useState('')
  const [asked, setAsked] = useState(false) // for a password
  const ticket = ticketOf(route.hash.value)
  const join = useAction(async () => {
    await visit.enter(name.trim(), password, team.trim()).catch((refusal) => {
      if (refusal.code === 'wrong-password') setAsked(true)
      if (refusal.code !== 'wrong-password' || password) throw refusal
      throw new Refusal('password', t('join.needsPassword'))
    })
    if (!ticket) prefs.name.value = name.trim()
  })
  const watch = () => {
    if (name.trim()) prefs.name.value = name.trim()
    route.toWatch(code)
  }
  const unknown = answer instanceof Refusal && answer.code === 'unknown-room' ? answer : null
  const { busy } = join
  const error = join.error ?? (busy ? null : (visit.why.value ?? unknown))
  const help = `join.help.${WATCHED.includes(error?.code ?? '') ? 'watch' : error?.code}`

  return (
    <Page name="join" main="narrow">
      <form class="card join-form" onSubmit={instead(join.go)}>
        <div class="invitation">
          {t('front.site')} <Fan />
        </div>
        {!held && (
          <h1 data-part="game">
            {info?.host ? (
              <Rich id="join.title" with={{ host: <bdi>{info.host}</bdi>, game: gameName(info.game) }} />
            ) : (
              t('front.roomTitle', { code })
            )}
          </h1>
        )}
        {!held && <p>{t('front.hero')}</p>}
        {/* The answer must not move the buttons away from a finger. */}
        {!held && (info ? <WhoWaits info={info} /> : <div class="who-waits" />)}
        {info && held && <Event info={info} team={team} onTeam={setTeam} />}
        {ticket ? (
          <p>{t('join.personalLink')}</p>
        ) : (
          <NameField value={name} onInput={setName} required error={error?.code === 'bad-name' ? error.message : null} />
        )}
        {(asked || (held?.entry === 'password' && held.may_enter) || visit.why.value?.code === 'wrong-password') && (
          <PasswordField value={password} onInput={setPassword} />
        )}
        {error && error.code !== 'bad-name' && (
          <div class="wrong-box" role="alert" data-error={error.code}>
            <p>{error.message}</p>
            {hasWords(help) && <p class="hint">{t(help)}</p>}
          </div>
        )}
        <div class="row row-end">
          <Button kind="quiet" onClick={route.toFront} text={t('front.join.frontPage')} />
          <Button kind="large" icon="eye" onClick={watch} text={t('front.watch')} />
          <Button type="submit" kind="main large" disabled={busy} text={t(busy ? 'join.joining' : 'front.join.join')} />
        </div>
      </form>
    </Page>
  )
}
