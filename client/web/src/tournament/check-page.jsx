/** The page that works a tournament out again from the records of its races. */
import { useEffect, useState } from 'preact/hooks'
import { createVerifier } from '../browser/verifier.js'
import { useSite } from '../parts/hooks.js'
import { Icon } from '../parts/icon.jsx'
import { Head } from '../parts/page-head.jsx'
import { checkBundle } from './check.js'
import '../parts/checks.css'
import './new-tournament.css'

/** @typedef {import('./check.js').Line} Line */

/**
 * @param {string} code
 * @param {import('../net/http.js').Get} get
 * @returns {Promise<any>} the bundle
 */
async function load(code, get) {
  const answer = await get(`/api/tournaments/${code}.bundle.json`)
  const body = await answer.json().catch(() => null)
  if (!answer.ok || !body) throw new Error(body?.error?.message ?? 'The server has no records of this tournament.')
  return body
}

/** @param {{code: string}} props */
export function Checked({ code }) {
  const { route, get } = useSite()
  const [lines, setLines] = useState(/** @type {Line[] | null} */ (null))
  const [wrong, setWrong] = useState('')

  useEffect(() => {
    let alive = true
    const { serverKeys, checkFile, stop } = createVerifier()
    async function check() {
      try {
        const [bundle, key] = await Promise.all([load(code, get), serverKeys()])
        /** @type {Line[]} */
        const found = []
        for await (const line of checkBundle(bundle, { checkFile, key })) {
          if (!alive) return
          found.push(line)
          setLines([...found])
        }
      } catch (error) {
        if (alive) setWrong(/** @type {Error} */ (error).message)
      } finally {
        stop()
      }
    }
    check()
    return () => {
      alive = false
      stop()
    }
  }, [code])
  useEffect(() => {
    document.title = `Standings of ${code} checked · Forty Thieves Race`
    return () => {
      document.title = 'Forty Thieves Race'
    }
  }, [code])

  const isDone = lines?.at(-1)?.about === 'all'
  return (
    <div class="page" data-page="checked">
      <Head />
      <main class="host-main">
        <section class="card verify" data-part="checked">
          <p class="label">Tournament {code}</p>
          <h1>The standings, checked</h1>
          <p class="hint">
            Here, in your browser, every race is worked out again from its record: the deal, every move, the times, the results
            and the server’s signature. Then the standings are worked out from these records.
          </p>
          {wrong && (
            <p class="wrong-box" role="alert">
              {wrong}
            </p>
          )}
          {!wrong && !isDone && <p role="status">Checking …</p>}
          <ul class="checks">
            {lines?.map((line, i) => (
              <li key={i} data-check={line.about} data-ok={line.ok}>
                <Icon name={line.ok ? 'check' : 'close'} />
                <span>
                  <b>{line.what}</b> <span class="checks-reason">{line.reason}</span>
                </span>
              </li>
            ))}
          </ul>
          <div class="row row-end">
            <button type="button" class="button" onClick={() => route.toRoom(code)}>
              To the tournament
            </button>
          </div>
        </section>
      </main>
    </div>
  )
}
