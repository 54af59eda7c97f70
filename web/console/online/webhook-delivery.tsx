// web/console/online/webhook-delivery.tsx — a webhook: a line in a list, its attempts, and sending it again.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import type { Listing } from '../parts/live-pages.ts'
import { Table } from '../parts/table.tsx'
import { shortTime } from '../parts/time.ts'
import { addressOfPayment } from './payment.ts'

/** A delivery, as `/api/webhooks` has it. */
export interface Delivery {
  readonly deliveryId: string
  readonly url: string
  /** Id of its payment. */
  readonly subject: string
  readonly orderId: string
  readonly progress: Progress
  /** Fault that was armed for it; null for none. */
  readonly drill: string | null
  readonly createdAt: string
  readonly tries: number
  readonly nextTryAt: string | null
  /** The latest, oldest first. */
  readonly attempts: readonly Attempt[]
}

interface Attempt {
  readonly number: number
  readonly startedAt: string
  readonly tookMs: number
  /** Null: no answer. */
  readonly status: number | null
  readonly reason: string
}

export type Progress = 'held' | 'queued' | 'sending' | 'waiting' | 'delivered' | 'given_up'

export const PROGRESS: Readonly<Record<Progress, { readonly name: string; readonly tone: 'good' | 'bad' | 'quiet' }>> =
  {
    held: { name: 'Behind an earlier one', tone: 'quiet' },
    queued: { name: 'Queued', tone: 'quiet' },
    sending: { name: 'Being sent', tone: 'quiet' },
    waiting: { name: 'Waiting for the next try', tone: 'bad' },
    delivered: { name: 'Delivered', tone: 'good' },
    given_up: { name: 'Given up', tone: 'bad' },
  }

export const DELIVERIES: Listing<Delivery> = {
  path: '/api/webhooks',
  field: 'deliveries',
  kind: 'webhook-delivery',
  idOf: ({ deliveryId }) => deliveryId,
}

export interface DeliveriesProps {
  readonly gateway: Gateway
  readonly deliveries: readonly Delivery[]
}

export function Deliveries({ gateway, deliveries }: DeliveriesProps) {
  return (
    <ol class="rows webhooks" aria-label="Webhooks, newest first">
      {deliveries.map(delivery => (
        <li key={delivery.deliveryId}>
          <details>
            <summary>
              <time dateTime={delivery.createdAt} title={new Date(delivery.createdAt).toLocaleString()}>
                {shortTime(delivery.createdAt, Date.now())}
              </time>
              <span>Order {delivery.orderId}</span>
              <span class={PROGRESS[delivery.progress].tone}>{PROGRESS[delivery.progress].name}</span>
              <span class="quiet">{delivery.tries === 1 ? '1 try' : `${delivery.tries} tries`}</span>
            </summary>
            <Inside gateway={gateway} delivery={delivery} />
          </details>
        </li>
      ))}
    </ol>
  )
}

function Inside({ gateway, delivery }: { readonly gateway: Gateway; readonly delivery: Delivery }) {
  const { deliveryId, url, subject, drill, nextTryAt, attempts, progress } = delivery
  const [said, setSaid] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null)
  const resend = async () => {
    const answered = await gateway.send('POST', `/api/webhooks/${encodeURIComponent(deliveryId)}/resend`)
    setSaid(answered.ok ? { text: 'It is being sent.', isBad: false } : { text: answered.sentence, isBad: true })
  }
  const isOver = progress === 'delivered' || progress === 'given_up'
  return (
    <div class="inside">
      <dl class="facts">
        <dt>To</dt>
        <dd>{url}</dd>
        <dt>webhook-id</dt>
        <dd>
          <code>{deliveryId}</code>
        </dd>
        <dt>Payment</dt>
        <dd>
          <a href={addressOfPayment(subject)}>What happened in this payment</a>
        </dd>
        {drill !== null && (
          <>
            <dt>Fault</dt>
            <dd>{drill}</dd>
          </>
        )}
        {nextTryAt !== null && (
          <>
            <dt>Next try</dt>
            <dd>{new Date(nextTryAt).toLocaleString()}</dd>
          </>
        )}
      </dl>
      <Attempts attempts={attempts} />
      <p class="actions">
        <button type="button" disabled={!isOver} onClick={() => void resend()}>
          Send again
        </button>
        {!isOver && <span class="quiet">It can be sent again when it is delivered or given up.</span>}
        <span role="status" class={said?.isBad ? 'bad' : 'good'}>
          {said?.text}
        </span>
      </p>
    </div>
  )
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p class="quiet">It was not tried yet.</p>
  return (
    <Table name="Attempts" columns={['Try', 'Started', 'Answer', { amount: 'Took' }]}>
      {attempts.map(({ number, startedAt, tookMs, status, reason }) => (
        <tr key={number}>
          <td>{number}</td>
          <td>
            <time dateTime={startedAt}>{new Date(startedAt).toLocaleString()}</time>
          </td>
          <td class={status === 200 || status === 201 ? 'good' : 'bad'}>{status ?? `none: ${reason}`}</td>
          <td class="amount">{tookMs} ms</td>
        </tr>
      ))}
    </Table>
  )
}
