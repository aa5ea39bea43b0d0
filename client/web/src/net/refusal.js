/** Why something was not done, in the language in use: what the server refused, and what went wrong on the way to it. */
import { bringWords, hasWords, t } from '../words/translate.js'

/** Few ever need them. Until they are there, the server's sentences are shown. What only tournaments refuse comes with them. */
export const wordsOfRefusals = () => bringWords('more').catch(() => {})

/** The keys of the name that the page has for what a parameter names. @type {Record<string, (name: string) => string[]>} */
const NAMES = {
  setting: (name) => [`tournament.setting.${name}`, `more.setting.${name}`],
  tiebreak: (name) => [`tournament.tiebreak.${name}`],
}

/** @param {Refusal['parameters']} parameters */
function named(parameters) {
  const values = Object.entries(parameters).map(([parameter, value]) => {
    const name = String(value).replaceAll("'", '')
    const key = NAMES[parameter]?.(name).find(hasWords)
    return [parameter, key ? /** @type {any} */ (t)(key) : value]
  })
  return Object.fromEntries(values)
}

/** Not an `Error`: its sentence is made when it is read, because the language may have changed by then. */
export class Refusal {
  /**
   * @param {string} code of the server (shared/fortythieves/errors.py), or of the page
   * @param {string} [said] the server's sentence, in English, until the words are there and for a code that is new to this page
   * @param {Readonly<Record<string, string | number>>} [parameters] what the sentence is filled in with
   */
  constructor(code, said = '', parameters = {}) {
    this.code = code
    this.said = said
    this.parameters = parameters
  }

  /** A sentence. A reason is a sentence of its own; with a detail that is no code, there is the one around it. */
  get message() {
    wordsOfRefusals()
    const { code, said, parameters } = this
    const reason = parameters.reason ?? parameters.detail
    const keys = [
      ...[`refused.reason.${reason}`, `race.table.no.${reason}`, `tournament.refused.reason.${reason}`],
      ...[`refused.${code}`, `race.table.no.${code}`, `tournament.refused.${code}`, `front.fault.${code}`],
    ]
    const key = keys.find(hasWords)
    return key ? /** @type {any} */ (t)(key, named(parameters)) : said
  }
}

/** What an answer that is not the wanted file says. @param {Response} answer @returns {Promise<Refusal>} */
export async function refusalOf(answer) {
  const said = await answer.json().catch(() => null)
  if (typeof said?.error?.code !== 'string') return new Refusal('no-answer', undefined, { status: answer.status })
  return new Refusal(said.error.code, said.error.message, said.error.parameters)
}
