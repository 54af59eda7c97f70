// web/console/counter/cards.tsx — the test cards: choose one, then tap, insert, swipe or key it in.
import { useEffect, useState } from 'preact/hooks'
import type { Caller } from '../gateway.ts'
import type { PressedTerminal } from './terminal-screen.ts'

type How = 'tap' | 'insert' | 'swipe' | 'keyed'

interface Card {
  readonly card: string
  readonly name: string
  readonly scheme: string
  readonly maskedNumber: string
  readonly how: readonly How[]
  /** Empty when it has none. */
  readonly pin: string
  /** What its issuer does. */
  readonly answer: string
}

const WORDS: Readonly<Record<How, string>> = { tap: 'Tap', insert: 'Insert', swipe: 'Swipe', keyed: 'Key in' }

export interface CardsProps {
  readonly gateway: Caller
  /** Keys of the terminal that have an effect now. */
  readonly keys: readonly string[]
  readonly press: PressedTerminal['press']
}

export function Cards({ gateway, keys, press }: CardsProps) {
  const [cards, setCards] = useState<readonly Card[]>([])
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    void gateway.get<{ readonly cards: readonly Card[] }>('/sandbox/cards').then(answered => {
      if (answered.ok) setCards(answered.body.cards)
    })
  }, [gateway])
  const card = cards[chosen]
  if (card === undefined) return null
  const isAsked = keys.includes('present_card')
  return (
    <fieldset class={isAsked ? 'cards' : 'cards idle'}>
      <legend>Test cards</legend>
      <div class="wallet">
        {cards.map((each, index) => (
          <label key={each.card} class={`card ${each.scheme.toLowerCase()}`}>
            <input type="radio" name="card" checked={index === chosen} onChange={() => setChosen(index)} />
            <span class="name">{each.name}</span>
            <span class="number">•••• {each.maskedNumber.slice(-4)}</span>
            <span class="quiet">
              {each.answer}
              {each.pin !== '' && `, PIN ${each.pin}`}
            </span>
          </label>
        ))}
      </div>
      <p class="ways">
        {card.how.map(how => (
          <button
            key={how}
            type="button"
            class="main"
            disabled={!isAsked}
            onClick={() => void press({ key: 'present_card', card: card.card, how })}
          >
            {WORDS[how]}
            <span class="unseen"> {card.name}</span>
          </button>
        ))}
        {!isAsked && <span class="quiet">The terminal asks for no card now.</span>}
      </p>
    </fieldset>
  )
}
