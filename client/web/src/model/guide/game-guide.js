/** The rules of a game for new players: each term with its sentences and small pictures. */
import { downsOf, GAMES, heightsOf, stockOf } from '../../rules/games.js'
import { t } from '../../words/translate.js'

/**
 * @import { Game } from '../../rules/games.js'
 * @typedef {object} Picture
 * @property {readonly string[]} cards from the bottom: `TH`; `##` is face down; `` is an empty place
 * @property {boolean} [right] whether this is legal
 * @typedef {{term: string, text: string, pictures: readonly Picture[]}} Rule
 */

/** A legal and an illegal card on a ten of hearts. @type {Readonly<Record<Game['build'], readonly string[]>>} */
const BUILDS = {
  'same-suit': ['9H', '9S'],
  'different-suit': ['9D', '9H'],
  'any-suit': ['9D', '8D'],
  'alternating-colour': ['9S', '9D'],
}

/** @type {Picture} */
const FACE_DOWN = { cards: ['##', '9S'] }

/** A sequence that moves together. @type {Readonly<Record<Game['build'], readonly string[]>>} */
const RUNS = {
  'same-suit': ['JH', 'TH', '9H'],
  'different-suit': ['JH', 'TS', '9C'],
  'any-suit': ['JH', 'TS', '9S'],
  'alternating-colour': ['JH', 'TS', '9H'],
}

/** Foundations from ace and from two. @type {Readonly<Record<Game['foundations'], readonly (readonly string[])[]>>} */
const FOUNDATIONS = {
  'same-suit': [
    ['AS', '2S', '3S'],
    ['2S', '3S', '4S'],
  ],
  'alternating-colour': [
    ['AS', '2H', '3C'],
    ['2S', '3H', '4C'],
  ],
}

/** Joins sentences. @param {...string} texts */
const sentences = (...texts) => texts.join(' ')

/** The rules in the current language. @param {string} key @returns {Rule[]} */
export function gameGuide(key) {
  const game = GAMES.get(key)
  if (!game) return []
  const { base, bases_out: out, build, columns, draw, empty, foundations, redeals, unit } = game
  const [cards, down] = [Math.max(...heightsOf(game)), Math.max(...downsOf(game))]
  const sequences = unit !== 'card'
  const isUsual = base === 1 && foundations === 'same-suit'
  /** @param {string} term @param {string[]} texts @param {Picture[]} pictures @returns {Rule} */
  const rule = (term, texts, ...pictures) => ({ term, text: sentences(...texts), pictures })
  return [
    rule(t('more.guide.goal'), [t('more.guide.goalText'), t('more.guide.winText')]),
    rule(
      t('more.guide.foundations'),
      [
        isUsual
          ? t('more.guide.foundationsText', { aces: out })
          : t('games.guide.foundations', { inSuit: foundations === 'same-suit', base, out }),
      ],
      { cards: FOUNDATIONS[foundations][base === 2 ? 1 : 0] },
    ),
    rule(
      t('more.guide.tableau'),
      [
        t('more.guide.tableauText', { columns, cards }),
        build === 'any-suit' ? t('games.guide.build.any-suit') : t(`more.guide.build.${build}`),
        ...(game.wrap ? [t('games.guide.wrap')] : []),
      ],
      ...BUILDS[build].map((nine, i) => ({ cards: ['TH', nine], right: i === 0 })),
    ),
    ...(down
      ? [rule(t('more.guide.faceDown'), [t('more.guide.faceDownText', { count: down }), t('more.guide.revealText')], FACE_DOWN)]
      : []),
    sequences
      ? rule(t('more.guide.sequences'), [t(unit === 'in-suit' ? 'games.guide.inSuit' : 'more.guide.sequencesText')], {
          cards: RUNS[unit === 'in-suit' ? 'same-suit' : build],
        })
      : rule(t('more.guide.oneAtATime'), [t('more.guide.oneAtATimeText')]),
    rule(
      t('more.guide.emptyColumn'),
      [empty === 'any' ? t('more.guide.emptyColumnText', { sequences }) : t(`games.guide.empty.${empty}`)],
      { cards: [''] },
    ),
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
