/**
 * The share of deals that the page's solver wins, and its CPU time. `python -m tests.bench.solver` prints the same figures for
 * the same deals with the server's solver.
 *
 * `npm run rates -- [deals of each game] [game ...]` (100, all games).
 */
import { Board } from './src/rules/board.js'
import { GAMES, game } from './src/rules/games.js'
import { deckOfNumber } from './src/rules/numbered-deal.js'
import { solve } from './src/solver/effort.js'

/** The first deal to solve: the solver was not tuned on these deals. */
const FIRST = 60_001
const [deals = '100', ...only] = process.argv.slice(2)

console.log('game            won    CPU s  proved/s')
for (const key of only.length ? only : GAMES.keys()) {
  const before = process.cpuUsage()
  let won = 0
  for (let at = 0; at < Number(deals); at += 1) if (solve(Board.deal(game(key), deckOfNumber(String(FIRST + at))))) won += 1
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const share = `${Math.round((100 * won) / Number(deals))} %`
  console.log(
    key.padEnd(14) +
      share.padStart(6) +
      (seconds / Number(deals)).toFixed(2).padStart(9) +
      (won / seconds).toFixed(1).padStart(10),
  )
}
