import { useEffect, useState } from 'preact/hooks'

/**
 * A page that is loaded when it is first shown, so that the front page comes quickly, or before that when it is known
 * that it will be (`soon`).
 *
 * @template {object} P
 * @param {() => Promise<(props: P) => any>} load
 * @returns {((props: P) => any) & {soon: () => void}}
 */
export function later(load) {
  /** @type {((props: P) => any) | null} */
  let Page = null
  const bring = async () => {
    Page ??= await load()
  }
  /** @param {P} props */
  function Later(props) {
    const [state, setState] = useState(Page ? 'here' : 'coming')
    useEffect(() => {
      bring().then(
        () => setState('here'),
        () => setState('lost'),
      )
    }, [])
    if (Page) return <Page {...props} />
    return (
      <main class="narrow plain" data-page="loading">
        <p role="status">
          {state === 'lost' ? 'This page could not be loaded. Look after your connection, and reload it.' : 'Loading …'}
        </p>
      </main>
    )
  }
  // If it cannot be brought now, it is tried again when it is shown.
  return Object.assign(Later, { soon: () => void bring().catch(() => {}) })
}
