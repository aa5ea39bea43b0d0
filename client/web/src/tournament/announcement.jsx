/** The announcement of a host, on the page of the tournament and beside the board of a race. */
import { useState } from 'preact/hooks'
import { isRead, markRead } from '../browser/read-news.js'
import { ANNOUNCEMENT_LENGTH } from '../model/tournament/plan-constants.js'
import { Button } from '../parts/controls/button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Form, Wrong } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/icon.jsx'
import { useCommand } from '../parts/hooks.js'
import { t } from '../words/translate.js'
import './announcement.css'

/** @import { Tournament } from '../protocol/protocol.d.ts' */

/**
 * The announcement, until the player closes it or there is a new one.
 * @param {string} code @param {Tournament} tournament @returns {{news: Tournament['announcement'] | null, putAway: () => void}}
 */
function useNews(code, { announcement }) {
  const [, look] = useState(0)
  const at = announcement?.[0] ?? 0
  const putAway = () => {
    markRead(code, at)
    look(at)
  }
  return { news: announcement && !isRead(code, at) ? announcement : null, putAway }
}

/** @param {{code: string, tournament: Tournament}} props */
export function Announcement({ code, tournament }) {
  const { news, putAway } = useNews(code, tournament)
  if (!news) return null
  return (
    <section class="card announcement" aria-label={t('tournament.desk.announcement')} data-part="announcement" role="status">
      <Icon name="speaker" />
      <p dir="auto">{news[1]}</p>
      <Button kind="quiet icon" icon="close" label={t('front.dismiss')} onClick={putAway} />
    </section>
  )
}

/** @param {{tournament: Tournament, onClose: () => void}} props */
export function AnnounceForm({ tournament: { announcement }, onClose }) {
  const [text, setText] = useState(announcement?.[1] ?? '')
  const announce = useCommand('announce')
  const say = async (/** @type {string} */ what) => (await announce.go(what)) && onClose()
  return (
    <Dialog title={t('tournament.desk.announcement')} onClose={onClose}>
      <Form class="announce-form" onSubmit={() => say(text.trim())}>
        <textarea
          rows={4}
          dir="auto"
          maxlength={ANNOUNCEMENT_LENGTH}
          value={text}
          aria-label={t('tournament.desk.announcement')}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="hint">{t('tournament.desk.announceHint')}</p>
        {announce.error && <Wrong>{announce.error.message}</Wrong>}
        <div class="row row-end">
          {announcement && <Button text={t('tournament.desk.unannounce')} disabled={announce.busy} onClick={() => say('')} />}
          <Button type="submit" kind="main" text={t('tournament.desk.announceYes')} disabled={announce.busy || !text.trim()} />
        </div>
      </Form>
    </Dialog>
  )
}

/** For racers, in the line below a board: as much of it as there is room for, and all of it when asked. @param {{code: string, tournament: Tournament}} props */
export function RaceNews({ code, tournament }) {
  const [open, setOpen] = useState(false)
  const { news, putAway } = useNews(code, tournament)
  const close = () => {
    setOpen(false)
    putAway()
  }
  return (
    <>
      {tournament.paused && <span>{t('tournament.now.held')}</span>}
      {news && (
        <Button kind="felt small" class="announcement-short" icon="speaker" onClick={() => setOpen(true)}>
          <bdi>{news[1]}</bdi>
        </Button>
      )}
      {news && open && (
        <Dialog title={t('tournament.desk.announcement')} onClose={close}>
          <p dir="auto">{news[1]}</p>
        </Dialog>
      )}
    </>
  )
}
