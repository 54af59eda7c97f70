// web/console/actions/close-payment.tsx — resolves a payment whose acquirer or terminal does not answer, for somebody who knows.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import type { Payment } from '../online/payment.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSending } from '../parts/sending.ts'
import type { TransactionInFull } from '../transactions/in-full.ts'

type Outcome = 'taken' | 'not_taken'

interface Closing {
  readonly gateway: Gateway
  readonly onClose: () => void
}

/** An online payment, for somebody who has asked the acquirer. */
export function ClosePayment({ payment, ...closing }: Closing & { readonly payment: Payment }) {
  const { id, transactionType, amountMinor, currency } = payment
  const it = `The ${transactionType} of ${inWords(amountMinor, currency)}`
  return (
    <CloseDialog
      {...closing}
      title="Close this payment"
      path={`/api/payments/${encodeURIComponent(id)}/close`}
      condition="Only for somebody who has asked the acquirer by other means. The payment keeps your name and reason, and a later answer of the acquirer. It can be closed once; a second time is refused."
      asked="What the acquirer says"
      taken="It was executed"
      notTaken="It was not executed"
      happens={{
        taken: `${it} ends as successful (status 0), and webhooks tell the shop.`,
        not_taken: `${it} ends as failed (status 30), webhooks tell the shop, and the gateway reverses it at the acquirer where that is possible.`,
      }}
    />
  )
}

/** A transaction whose outcome only its terminal knows, for somebody who has looked there. */
export function CloseTransaction({ transaction, ...closing }: Closing & { readonly transaction: TransactionInFull }) {
  const { requestId, transactionType, amountMinor, currency, tid } = transaction
  const it = `The ${transactionType} of ${inWords(amountMinor, currency)}`
  return (
    <CloseDialog
      {...closing}
      title="Close this transaction"
      path={`/api/transactions/${requestId}/close`}
      condition={`Only for somebody who has looked at terminal ${tid} or asked its acquirer. The transaction keeps your name and reason, and what the terminal reports later. It can be closed once; a second time is refused.`}
      asked="What you have found"
      taken="The money was taken"
      notTaken="The money was not taken"
      happens={{
        taken: `${it} counts as taken. The till goes on to read TIMED_OUT; the table that it paid for, if any, has its share paid.`,
        not_taken: `${it} counts as not taken: another try is safe, and the table that it was for, if any, has its share open again.`,
      }}
    />
  )
}

interface CloseDialogProps extends Closing {
  readonly title: string
  readonly path: string
  readonly condition: string
  readonly asked: string
  readonly taken: string
  readonly notTaken: string
  readonly happens: Readonly<Record<Outcome, string>>
}

function CloseDialog({ gateway, onClose, title, path, condition, asked, taken, notTaken, happens }: CloseDialogProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [operator, setOperator] = useState('')
  const [reason, setReason] = useState('')
  const [authCode, setAuthCode] = useState('')
  const { problem, isBusy, send } = useSending(async () => {
    const code = outcome === 'taken' && authCode.trim() !== '' ? { authCode: authCode.trim() } : {}
    const body = { outcome, operator: operator.trim(), reason: reason.trim(), ...code }
    const answered = await gateway.send('POST', path, body)
    if (!answered.ok) return answered.sentence
    onClose()
    return null
  })
  const isReady = outcome !== null && operator.trim() !== '' && reason.trim() !== '' && !isBusy
  return (
    <Dialog
      title={title}
      doIt="Close it"
      isReady={isReady}
      problem={problem}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>{condition}</p>
      <fieldset class="choice">
        <legend>{asked}</legend>
        <Choice of="taken" words={taken} chosen={outcome} choose={setOutcome} />
        <Choice of="not_taken" words={notTaken} chosen={outcome} choose={setOutcome} />
      </fieldset>
      <div class="fields">
        {outcome === 'taken' && (
          <label>
            Authorisation code, if known
            <input value={authCode} maxLength={8} onInput={event => setAuthCode(event.currentTarget.value)} />
          </label>
        )}
        <label>
          Your name
          <input value={operator} maxLength={100} onInput={event => setOperator(event.currentTarget.value)} />
        </label>
        <label>
          How you know
          <input value={reason} maxLength={255} onInput={event => setReason(event.currentTarget.value)} />
        </label>
      </div>
      <p>{outcome === null ? 'Choose one to read what will happen.' : happens[outcome]}</p>
    </Dialog>
  )
}

function Choice({
  of,
  words,
  chosen,
  choose,
}: {
  readonly of: Outcome
  readonly words: string
  readonly chosen: Outcome | null
  readonly choose: (outcome: Outcome) => void
}) {
  return (
    <label class="check">
      <input type="radio" name="outcome" checked={chosen === of} onChange={() => choose(of)} />
      {words}
    </label>
  )
}
