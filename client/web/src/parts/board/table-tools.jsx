import { t } from '../../words/translate.js'
import { Button, Tool } from '../controls/button.jsx'

/**
 * The last tools at the bottom of a table: chat, help and options.
 * @param {{chat: boolean, unread: number, onChat: () => void, onOpen: (what: 'help' | 'options') => void}} props chat: whether it
 *   is open; unread: new messages since it was closed
 */
export const TableTools = ({ chat, unread, onChat, onOpen }) => (
  <>
    <span class="race-tools-gap" />
    <Button
      kind="felt"
      icon="chat"
      label={unread ? t('race.chat.new', { count: unread }) : t('race.chat.title')}
      aria-expanded={chat}
      title={t('race.chat.key')}
      onClick={onChat}
    >
      <span class="button-word">{t('race.chat.title')}</span>
      {unread > 0 && <span class="unread">{unread > 9 ? '9+' : unread}</span>}
    </Button>
    <Tool icon="help" label={t('front.help')} title={t('race.page.helpKey')} onClick={() => onOpen('help')} />
    <Tool icon="options" label={t('front.options')} onClick={() => onOpen('options')} />
  </>
)
