// web/console/actions/payment-actions.tsx — refunds, collects or voids an online payment, after a question that says what will happen.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { decimalsOf, inWords, minorOf } from '../money.ts'
import {
  addressOfPayment,
  leftOfPayment,
  operationsOn,
  type Payment,
  type PaymentOperation,
} from '../online/payment.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSending } from '../parts/sending.ts'
import { useKeys } from './once.ts'

const WORDS: Readonly<Record<PaymentOperation, string>> = { REFUND: 'Refund', COLLECTION: 'Collect', VOID: 'Void' }

export interface PaymentActionsProps {
  readonly gateway: Gateway
  readonly payment: Payment
}

export function PaymentActions({ gateway, payment }: PaymentActionsProps) {
  const [asked, setAsked] = useState<PaymentOperation | null>(null)
  const operations = operationsOn(payment)
  return (
    <>
      {operations.length > 0 && (
        <p class="actions">
          {operations.map(each => (
            <button key={each} type="button" onClick={() => setAsked(each)}>
              {WORDS[each]}…
            </button>
          ))}
        </p>
      )}
      {asked !== null && (
        <OperationDialog gateway={gateway} payment={payment} operation={asked} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

interface OperationDialogProps extends PaymentActionsProps {
  readonly operation: PaymentOperation
  readonly onClose: () => void
}

function OperationDialog({ gateway, payment, operation, onClose }: OperationDialogProps) {
  const { id, currency, amountMinor, transactionType } = payment
  const [left] = useState(() => leftOfPayment(payment))
  const [typed, setTyped] = useState((left / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency)))
  const idFor = useKeys()
  const isVoid = operation === 'VOID'
  const minor = isVoid ? amountMinor : minorOf(typed, currency)
  const isAmount = isVoid || (minor !== null && minor > 0 && minor <= left)
  const words = minor !== null && isAmount ? inWords(minor, currency) : ''
  const body = { transactionType: operation, ...(isVoid ? {} : { amountMinor: minor ?? 0 }) }
  const { problem, isBusy, send } = useSending(async () => {
    const path = `/api/payments/${encodeURIComponent(id)}/operations`
    const answered = await gateway.send<Payment>('POST', path, { ...body, merchantTransactionId: idFor(body) })
    if (answered.ok) location.hash = addressOfPayment(answered.body.id)
    return answered.ok ? null : answered.sentence
  })
  return (
    <Dialog
      title={`${WORDS[operation]} this ${transactionType}`}
      doIt={`${WORDS[operation]} ${words}`.trim()}
      isReady={isAmount && !isBusy}
      problem={problem}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {!isVoid && (
        <>
          <dl class="sums">
            <dt>Left</dt>
            <dd>
              <strong>{inWords(left, currency)}</strong>
            </dd>
          </dl>
          <div class="start">
            <label>
              Amount in {currency}
              <input
                inputMode="decimal"
                value={typed}
                aria-invalid={!isAmount}
                onInput={event => setTyped(event.currentTarget.value)}
              />
            </label>
          </div>
          {!isAmount && <p class="bad">Type an amount, at most the {inWords(left, currency)} that are left.</p>}
        </>
      )}
      <p>{whatHappens(operation, payment, words)}</p>
      <p class="quiet fine">
        Pressing again after a lost answer does nothing twice: the request bears the <code>merchantTransactionId</code>{' '}
        <code>{idFor(body)}</code>.
      </p>
    </Dialog>
  )
}

function whatHappens(operation: PaymentOperation, { transactionType }: Payment, words: string): string {
  if (words === '') return ''
  switch (operation) {
    case 'REFUND':
      return `${words} go back to the card that paid.`
    case 'COLLECTION':
      return `${words} are taken from the card. This can be done once: the rest of what is held lapses.`
    case 'VOID':
      return transactionType === 'PREAUTH'
        ? `The ${words} that are held on the card are released, and nothing can be collected any more.`
        : `The whole payment of ${words} is undone before it is settled, as if it had not been.`
  }
}
