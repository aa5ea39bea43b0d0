/** The head of the front page: the name, a description and a hand of cards. */
import { t } from '../words/translate.js'
import './front.css'

const FAN = [
  { turn: -22, rank: 'A', suit: '♠' },
  { turn: -11, rank: '2', suit: '♠' },
  { turn: 0, rank: '3', suit: '♠' },
  { turn: 11, rank: '4', suit: '♠' },
  { turn: 22, rank: 'Q', suit: '♥' },
]

export const Fan = () => (
  <svg class="hero-cards" viewBox="0 0 320 190" aria-hidden="true">
    {FAN.map(({ turn, rank, suit }) => (
      <g key={turn} transform={`rotate(${turn} 160 330)`} class={suit === '♥' ? 'hero-card hero-card-red' : 'hero-card'}>
        <rect x="117" y="30" width="86" height="124" rx="9" />
        <text x="126" y="55" class="hero-rank">
          {rank}
        </text>
        <text x="126" y="77" class="hero-suit">
          {suit}
        </text>
        <text x="160" y="118" class="hero-pip">
          {suit}
        </text>
      </g>
    ))}
  </svg>
)

export const Hero = () => (
  <header class="hero">
    <div class="hero-inside">
      <div>
        <h1>{t('front.site')}</h1>
        <p>{t('front.hero')}</p>
      </div>
      <Fan />
    </div>
  </header>
)
