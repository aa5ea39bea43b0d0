/** The entry list, for hosts: claimed lines, and personal links to copy, send and print. */
import { useEffect, useState } from 'preact/hooks'
import { ticketFragment } from '../model/link-fragments.js'
import { hasTeams } from '../model/tournament/team-view.js'
import { Button } from '../parts/controls/button.jsx'
import { ConfirmButton } from '../parts/controls/confirm-button.jsx'
import { CopyButton } from '../parts/controls/copy-button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Field, Wrong } from '../parts/controls/form-fields.jsx'
import { useCommand, useSite } from '../parts/hooks.js'
import { QrCode } from '../parts/room/invite.jsx'
import { useOrigin } from '../parts/room/reach.js'
import { Rich } from '../words/sentence.jsx'
import { t } from '../words/translate.js'
import { LongTable } from './long-table.jsx'
import { nameColumn } from './standings.jsx'
import './entry-list.css'

/** @import { Tournament, View } from '../protocol/protocol.d.ts' */
/** @import { ListRow } from '../model/race/room-view.js' */
/** @import { Column } from './long-table.jsx' */

/** @typedef {'free' | 'stranger' | 'withdrawn' | 'disqualified' | 'here' | 'away'} State of a line */

/** The state of a line: free, claimed, or present. @param {View} view @param {Tournament} tournament @param {number | null} seat @returns {State} */
function stateOf(view, tournament, seat) {
  if (seat === null) return 'free'
  const state = tournament.entrants?.[seat]?.state ?? 'stranger'
  if (state !== 'in') return state
  return view.people[seat]?.here ? 'here' : 'away'
}

/** One line: its link, and how to free it. @param {{row: ListRow, link: string, state: State, onBack: () => void}} props */
function LineForm({ row: [name, seat], link, state, onBack }) {
  const release = useCommand('release')
  const question = seat === null ? t('tournament.list.newLinkQuestion') : t('tournament.list.releaseQuestion', { name })
  const yes = seat === null ? t('tournament.list.newLink') : t('tournament.list.release')
  return (
    <div class="entry-line" data-part="entry-line">
      <Button kind="small" icon="back" onClick={onBack} text={t('tournament.list.back')} />
      <h3>
        <bdi>{name}</bdi> <small class="entrant-note">{t(`tournament.list.state.${state}`)}</small>
      </h3>
      <QrCode text={link} />
      <p class="entry-link">
        <bdi>{link}</bdi>
      </p>
      <p class="hint">
        <Rich id="tournament.list.first" with={{ name: <bdi>{name}</bdi> }} />
      </p>
      <div class="row">
        <CopyButton text={link} label={t('race.room.copyLink')} />
        <ConfirmButton text={yes} question={question} disabled={release.busy} onYes={() => release.go(name)} />
      </div>
      {release.error && <Wrong>{release.error.message}</Wrong>}
    </div>
  )
}

/** The unused links, to cut out and hand over. @param {{title: string, rows: ListRow[], linkOf: (row: ListRow) => string, onBack: () => void}} props */
const Sheet = ({ title, rows, linkOf, onBack }) => (
  <div class="qr-sheet" data-part="qr-sheet">
    <div class="row not-printed">
      <Button kind="small" icon="back" onClick={onBack} text={t('tournament.list.back')} />
      <Button kind="main small" onClick={() => print()} text={t('tournament.list.print')} />
    </div>
    <ul>
      {rows.map((row) => (
        <li key={row[0]}>
          <QrCode text={linkOf(row)} />
          <b>
            <bdi>{row[0]}</bdi>
          </b>
          <small>{title}</small>
        </li>
      ))}
    </ul>
  </div>
)

/** @param {{view: View, tournament: Tournament, onClose: () => void}} props */
export function EntryList({ view, tournament, onClose }) {
  const { session } = useSite()
  const rows = session.entryList.value
  const origin = useOrigin()
  const [text, setText] = useState('')
  const [picked, setPicked] = useState('')
  const [isSheet, setSheet] = useState(false)
  const load = useCommand('show_list')
  // New people and actions of hosts change the claims.
  const news = `${Object.values(tournament.entrants ?? {}).map(({ name, state }) => name + state)}${tournament.desk?.at(-1)?.[0]}`
  useEffect(() => {
    load.go()
  }, [news])
  useEffect(() => session.forgetList, [])

  const linkOf = (/** @type {ListRow} */ row) => `${origin}/r/${view.code}${ticketFragment(row[2])}`
  const free = rows.filter(([, seat]) => seat === null)
  const wanted = text.trim().toLowerCase()
  const found = wanted ? rows.filter(([name]) => name.toLowerCase().includes(wanted)) : rows
  const one = rows.find(([name]) => name === picked)
  /** @type {Column<ListRow>} */
  const team = { head: t('tournament.team'), cell: (row) => <bdi>{row[3] || '–'}</bdi> }
  const title = `${tournament.plan.name || t('front.site')} · ${view.code}`

  if (isSheet) {
    return (
      <Dialog title={t('tournament.list.sheet')} onClose={onClose} wide>
        <Sheet title={title} rows={free} linkOf={linkOf} onBack={() => setSheet(false)} />
      </Dialog>
    )
  }
  return (
    <Dialog title={t('tournament.list.title')} onClose={onClose} wide>
      {one ? (
        <LineForm row={one} link={linkOf(one)} state={stateOf(view, tournament, one[1])} onBack={() => setPicked('')} />
      ) : (
        <div class="entry-list" data-part="entry-list">
          <p class="hint">
            {t('tournament.list.claimed', { claimed: rows.length - free.length, count: rows.length })}{' '}
            {tournament.plan.links_only ? t('tournament.list.byLink') : t('tournament.list.byName')}
          </p>
          <div class="row">
            <CopyButton
              class="button button-small"
              label={t('tournament.list.copyAll')}
              text={rows.map((row) => `${row[0]}\t${linkOf(row)}`).join('\n')}
            />
            <Button kind="small" disabled={!free.length} onClick={() => setSheet(true)} text={t('tournament.list.codes')} />
          </div>
          {rows.length > 8 && <Field label={t('tournament.find')} value={text} onInput={setText} autocomplete="off" />}
          <LongTable
            label={t('tournament.list.names')}
            part="entry-rows"
            rows={found}
            columns={[
              nameColumn(([name]) => name),
              ...(hasTeams(tournament) ? [team] : []),
              {
                head: t('tournament.list.claimedHead'),
                cell: ([, seat]) => t(`tournament.list.state.${stateOf(view, tournament, seat)}`),
              },
              {
                head: <span class="heard">{t('tournament.list.link')}</span>,
                cell: ([name]) => (
                  <Button
                    kind="quiet small"
                    label={t('tournament.list.linkOf', { name })}
                    onClick={() => setPicked(name)}
                    text={t('tournament.list.link')}
                  />
                ),
              },
            ]}
            row={([name]) => ({ key: name })}
          />
        </div>
      )}
      {load.error && <Wrong>{load.error.message}</Wrong>}
    </Dialog>
  )
}
