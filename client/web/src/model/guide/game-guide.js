/** The rules of a game for new players: each term with its sentences and small pictures. */

import { GAMES, stockOf } from '../../rules/games.js'
import { t } from '../../words/translate.js'

/** @import { Game } from '../../rules/games.js' */

/**
 *
 * @typedef {object} Picture
 * @property {readonly string[]} cards from the bottom: `TH`; `##` is face down; `` is an empty place
 * @property {boolean} [right] whether this is legal
 *
 * @typedef {{term: string, text: string, pictures: readonly Picture[]}} Rule
 */

/** A legal and an illegal build: a nine on a ten. @type {Readonly<Record<Game['build'], readonly Picture[]>>} */
const BUILDS = {
  'same-suit': [
    { cards: ['TH', '9H'], right: true },
    { cards: ['TH', '9S'], right: false },
  ],
  'different-suit': [
    { cards: ['TH', '9D'], right: true },
    { cards: ['TH', '9H'], right: false },
  ],
  'alternating-colour': [
    { cards: ['TH', '9S'], right: true },
    { cards: ['TH', '9D'], right: false },
  ],
}

/** A sequence that moves together. @type {Readonly<Record<Game['build'], readonly string[]>>} */
const RUNS = {
  'same-suit': ['JH', 'TH', '9H'],
  'different-suit': ['JH', 'TS', '9C'],
  'alternating-colour': ['JH', 'TS', '9H'],
}

/** Joins sentences. @param {...string} texts */
export const sentences = (...texts) => texts.join(' ')

/** The rules in the current language. @param {string} key @returns {Rule[]} */
export function gameGuide(key) {
  const game = GAMES.get(key)
  if (!game) return []
  const { aces_out: aces, build, cards, columns, draw, face_down: down, redeals } = game
  const sequences = game.unit === 'sequence'
  return [
    { term: t('more.guide.goal'), text: sentences(t('more.guide.goalText'), t('more.guide.winText')), pictures: [] },
    {
      term: t('more.guide.foundations'),
      text: t('more.guide.foundationsText', { aces }),
      pictures: [{ cards: aces ? ['AS', '2S', '3S'] : ['', 'AS', '2S'] }],
    },
    {
      term: t('more.guide.tableau'),
      text: sentences(t('more.guide.tableauText', { columns, cards }), t(`more.guide.build.${build}`)),
      pictures: BUILDS[build],
    },
    ...(down
      ? [
          {
            term: t('more.guide.faceDown'),
            text: sentences(t('more.guide.faceDownText', { count: down }), t('more.guide.revealText')),
            pictures: [{ cards: ['##', '9S'] }],
          },
        ]
      : []),
    sequences
      ? { term: t('more.guide.sequences'), text: t('more.guide.sequencesText'), pictures: [{ cards: RUNS[build] }] }
      : { term: t('more.guide.oneAtATime'), text: t('more.guide.oneAtATimeText'), pictures: [] },
    {
      term: t('more.guide.emptyColumn'),
      text: t('more.guide.emptyColumnText', { sequences }),
      pictures: [{ cards: [''] }],
    },
    {
      term: t('more.guide.stock'),
      text: sentences(
        t('more.guide.stockText', { stock: stockOf(game), draw }),
        t('more.guide.wasteText'),
        t('more.guide.redealsText', { redeals }),
      ),
      pictures: [{ cards: ['##'] }, { cards: draw > 1 ? ['5C', 'KD', '8S'] : ['8S'] }],
    },
  ]
}
