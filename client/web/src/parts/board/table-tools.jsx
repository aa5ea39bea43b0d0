import { t } from '../../words/translate.js'
import { Button, Tool } from '../controls/button.jsx'

/**
 * The last tools at the bottom of a table: chat, help and options.
 * @param {object} props
 * @param {boolean} props.chat whether the chat is open
 * @param {number} props.unread new messages since the chat was closed
 * @param {() => void} props.onChat @param {(what: 'help' | 'options') => void} props.onOpen
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
    <Tool icon="help" label={t('front.help')} class="race-help" title={t('race.page.helpKey')} onClick={() => onOpen('help')} />
    <Tool icon="options" label={t('front.options')} onClick={() => onOpen('options')} />
  </>
)
