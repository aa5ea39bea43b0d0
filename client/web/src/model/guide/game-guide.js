/** The rules of a game for new players: each term with its sentences and small pictures. */
import { GAMES, stockOf } from '../../rules/games.js'
import { t } from '../../words/translate.js'

/**
 * @import { Game } from '../../rules/games.js'
 * @typedef {object} Picture
 * @property {readonly string[]} cards from the bottom: `TH`; `##` is face down; `` is an empty place
 * @property {boolean} [right] whether this is legal
 * @typedef {{term: string, text: string, pictures: readonly Picture[]}} Rule
 */

/** A legal and an illegal card on a ten of hearts. @type {Readonly<Record<Game['build'], readonly string[]>>} */
const BUILDS = { 'same-suit': ['9H', '9S'], 'different-suit': ['9D', '9H'], 'alternating-colour': ['9S', '9D'] }

/** @type {Picture} */
const FACE_DOWN = { cards: ['##', '9S'] }

/** A sequence that moves together. @type {Readonly<Record<Game['build'], readonly string[]>>} */
const RUNS = {
  'same-suit': ['JH', 'TH', '9H'],
  'different-suit': ['JH', 'TS', '9C'],
  'alternating-colour': ['JH', 'TS', '9H'],
}

/** Joins sentences. @param {...string} texts */
const sentences = (...texts) => texts.join(' ')

/** The rules in the current language. @param {string} key @returns {Rule[]} */
export function gameGuide(key) {
  const game = GAMES.get(key)
  if (!game) return []
  const { aces_out: aces, build, cards, columns, draw, face_down: down, redeals } = game
  const sequences = game.unit === 'sequence'
  /** @param {string} term @param {string[]} texts @param {Picture[]} pictures @returns {Rule} */
  const rule = (term, texts, ...pictures) => ({ term, text: sentences(...texts), pictures })
  return [
    rule(t('more.guide.goal'), [t('more.guide.goalText'), t('more.guide.winText')]),
    rule(t('more.guide.foundations'), [t('more.guide.foundationsText', { aces })], {
      cards: aces ? ['AS', '2S', '3S'] : ['', 'AS', '2S'],
    }),
    rule(
      t('more.guide.tableau'),
      [t('more.guide.tableauText', { columns, cards }), t(`more.guide.build.${build}`)],
      ...BUILDS[build].map((nine, i) => ({ cards: ['TH', nine], right: i === 0 })),
    ),
    ...(down
      ? [rule(t('more.guide.faceDown'), [t('more.guide.faceDownText', { count: down }), t('more.guide.revealText')], FACE_DOWN)]
      : []),
    sequences
      ? rule(t('more.guide.sequences'), [t('more.guide.sequencesText')], { cards: RUNS[build] })
      : rule(t('more.guide.oneAtATime'), [t('more.guide.oneAtATimeText')]),
    rule(t('more.guide.emptyColumn'), [t('more.guide.emptyColumnText', { sequences })], { cards: [''] }),
    rule(
      t('more.guide.stock'),
      [
        t('more.guide.stockText', { stock: stockOf(game), draw }),
        t('more.guide.wasteText'),
        t('more.guide.redealsText', { redeals }),
      ],
      { cards: ['##'] },
      { cards: draw > 1 ? ['5C', 'KD', '8S'] : ['8S'] },
    ),
  ]
}
