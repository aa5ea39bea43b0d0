import { refusalOf } from '../../net/refusal.js'
import { instead, useAction, useSite } from '../hooks.js'
import { Wrong } from './form-fields.jsx'
import { Icon } from './more-icons.jsx'

/** @import { ComponentChildren } from 'preact' */

const SAVED = 60_000 // the browser has started to save the file long before, in ms

/** @param {Blob} file @param {string} name */
export function save(file, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED)
}

/**
 * A link to a file of the server. The script fetches and saves it, because a plain link sends no guest token.
 * @param {{path: string, name: string, children: ComponentChildren}} props
 */
export function Download({ path, name, children }) {
  const { get } = useSite()
  const fetched = useAction(async () => {
    const answer = await get(path)
    if (!answer.ok) throw await refusalOf(answer)
    save(await answer.blob(), name)
  })
  return (
    <>
      <a
        class="button button-small"
        href={path}
        download={name}
        aria-busy={fetched.busy || undefined}
        onClick={instead(() => fetched.busy || fetched.go())}
      >
        <Icon name="down" /> {children}
      </a>
      {fetched.error && <Wrong>{fetched.error.message}</Wrong>}
    </>
  )
}
