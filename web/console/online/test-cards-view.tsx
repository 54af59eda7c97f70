// web/console/online/test-cards-view.tsx — the test cards for online payments, ready to be copied.
import { useEffect, useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { CopyButton } from '../parts/copying.tsx'
import { Table } from '../parts/table.tsx'
import { outcomeOf } from './payment.ts'

interface TestCard {
  readonly number: string
  readonly scheme: string
  /** Null: any future month. */
  readonly expiry: string | null
  readonly securityCode: string
  /** Null: any name. */
  readonly holder: string | null
  /** Status of a payment with this card. */
  readonly expected: number
  /** 3-D Secure: no, frictionless 2.0, 2.0, 1.0 or yes. */
  readonly mode: string
  /** For the page of the bank; null: none. */
  readonly password: string | null
}

export function TestCardsView({ gateway }: { readonly gateway: Gateway }) {
  const [cards, setCards] = useState<readonly TestCard[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    void gateway.get<{ readonly cards: readonly TestCard[] }>('/sandbox/online/cards').then(answered => {
      if (answered.ok) setCards(answered.body.cards)
      setProblem(answered.ok ? null : answered.sentence)
    })
  }, [gateway])
  return (
    <>
      <p class="lead">
        Use these in the <a href="/demo">demo shop</a> or in your own page; press a number to copy it. Any other card,
        and a wrong security code, is declined.
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      <Table
        name="Test cards"
        columns={['Number', 'Scheme', 'Expires', 'Security code', 'Name', 'Outcome', '3-D Secure']}
      >
        {cards.map((card, index) => (
          <tr key={index}>
            <td>
              <CopyButton text={() => card.number}>
                <span class="unseen">Copy </span>
                {card.number.replace(/(\d{4})(?=\d)/g, '$1 ')}
              </CopyButton>
            </td>
            <td>{card.scheme}</td>
            <td>{card.expiry ?? 'any future month'}</td>
            <td>{card.securityCode}</td>
            <td>{card.holder ?? 'any'}</td>
            <td>
              <span class={outcomeOf({ statusCode: card.expected, token: 'used' }).tone}>
                {outcomeOf({ statusCode: card.expected, token: 'used' }).name}
              </span>
            </td>
            <td>
              {card.mode}
              {card.password !== null && `, code ${card.password}`}
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}
