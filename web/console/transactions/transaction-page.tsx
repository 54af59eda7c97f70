// web/console/transactions/transaction-page.tsx — one transaction: verdict, timeline between all parties, receipts.
import { useEffect, useState } from 'preact/hooks'
import { Actions } from '../actions/actions.tsx'
import { type Gateway, mayDo } from '../gateway.ts'
import { inWords } from '../money.ts'
import { addressOfPayment } from '../online/payment.ts'
import { Receipts } from '../parts/receipt.tsx'
import { Timeline, type TimelineEntry } from '../parts/timeline.tsx'
import { addressOfTerminal } from '../places.ts'
import type { TransactionInFull } from './in-full.ts'
import { outcomeInWords, verdictInWords } from './verdict.ts'

/** How often a running transaction is read again, in milliseconds. */
const AGAIN_MS = 1_000

export function TransactionPage({ gateway, id }: { readonly gateway: Gateway; readonly id: string }) {
  const [transaction, setTransaction] = useState<TransactionInFull | null>(null)
  const [entries, setEntries] = useState<readonly TimelineEntry[]>([])
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const path = `/api/transactions/${encodeURIComponent(id)}`
    const read = async () => {
      for (;;) {
        const [full, timeline] = await Promise.all([
          gateway.get<TransactionInFull>(path, { signal }),
          gateway.get<{ readonly entries: readonly TimelineEntry[] }>(`${path}/timeline`, { signal }),
        ])
        if (signal.aborted) return
        // Both kinds are searched together, and an id does not say of which it is.
        if (!full.ok && full.status === 404) return location.replace(addressOfPayment(id))
        if (full.ok) setTransaction(full.body)
        if (timeline.ok) setEntries(timeline.body.entries)
        setProblem(full.ok ? null : full.sentence)
        if (full.ok && full.body.verdict.final) return
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    void read().catch(() => {})
    return () => ended.abort()
  }, [gateway, id])

  return (
    <>
      <p>
        <a href="#/transactions">All transactions</a>
      </p>
      <p role="alert" class="bad">
        {problem}
      </p>
      {transaction === null && <h1>Transaction</h1>}
      {transaction !== null && (
        <>
          <h1>
            {transaction.transactionType} of {inWords(transaction.amountMinor, transaction.currency)}
          </h1>
          <p role="status" class={`newest ${(transaction.result ?? 'running').toLowerCase()}`}>
            {outcomeInWords(transaction)}
          </p>
          <p class="lead">{verdictInWords(transaction)}</p>
          {/* They are requests of a till, which a session may not make. */}
          {gateway.hasTill && <Actions gateway={gateway} transaction={transaction} />}
          {!gateway.hasTill && mayDo(gateway.credentials, 'operate') && (
            <p class="quiet">
              To refund, complete or cancel it, first use the till in this browser, at the{' '}
              <a href="#/counter">counter</a>.
            </p>
          )}
          <p class="quiet">
            Terminal{' '}
            {mayDo(gateway.credentials, 'operate') ? (
              <a href={addressOfTerminal(transaction.tid)}>{transaction.tid}</a>
            ) : (
              transaction.tid
            )}
            , <code>{transaction.requestId}</code>
          </p>
          <h2>What happened</h2>
          <Timeline entries={entries} />
          <Receipts of={transaction.connect.receiptLines} />
        </>
      )}
    </>
  )
}
