import { useEffect, useState } from 'preact/hooks'

/**
 * A page that is loaded when it is first shown, so that the front page comes quickly.
 *
 * @template {object} P
 * @param {() => Promise<(props: P) => any>} load
 * @returns {(props: P) => any}
 */
export function later(load) {
  /** @type {((props: P) => any) | null} */
  let Page = null
  return function Later(props) {
    const [state, setState] = useState(Page ? 'here' : 'coming')
    useEffect(() => {
      if (Page) return
      load().then(
        (loaded) => {
          Page = loaded
          setState('here')
        },
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
}
