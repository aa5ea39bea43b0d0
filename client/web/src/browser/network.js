/** Whether this machine has a network, as far as the browser knows. */
import { signal } from '@preact/signals'

/** @import { ReadonlySignal } from '@preact/signals' */

/** @param {Window} window @returns {ReadonlySignal<boolean>} */
export function createNetwork(window) {
  const online = signal(window.navigator.onLine)
  for (const event of ['online', 'offline']) window.addEventListener(event, () => (online.value = event === 'online'))
  return online
}
