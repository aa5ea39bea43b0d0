import { useState } from 'preact/hooks'
import { lineOf } from '../../model/game-line.js'
import { difficulty, difficultyText, gameName, gamesInOrder } from '../../model/game-texts.js'
import { heightsOf, stockOf } from '../../rules/games.js'
import { nth } from '../../rules/nth.js'
import { wonOf } from '../../solver/measured.js'
import { t } from '../../words/translate.js'
import { GamePicture } from '../board/game-picture.jsx'
import { Button } from '../controls/button.jsx'
import { Dialog } from '../controls/dialog.jsx'
import { Field, option, Select } from '../controls/form-fields.jsx'
import './all-games.css'

/** @import { Game } from '../../rules/games.js' */

/** Other names of the games, in books and in other programs. @type {Readonly<Record<string, string>>} */
const ALIASES = {
  'forty-thieves': 'Big Forty, Le Cadran, Napoleon at St Helena, Roosevelt at San Juan, Patruzeci de hoți, चालीस चोर',
  congress: 'President’s Cabinet',
  corona: 'Round Dozen',
  deuces: 'Twos, Les Deux',
  emperor: 'Deauville',
  josephine: 'Forty Bandits, Pack of Thieves',
  maria: 'Maria Luisa, Thirty-Six Card Tableau',
  pluto: 'Square',
  'rank-and-file': 'Dress Parade',
  'san-juan-hill': 'Kettle Hill',
}

/** @typedef {'usual' | 'easy' | 'short' | 'columns'} Order */

/** By `usual`, the games stay in the order of `gamesInOrder`. @type {Readonly<Record<Order, (game: Game) => number>>} */
const ORDERS = {
  usual: () => 0,
  easy: (game) => -wonOf(game.key),
  // The number of draws through all passes.
  short: (game) => (stockOf(game) * (game.redeals + 1)) / game.draw,
  // On a narrow screen, few columns have the widest cards, and low ones need no squeezing.
  columns: (game) => game.columns * 100 + Math.max(...heightsOf(game)),
}
const NAMES = /** @type {Order[]} */ (Object.keys(ORDERS))

/** A text for comparing: without case, accents and signs. @param {string} text */
const plain = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** All games, to search and choose from. @param {{chosen: string, onPick: (key: string) => void, onClose: () => void}} props */
export function AllGames({ chosen, onPick, onClose }) {
  const [text, setText] = useState('')
  const [order, setOrder] = useState(/** @type {Order} */ ('usual'))
  const rank = ORDERS[order]
  const games = gamesInOrder()
    .filter(({ key, name }) => plain(`${name} ${gameName(key)} ${ALIASES[key] ?? ''}`).includes(plain(text)))
    .sort((a, b) => rank(a) - rank(b))
  const pick = (/** @type {string} */ key) => {
    onPick(key)
    onClose()
  }
  const surprise = () => pick(nth(games, Math.floor(Math.random() * games.length)).key)
  return (
    <Dialog title={t('games.all.title')} onClose={onClose} wide>
      <div class="all-games-tools">
        <Field label={t('games.all.search')} value={text} onInput={setText} autocomplete="off" />
        <Select
          label={t('games.all.order')}
          value={order}
          options={NAMES.map((name) => option(name, t(`games.all.order.${name}`)))}
          onPick={setOrder}
        />
        <Button icon="dice" disabled={!games.length} onClick={surprise} text={t('games.all.surprise')} />
      </div>
      {!games.length && <p role="status">{t('games.all.none')}</p>}
      <ul class="all-games-list" data-part="all-games">
        {games.map((game) => (
          <li key={game.key}>
            <button
              type="button"
              class="all-game"
              aria-pressed={game.key === chosen}
              onClick={() => pick(game.key)}
              data-game={game.key}
            >
              <GamePicture game={game} />
              <span class="all-game-name">{gameName(game.key)}</span>
              <span class="all-game-line">{lineOf(game.key)}</span>
              <span class="all-game-won hint">
                {difficultyText(difficulty(game.key))} · {t('games.all.won', { won: wonOf(game.key) })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
