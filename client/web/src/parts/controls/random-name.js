import { bringWords, t } from '../../words/translate.js'

/** A name for a thief, in the language of the page. */
export async function randomName() {
  await bringWords('more')
  const any = (/** @type {'more.names.who' | 'more.names.how'} */ key) => {
    const all = t(key).split(', ')
    return all[Math.floor(Math.random() * all.length)]
  }
  return t('more.names.name', { who: any('more.names.who'), how: any('more.names.how') })
}
