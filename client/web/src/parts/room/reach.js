/** Where other devices reach this server. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useSite } from '../hooks.js'

/** @import { Signal } from '@preact/signals' */

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Where others reach this server: its addresses, whether that of this page is only for its network, and its tunnel.
 * `on`, `helper` and `trouble` are only told to a browser on the server's machine.
 * @typedef {object} Reach
 * @property {string[]} addresses @property {boolean} near
 * @property {{url: string, answers: boolean, on?: boolean, helper?: string, trouble?: string}} share
 */
/** @type {Signal<Reach>} */
export const reach = signal({ addresses: [], near: false, share: { url: '', answers: false } })
/** The origin that the player has chosen from several. */
export const chosen = signal('')

/** Looks it up; it stays as it is if the server does not answer. */
export const lookUp = () =>
  fetch('/api/address')
    .then(async (answer) => (reach.value = await answer.json()))
    .catch(() => {})

export const isLocal = (/** @type {string} */ origin) => LOCAL.has(new URL(origin).hostname)

/** The origin that other devices can open: the tunnel's, or one in the local network if the page was opened on "localhost". */
export function useOrigin() {
  const { notice } = useSite().session
  useEffect(() => void lookUp(), [notice.value]) // it may be that there is another one
  const { addresses, share } = reach.value
  const here = location.origin
  return share.url || chosen.value || (isLocal(here) && addresses.find((one) => !isLocal(one))) || here
}
