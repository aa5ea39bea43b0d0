import { generate } from 'lean-qr/nano'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ghostFragment } from '../../model/link-fragments.js'
import { t } from '../../words/translate.js'
import { CopyButton } from '../controls/copy-button.jsx'
import { Icon } from '../controls/icon.jsx'
import { useSite } from '../hooks.js'
import { useGhostName } from '../race/use-ghost.js'
import './invite.css'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The origin that other devices can open: an address in the local network if the page was opened on "localhost". */
export function useOrigin() {
  const [origin, setOrigin] = useState(location.origin)
  useEffect(() => {
    if (!LOCAL.has(location.hostname)) return
    fetch('/api/address')
      .then((answer) => answer.json())
      .then(({ addresses }) => {
        const others = addresses
          .map((/** @type {string} */ address) => new URL(address))
          .filter((/** @type {URL} */ url) => !LOCAL.has(url.hostname))
        if (others.length) setOrigin(others[0].origin)
      })
      .catch(() => {}) // keep the local address
  }, [])
  return origin
}

/** @param {{text: string}} props */
export function QrCode({ text }) {
  const path = useMemo(() => {
    const code = generate(text)
    const places = Array.from({ length: code.size ** 2 }, (_, i) => [i % code.size, Math.floor(i / code.size)])
    const dark = places.filter(([x, y]) => code.get(x, y))
    return { size: code.size, d: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') }
  }, [text])
  return (
    <svg
      class="qr"
      viewBox={`-2 -2 ${path.size + 4} ${path.size + 4}`}
      role="img"
      aria-label={t('race.room.qr')}
      shape-rendering="crispEdges"
    >
      <path d={path.d} />
    </svg>
  )
}

/** Invites friends: code, link, share button and QR code. @param {{code: string}} props */
export function Invite({ code }) {
  const ghost = useGhostName(useSite().session.view.value)
  const rooms = `${useOrigin()}/r/`
  const link = rooms + code + (ghost ? ghostFragment(ghost) : '')

  return (
    <section class="card invite" aria-label={t('race.room.invite')}>
      <div class="invite-words">
        <p class="label">{t('race.room.code')}</p>
        <p class="invite-code" data-part="code">
          {code}
        </p>
        <p class="invite-link">
          <a href={link}>
            {rooms.split('//')[1]}
            <wbr />
            {link.slice(rooms.length)}
          </a>
        </p>
        <div class="row">
          <CopyButton text={link} label={t('race.room.copyLink')} />
          {'share' in navigator && (
            <button
              type="button"
              class="button"
              onClick={() => navigator.share({ title: t('front.site'), url: link }).catch(() => {})} // cancelled
            >
              <Icon name="share" /> {t('race.room.share')}
            </button>
          )}
        </div>
      </div>
      <QrCode text={link} />
    </section>
  )
}
