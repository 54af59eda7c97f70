// web/console/online/online-page.tsx — online payments, their webhooks, and the test cards to pay with.
import type { Gateway } from '../gateway.ts'
import { Within } from '../parts/within.tsx'
import './online.css'
import { PaymentPage } from './payment-page.tsx'
import { PaymentsView } from './payments-view.tsx'
import { TestCardsView } from './test-cards-view.tsx'
import { WebhooksView } from './webhooks-view.tsx'

const VIEWS = [
  { id: null, name: 'Payments' },
  { id: 'webhooks', name: 'Webhooks' },
  { id: 'cards', name: 'Test cards' },
] as const

/** @param id a view, or a payment */
export function OnlinePage({ gateway, id }: { readonly gateway: Gateway; readonly id: string | null }) {
  const { isSandbox } = gateway
  const views = VIEWS.filter(view => isSandbox || view.id !== 'cards')
  if (!views.some(view => view.id === id) && id !== null) return <PaymentPage key={id} gateway={gateway} id={id} />
  return (
    <>
      <h1>Online</h1>
      <p class="lead">Payments on web pages. {isSandbox && <a href="/demo">Make one in the demo shop.</a>}</p>
      <Within page="online" views={views} id={id} />
      {id === null && <PaymentsView gateway={gateway} />}
      {id === 'webhooks' && <WebhooksView gateway={gateway} />}
      {id === 'cards' && <TestCardsView gateway={gateway} />}
    </>
  )
}
