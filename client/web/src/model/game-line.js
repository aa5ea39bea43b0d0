/** The special features of a game in a line, from its row. */
import { downsOf, GAMES, heightsOf } from '../rules/games.js'
import { t } from '../words/translate.js'
import { gameLine } from './game-texts.js'

/** @param {string} key */
export function lineOf(key) {
  const game = GAMES.get(key)
  if (!game || gameLine(key)) return gameLine(key)
  const { base, build, columns, empty, redeals, unit } = game
  const down = Math.max(...downsOf(game))
  const parts = [
    t('games.line.layout', { columns, cards: Math.max(...heightsOf(game)) }),
    down > 0 && t('games.line.down', { count: down }),
    t(`games.line.build.${build}`),
    game.wrap && t('games.line.wrap'),
    unit !== 'card' && t(`games.line.unit.${unit}`),
    empty !== 'any' && t(`games.line.empty.${empty}`),
    redeals > 0 && t('games.line.redeals', { redeals }),
    game.bases_out && t('games.line.out'),
    base !== 1 && t(base ? 'games.line.base.2' : 'games.line.base.0'),
    game.foundations !== 'same-suit' && t('games.line.foundations'),
  ]
  return parts.filter(Boolean).join(' · ')
}
