// web/console/transactions/payment-page.tsx — one online payment: verdict, what is left of it, timeline; an operator may close it.
import { useEffect, useState } from 'preact/hooks'
import { ClosePayment } from '../actions/close-payment.tsx'
import { type Gateway, mayDo } from '../gateway.ts'
import { inWords } from '../money.ts'
import { Timeline, type TimelineEntry } from '../parts/timeline.tsx'
import { classOf, isClosable, leftOfPayment, type OnlinePayment, paymentInWords, statusInWords } from './payment.ts'

/** How often a payment that is not over is read again, in milliseconds. */
const AGAIN_MS = 1_000
const UNKNOWN = 'Neither a transaction nor an online payment of this account has this id.'

export function PaymentPage({ gateway, id }: { readonly gateway: Gateway; readonly id: string }) {
  const [payment, setPayment] = useState<OnlinePayment | null>(null)
  const [entries, setEntries] = useState<readonly TimelineEntry[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [isClosing, setClosing] = useState(false)

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const path = `/api/payments/${encodeURIComponent(id)}`
    const read = async () => {
      for (;;) {
        const [full, timeline] = await Promise.all([
          gateway.get<OnlinePayment>(path, { signal }),
          gateway.get<{ readonly entries: readonly TimelineEntry[] }>(`${path}/timeline`, { signal }),
        ])
        if (signal.aborted) return
        if (full.ok) setPayment(full.body)
        if (timeline.ok) setEntries(timeline.body.entries)
        setProblem(full.ok ? null : full.status === 404 ? UNKNOWN : full.sentence)
        if ((full.ok && full.body.verdict.final) || (!full.ok && full.status === 404)) return
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    void read().catch(() => {})
    return () => ended.abort()
  }, [gateway, id])

  return (
    <>
      <p role="alert" class="bad">
        {problem}
      </p>
      {payment === null ? (
        <h1>Online payment</h1>
      ) : (
        <>
          <h1>
            Online {payment.transactionType} of {inWords(payment.amountMinor, payment.currency)}
          </h1>
          <p role="status" class={`newest ${classOf(payment)}`}>
            {statusInWords(payment)}
          </p>
          <p class="lead">{paymentInWords(payment)}</p>
          {isClosable(payment) && mayDo(gateway.credentials, 'own') && (
            <p class="actions">
              <button type="button" onClick={() => setClosing(true)}>
                Close it…
              </button>
            </p>
          )}
          {isClosing && <ClosePayment gateway={gateway} payment={payment} onClose={() => setClosing(false)} />}
          <Facts payment={payment} />
          <Left payment={payment} />
          <h2>What happened</h2>
          <Timeline entries={entries} />
        </>
      )}
    </>
  )
}

function Facts({ payment }: { readonly payment: OnlinePayment }) {
  const { orderId, card, crossReference, authCode, message, closure } = payment
  const facts = Object.entries({
    Order: orderId,
    Card: card === null ? '' : `${card.scheme} ${card.number}`,
    'Cross reference': crossReference,
    'Authorisation code': authCode,
    Message: message,
    'Closed by': closure === null ? '' : `${closure.operator}: ${closure.reason}`,
  }).filter(([, value]) => value !== '')
  return (
    <dl class="sums">
      {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
    </dl>
  )
}

/** Refunds, collections and voids need the JWT of the shop's server, which the console does not have. */
function Left({ payment }: { readonly payment: OnlinePayment }) {
  const { operations, currency, transactionType } = payment
  const left = leftOfPayment(payment)
  if (left === 0 && operations.length === 0) return null
  return (
    <>
      <h2>Since then</h2>
      <dl class="sums">
        {operations.map(each => [
          <dt key={each.payment}>
            {each.transactionType}, {each.state}
          </dt>,
          <dd key={`${each.payment} is`}>{inWords(each.amountMinor, currency)}</dd>,
        ])}
        <dt>Left</dt>
        <dd>
          <strong>{inWords(left, currency)}</strong>
        </dd>
      </dl>
      {left > 0 && (
        <p>
          {transactionType === 'PREAUTH'
            ? 'Your shop’s server collects or voids it'
            : 'Your shop’s server refunds or voids it'}{' '}
          with its JWT: <a href="/docs/guides/online-payments#refund-and-void">see how</a>.
        </p>
      )}
    </>
  )
}
