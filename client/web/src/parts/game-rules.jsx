import { gameGuide } from '../model/game-guide.js'

/** The rules of a game in sentences. @param {{game: string}} props */
export const GameRules = ({ game }) => (
  <ul>
    {gameGuide(game).map(({ term, text }) => (
      <li key={term}>
        <b>{term}:</b> {text}
      </li>
    ))}
  </ul>
)
