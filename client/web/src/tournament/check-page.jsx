/** The page that works a tournament out again from the records of its races. */
import { useEffect, useState } from 'preact/hooks'
import { createVerifier } from '../browser/verifier.js'
import { Refusal, refusalOf } from '../net/refusal.js'
import { Icon } from '../parts/controls/icon.jsx'
import { usePageTitle, useSite } from '../parts/hooks.js'
import { Head } from '../parts/page/page-head.jsx'
import { reasonText } from '../record/reasons.js'
import { t } from '../words/index.js'
import { Said } from '../words/said.jsx'
import { checkBundle } from './check.js'
import '../parts/checks.css'
import './new-tournament.css'

/**
 * @import { Get } from '../net/http.js'
 * @import { Line } from './check.js'
 */

/**
 * @param {string} code
 * @param {Get} get
 * @returns {Promise<any>} the bundle
 */
async function load(code, get) {
  const answer = await get(`/api/tournaments/${code}.bundle.json`)
  if (!answer.ok) throw await refusalOf(answer)
  return answer.json()
}

/** @param {{reason: Line['reason']}} props */
function Reason({ reason }) {
  if ('id' in reason) return <Said saying={reason} />
  return <>{'check' in reason ? reasonText(reason.check, reason) : reason.message}</>
}

/** @param {{code: string}} props */
export function Checked({ code }) {
  const { route, get } = useSite()
  const [lines, setLines] = useState(/** @type {Line[] | null} */ (null))
  const [wrong, setWrong] = useState(/** @type {Refusal | null} */ (null))

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
        if (alive) setWrong(error instanceof Refusal ? error : new Refusal('no-answer'))
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
  usePageTitle(t('tournament.check.documentTitle', { code }))

  const isDone = lines?.at(-1)?.about === 'all'
  return (
    <div class="page" data-page="checked">
      <Head />
      <main class="host-main">
        <section class="card verify" data-part="checked">
          <p class="label">{t('tournament.check.label', { code })}</p>
          <h1>{t('tournament.check.title')}</h1>
          <p class="hint">{t('tournament.check.hint')}</p>
          {wrong && (
            <p class="wrong-box" role="alert">
              {wrong.message}
            </p>
          )}
          {!wrong && !isDone && <p role="status">{t('tournament.check.checking')}</p>}
          <ul class="checks">
            {lines?.map((line, i) => (
              <li key={i} data-check={line.about} data-ok={line.ok}>
                <Icon name={line.ok ? 'check' : 'close'} />
                <span>
                  <b>
                    <Said saying={line.what} />
                  </b>{' '}
                  <span class="checks-reason">
                    <Reason reason={line.reason} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <div class="row row-end">
            <button type="button" class="button" onClick={() => route.toRoom(code)}>
              {t('tournament.check.back')}
            </button>
          </div>
        </section>
      </main>
    </div>
  )
}
