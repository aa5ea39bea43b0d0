/** The entry list, for hosts: who has claimed which line, and the personal links to copy, to send and to print. */
import { useEffect, useState } from 'preact/hooks'
import { counted } from '../model/format.js'
import { ticketFragment } from '../model/link-fragments.js'
import { Ask } from '../parts/confirm-button.jsx'
import { CopyButton } from '../parts/copy-button.jsx'
import { Dialog } from '../parts/dialog.jsx'
import { Field, Wrong } from '../parts/form-fields.jsx'
import { useAction, useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { QrCode, useOrigin } from '../parts/invite.jsx'
import { LongTable } from './long-table.jsx'
import './entry-list.css'

/**
 * @typedef {import('../model/room-view.js').View} View
 * @typedef {import('../model/room-view.js').Tournament} Tournament
 * @typedef {import('../model/room-view.js').ListRow} ListRow
 */

/** Whether somebody has claimed a line, and is there. @param {View} view @param {Tournament} tournament @param {number | null} seat */
function stateOf(view, tournament, seat) {
  if (seat === null) return 'not yet'
  const state = tournament.entrants?.[seat]?.state ?? 'not an entrant'
  if (state !== 'in') return state
  return view.people[seat]?.here ? 'here' : 'away'
}

/** One line: its link, and how to free it. @param {{row: ListRow, link: string, state: string, onBack: () => void}} props */
function LineForm({ row: [name, seat], link, state, onBack }) {
  const { session } = useSite()
  const release = useAction(session.release)
  const question =
    seat === null
      ? 'The link that there is will not work any more.'
      : `${name} is out, and the line is free for somebody else. Its link changes.`
  return (
    <div class="entry-line" data-part="entry-line">
      <button type="button" class="button button-small" onClick={onBack}>
        <Icon name="back" /> The list
      </button>
      <h3>
        <bdi>{name}</bdi> <small class="entrant-note">{state}</small>
      </h3>
      <QrCode text={link} />
      <p class="entry-link">{link}</p>
      <p class="hint">The first one who opens this link is {name}. Send it to nobody else.</p>
      <div class="row">
        <CopyButton text={link} label="Copy link" />
        <Ask
          class="button"
          question={question}
          yes={seat === null ? 'New link' : 'Release'}
          disabled={release.busy}
          onYes={() => release.go(name)}
        >
          {seat === null ? 'New link' : 'Release'}
        </Ask>
      </div>
      {release.error && <Wrong>{release.error.message}</Wrong>}
    </div>
  )
}

/** The links of those who have not come, to be cut out and handed over. @param {{title: string, rows: ListRow[], linkOf: (row: ListRow) => string, onBack: () => void}} props */
const Sheet = ({ title, rows, linkOf, onBack }) => (
  <div class="qr-sheet" data-part="qr-sheet">
    <div class="row not-printed">
      <button type="button" class="button button-small" onClick={onBack}>
        <Icon name="back" /> The list
      </button>
      <button type="button" class="button button-main button-small" onClick={() => print()}>
        Print
      </button>
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
  const load = useAction(session.showList)
  // Whoever comes, and whatever a host does, changes who holds what.
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
  const title = `${tournament.plan.name || 'Forty Thieves Race'} · ${view.code}`

  if (isSheet) {
    return (
      <Dialog title="Links to print" onClose={onClose} wide>
        <Sheet title={title} rows={free} linkOf={linkOf} onBack={() => setSheet(false)} />
      </Dialog>
    )
  }
  return (
    <Dialog title="The entry list" onClose={onClose} wide>
      {one ? (
        <LineForm row={one} link={linkOf(one)} state={stateOf(view, tournament, one[1])} onBack={() => setPicked('')} />
      ) : (
        <div class="entry-list" data-part="entry-list">
          <p class="hint">
            {counted(rows.length - free.length, 'name')} of {rows.length} claimed.{' '}
            {tournament.plan.links_only
              ? 'A name is claimed by its link alone.'
              : 'A name is claimed by typing it, or by its link.'}
          </p>
          <div class="row">
            <CopyButton
              class="button button-small"
              label="Copy all links"
              text={rows.map((row) => `${row[0]}\t${linkOf(row)}`).join('\n')}
            />
            <button type="button" class="button button-small" disabled={!free.length} onClick={() => setSheet(true)}>
              QR codes to print
            </button>
          </div>
          {rows.length > 8 && <Field label="Find" value={text} onInput={setText} autocomplete="off" />}
          <LongTable
            label="Names on the list"
            part="entry-rows"
            rows={found}
            columns={3}
            head={
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Claimed</th>
                <th scope="col">
                  <span class="heard">Link</span>
                </th>
              </tr>
            }
            row={(row, at) => (
              <tr key={row[0]} aria-rowindex={at + 2}>
                <th scope="row">
                  <bdi>{row[0]}</bdi>
                </th>
                <td>{stateOf(view, tournament, row[1])}</td>
                <td>
                  <button
                    type="button"
                    class="button button-quiet button-small"
                    aria-label={`Link of ${row[0]}`}
                    onClick={() => setPicked(row[0])}
                  >
                    Link
                  </button>
                </td>
              </tr>
            )}
          />
        </div>
      )}
      {load.error && <Wrong>{load.error.message}</Wrong>}
    </Dialog>
  )
}
