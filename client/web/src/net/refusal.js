/** Refusals by the server and connection faults, as sentences in the language in use. */
import { bringWords, hasWords, t } from '../words/translate.js'

/** Loads the texts of refusals, which few players need. Until then, the page shows the server's English sentences. */
export const wordsOfRefusals = () => bringWords('more').catch(() => {})

/** By parameter: the keys of texts that translate its value. @type {Record<string, (name: string) => string[]>} */
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

/** Not an `Error`: `message` builds the sentence on each read, because the language can change. */
export class Refusal {
  /**
   * @param {string} code of the server (shared/fortythieves/errors.py), or of the page.
   * @param {string} [english] the server's sentence. It is shown for codes without a loaded text.
   * @param {Readonly<Record<string, string | number>>} [parameters] of the sentence
   */
  constructor(code, english = '', parameters = {}) {
    this.code = code
    this.english = english
    this.parameters = parameters
  }

  /** A sentence. A reason or detail with its own text replaces the text of the code. */
  get message() {
    wordsOfRefusals()
    const { code, english, parameters } = this
    const reason = parameters.reason ?? parameters.detail
    const keys = [
      ...[`refused.reason.${reason}`, `race.table.no.${reason}`, `tournament.refused.reason.${reason}`],
      ...[`refused.${code}`, `race.table.no.${code}`, `tournament.refused.${code}`, `front.fault.${code}`],
    ]
    const key = keys.find(hasWords)
    return key ? /** @type {any} */ (t)(key, named(parameters)) : english
  }
}

/** Turn an error response into a refusal. @param {Response} answer @returns {Promise<Refusal>} */
export async function refusalOf(answer) {
  const { error } = (await answer.json().catch(() => null)) ?? {}
  if (typeof error?.code !== 'string') return new Refusal('no-answer', undefined, { status: answer.status })
  return new Refusal(error.code, error.message, error.parameters)
}
