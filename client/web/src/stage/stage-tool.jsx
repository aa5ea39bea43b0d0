/** Buttons below the boards, and the help about their keys. */
import { Tool } from '../parts/controls/button.jsx'
import { Dialog } from '../parts/controls/dialog.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { Keys } from '../parts/help/key-list.jsx'
import { t } from '../words/translate.js'

/** @import { IconName } from '../parts/controls/more-icons.jsx' */
/** @import { Act, Choice } from './board-choice.js' */

/** @param {Omit<Parameters<typeof Tool>[0], 'children' | 'icon'> & {icon: IconName, hotkey?: string}} props `hotkey`: its key, which the title tells */
export const StageTool = ({ icon, hotkey, label, ...props }) => {
  const name = label ?? props.word ?? ''
  return (
    <Tool {...(hotkey && { title: t('watch.withKey', { label: name, key: hotkey }) })} {...props} label={name}>
      <Icon name={icon} />
    </Tool>
  )
}

/** Changes between one board and all. @param {{choice: Choice, hasWord?: boolean, onAct: (act: Act) => void}} props */
export function AloneTool({ choice: { alone }, hasWord = false, onAct }) {
  const label = t(alone ? 'watch.board.all' : 'watch.board.one')
  return (
    <StageTool
      icon={alone ? 'grid' : 'single'}
      label={label}
      {...(hasWord && { word: label })}
      class="stage-toggle"
      hotkey={alone ? '0' : t('more.key.enter')}
      onClick={() => onAct({ do: alone ? 'all' : 'alone' })}
    />
  )
}

/** What the page shows, and its keys. @param {{title: string, texts: string[], keys: Parameters<typeof Keys>[0]['keys'], onClose: () => void}} props */
export const KeyDialog = ({ title, texts, keys, onClose }) => (
  <Dialog title={title} onClose={onClose}>
    <div class="help">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Keys keys={keys} />
    </div>
  </Dialog>
)
