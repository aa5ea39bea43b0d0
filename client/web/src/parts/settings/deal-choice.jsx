import { gameName, isWinnable } from '../../model/game-texts.js'
import { countReady, isOffered } from '../../model/race/ready-deals.js'
import { game as gameOf, hasFaceDown } from '../../rules/games.js'
import { wonOf } from '../../solver/measured.js'
import { t } from '../../words/translate.js'
import { option, Select } from '../controls/form-fields.jsx'
import { usePolled } from '../hooks.js'

/** @import { Ready } from '../../model/race/ready-deals.js' */

/** Winnable deals with any number of stars, or with one, two or three. */
const WINNABLE = /** @type {const} */ (['winnable', 'winnable-1', 'winnable-2', 'winnable-3'])

/** Explains the choice and the difficulty of the game. @param {string} deal @param {string | undefined} game @param {Ready | null} found */
function hintOf(deal, game, found) {
  const share = game && isOffered(found, game) ? t('solver.deal.share', { game: gameName(game), won: wonOf(game) }) : ''
  if (!isWinnable(deal)) return deal === 'secret' ? share : ''
  const ready = game && found ? countReady(found, { game, deal }) : Infinity
  return [
    t('solver.deal.stars'),
    game && hasFaceDown(gameOf(game)) ? t('solver.find.faceDown') : '',
    share,
    found && ready < found.needed ? t('solver.deal.preparing', { ready, needed: found.needed }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** @param {string} deal */
function optionText(deal) {
  const known = deal === 'secret' ? deal : WINNABLE.find((one) => one === deal)
  return t(`solver.deal.option.${known ?? 'number'}`)
}

/**
 * The choice of the deal. Winnable deals are offered if the server prepares some.
 * @param {{value: string, game?: string | undefined, others?: string[], onPick: (deal: string) => void}} props value: of the
 *   settings; game: if all races use the same; others: more options. An empty value or option is a number, not typed yet.
 */
export function DealChoice({ value, game, others = [], onPick }) {
  const found = /** @type {Ready | null} */ (usePolled('/api/winnable'))
  const offered = isOffered(found, game) || isWinnable(value) ? WINNABLE : []
  const options = ['secret', ...offered, ...others]
  if (options.length === 1) return null
  return (
    <Select
      label={t('race.rule.deal')}
      value={options.includes(value) ? value : ''}
      options={options.map((deal) => option(deal, optionText(deal)))}
      onPick={onPick}
      hint={hintOf(value, game, found)}
    />
  )
}
