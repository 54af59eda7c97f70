// web/console/online/payment-page.tsx — one online payment: verdict, references, timeline and webhooks.
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ClosePayment } from '../actions/close-payment.tsx'
import { PaymentActions } from '../actions/payment-actions.tsx'
import { type Gateway, mayDo } from '../gateway.ts'
import { inWords } from '../money.ts'
import { Timeline, type TimelineEntry } from '../parts/timeline.tsx'
import { addressOfPayment, cardOf, isClosable, leftOfPayment, outcomeOf, type Payment, verdictOf } from './payment.ts'
import { Deliveries, type Delivery } from './webhook-delivery.tsx'

interface InFull {
  readonly payment: Payment
  readonly entries: readonly TimelineEntry[]
  readonly deliveries: readonly Delivery[]
}

/** How often a payment is read again, in milliseconds. Later refunds and webhooks change also one that has ended. */
const AGAIN_MS = 1_500
const UNKNOWN = 'Neither a transaction nor an online payment of this account has this id.'

export function PaymentPage({ gateway, id }: { readonly gateway: Gateway; readonly id: string }) {
  const { inFull, problem } = usePayment(gateway, id)
  return (
    <>
      <p>
        <a href="#/online">All payments</a>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {inFull === null ? <h1>Payment</h1> : <PaymentInFull gateway={gateway} {...inFull} />}
    </>
  )
}

function usePayment(gateway: Gateway, id: string) {
  const [inFull, setInFull] = useState<InFull | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const path = `/api/payments/${encodeURIComponent(id)}`
    const read = async (): Promise<boolean> => {
      const [payment, timeline, webhooks] = await Promise.all([
        gateway.get<Payment>(path, { signal }),
        gateway.get<{ readonly entries: readonly TimelineEntry[] }>(`${path}/timeline`, { signal }),
        gateway.get<{ readonly deliveries: readonly Delivery[] }>(`/api/webhooks?subject=${encodeURIComponent(id)}`, {
          signal,
        }),
      ])
      if (signal.aborted) return false
      setProblem(payment.ok ? null : payment.status === 404 ? UNKNOWN : payment.sentence)
      if (payment.ok)
        setInFull(before => ({
          payment: payment.body,
          entries: timeline.ok ? timeline.body.entries : (before?.entries ?? []),
          deliveries: webhooks.ok ? webhooks.body.deliveries : (before?.deliveries ?? []),
        }))
      return payment.ok || payment.status !== 404
    }
    const readAgain = async () => {
      while (document.hidden || (await read())) await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    }
    void readAgain().catch(() => {})
    return () => ended.abort()
  }, [gateway, id])
  return { inFull, problem }
}

function PaymentInFull({ gateway, payment, entries, deliveries }: InFull & { readonly gateway: Gateway }) {
  const [isClosing, setClosing] = useState(false)
  const outcome = outcomeOf(payment)
  const { transactionType, amountMinor, currency, message } = payment
  return (
    <>
      <h1>
        {transactionType} of {inWords(amountMinor, currency)}
      </h1>
      <p role="status" class={`newest ${outcome.tone}`}>
        {outcome.name}
        {message !== '' && message !== outcome.name && `: ${message}`}
      </p>
      <p class="lead">{verdictOf(payment)}</p>
      {mayDo(gateway.credentials, 'operate') && <PaymentActions gateway={gateway} payment={payment} />}
      {isClosable(payment) && mayDo(gateway.credentials, 'own') && (
        <p class="actions">
          <button type="button" onClick={() => setClosing(true)}>
            Close it…
          </button>
        </p>
      )}
      {isClosing && <ClosePayment gateway={gateway} payment={payment} onClose={() => setClosing(false)} />}
      <h2>References</h2>
      <References payment={payment} />
      <Left payment={payment} />
      <h2 class="after">What happened</h2>
      <Timeline entries={entries} />
      <h2 class="after">Webhooks</h2>
      {deliveries.length === 0 ? (
        <p class="quiet">None: it has not ended yet, or its access token has no webHookUrl.</p>
      ) : (
        <Deliveries gateway={gateway} deliveries={deliveries} />
      )}
    </>
  )
}

function References({ payment }: { readonly payment: Payment }) {
  const { id, orderId, merchantTransactionId, crossReference, authCode, reason, declineReason, submittedBy } = payment
  const { token, authentication, money, closure, createdAt, submittedAt, finishedAt } = payment
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Order', orderId],
    ['Merchant transaction', merchantTransactionId],
    ['Card', payment.card === null ? null : `${cardOf(payment)} (${payment.card.number})`],
    ['Paid by', submittedBy],
    ['Cross reference', crossReference],
    ['Authorisation code', authCode],
    ['Reason', reason],
    ['Decline reason', declineReason],
    ['Closed by', closure === null ? null : `${closure.operator}: ${closure.reason}`],
    ['Access token', token],
    ['Authentication', authentication],
    ['Money at the acquirer', money],
    ['Token made', timeIn(createdAt)],
    ['Paid', timeIn(submittedAt)],
    ['Ended', timeIn(finishedAt)],
    ['Id', id],
  ]
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

/** Later payments on this one, and what is left of it. */
function Left({ payment }: { readonly payment: Payment }) {
  const { operations, currency } = payment
  const left = leftOfPayment(payment)
  if (left === 0 && operations.length === 0) return null
  return (
    <>
      <h2 class="after">Since then</h2>
      <dl class="sums">
        {operations.map(each => (
          <Fragment key={each.payment}>
            <dt>
              <a href={addressOfPayment(each.payment)}>
                {each.transactionType} of {inWords(each.amountMinor, currency)}
              </a>
              , {each.state}
            </dt>
            <dd>{inWords(each.amountMinor, currency)}</dd>
          </Fragment>
        ))}
        <dt>Left</dt>
        <dd>
          <strong>{inWords(left, currency)}</strong>
        </dd>
      </dl>
    </>
  )
}

function timeIn(at: string | null): string | null {
  return at === null ? null : new Date(at).toLocaleString()
}
