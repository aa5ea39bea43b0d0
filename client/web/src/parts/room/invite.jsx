import { generate } from 'lean-qr/nano'
import { useMemo, useState } from 'preact/hooks'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { CopyButton } from '../controls/copy-button.jsx'
import { useSite } from '../hooks.js'
import { lazyPart } from '../page/lazy.jsx'
import { Link } from '../page/link.jsx'
import { reach, useOrigin } from './reach.js'
import './invite.css'

const Sharing = lazyPart(['share'], async () => (await import('./sharing.jsx')).Sharing)

/** @param {{text: string}} props */
export function QrCode({ text }) {
  const path = useMemo(() => {
    const code = generate(text)
    const places = Array.from({ length: code.size ** 2 }, (_, i) => [i % code.size, Math.floor(i / code.size)])
    const dark = places.filter(([x, y]) => code.get(x, y))
    return { box: `-2 -2 ${code.size + 4} ${code.size + 4}`, d: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') }
  }, [text])
  return (
    <svg class="qr" viewBox={path.box} role="img" aria-label={t('race.room.qr')} shape-rendering="crispEdges">
      <path d={path.d} />
    </svg>
  )
}

/**
 * Invites friends: code, link, share button and QR code.
 * @param {{code: string, path?: string, title?: string}} props path: of the link after the code; title: if it is no race
 */
export function Invite({ code, path = '', title = '' }) {
  const { route } = useSite()
  const [open, setOpen] = useState(false)
  const { near, share } = reach.value
  const rooms = `${useOrigin()}/r/`
  const link = rooms + code + path

  return (
    <section class="card invite" aria-label={title || t('race.room.invite')}>
      <div class="invite-words">
        <p class="label">{title || t('race.room.code')}</p>
        <p class="invite-code" data-part="code" translate={false}>
          {code}
        </p>
        <p class="invite-link" translate={false}>
          {/* The address for others is another site for the browser, where the host would be a stranger. */}
          <Link href={link} onGo={() => (path ? route.toChallenge(code) : route.toRoom(code))}>
            {rooms.split('//')[1]}
            <wbr />
            {link.slice(rooms.length)}
          </Link>
        </p>
        <div class="row">
          <CopyButton text={link} label={t('race.room.copyLink')} />
          {'share' in navigator && (
            <Button
              icon="share"
              onClick={() => navigator.share({ title: t('front.site'), url: link }).catch(() => {})} // cancelled
              text={t('race.room.share')}
            />
          )}
        </div>
      </div>
      <QrCode text={link} />
      {near && (
        <div class="invite-far">
          {open || share.on || share.url ? (
            <Sharing path={link.slice(rooms.length - 3)} />
          ) : (
            <Button kind="quiet small" onClick={() => setOpen(true)} text={t('race.room.near')} />
          )}
        </div>
      )}
    </section>
  )
}
