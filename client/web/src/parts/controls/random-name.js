import { DRAWN } from '../../model/faces.js'
import { COLOURS, PICTURES } from '../../protocol/constants.js'
import { bringWords, t } from '../../words/translate.js'

/** @import { Prefs } from '../../browser/preferences.js' */

/** A name for a thief, in the language of the page, and the face of this animal. @param {Pick<Prefs, 'face'>} prefs */
export async function randomName({ face }) {
  await bringWords('more')
  const any = (/** @type {readonly string[]} */ all) => all[Math.floor(Math.random() * all.length)] ?? ''
  const [picture = '', ...who] = any(t('more.names.who').split(', ')).split(' ')
  face.value = Math.floor(Math.random() * COLOURS) * PICTURES + DRAWN.indexOf(picture)
  return t('more.names.name', { who: who.join(' '), how: any(t('more.names.how').split(', ')) })
}

/** The name that the player has set, or a random one. @param {Pick<Prefs, 'face' | 'name'>} prefs */
export const nameOrRandom = async (prefs) => prefs.name.peek().trim() || randomName(prefs)
