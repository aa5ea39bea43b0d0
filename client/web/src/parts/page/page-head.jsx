import { useState } from 'preact/hooks'
import { gameName } from '../../model/game-texts.js'
import { t } from '../../words/translate.js'
import { Button } from '../controls/button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { instead, useSite } from '../hooks.js'
import { LanguageSwitch } from './language-switch.jsx'
import { GameHelp, Options } from './lazy-parts.js'
import './page-frame.css'

/** The logo, which the build puts into the page. */
const mark = () => /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel=icon]'))?.href

/**
 * A page with the head of the site. Only the race has another one.
 * @param {{name: string, main: string, tools?: any, after?: any, children: any, 'data-phase'?: string}} props main: the class of
 *   its content; tools: in the head; after: what follows the content
 */
export const Page = ({ name, main, tools, after, children, ...more }) => (
  <div class="page" data-page={name} {...more}>
    <Head>{tools}</Head>
    <main class={main}>{children}</main>
    {after}
  </div>
)

/** @param {{children?: any}} props */
export function Head({ children }) {
  const { route, session, prefs } = useSite()
  const game = session.view.value?.settings.game ?? prefs.game.value
  const [open, setOpen] = useState(/** @type {'options' | 'help' | null} */ (null))
  const close = () => setOpen(null)
  return (
    <header class="head">
      <a class="head-home" aria-label={t('front.toFront')} href="/" onClick={instead(route.toFront)}>
        <img src={mark()} width="28" height="28" alt="" />
        <span>{t('front.site')}</span>
      </a>
      <span class="head-tools">
        {children}
        <LanguageSwitch />
        <Button kind="quiet icon" icon="help" label={t('front.help')} onClick={() => setOpen('help')} />
        <Button kind="quiet icon" icon="options" label={t('front.options')} onClick={() => setOpen('options')} />
      </span>
      {open === 'options' && <Options onClose={close} />}
      {open === 'help' && (
        <Dialog title={gameName(game)} onClose={close}>
          <GameHelp game={game} onLearn={close} />
        </Dialog>
      )}
    </header>
  )
}
