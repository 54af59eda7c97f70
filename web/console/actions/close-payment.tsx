// web/console/actions/close-payment.tsx — resolves an online payment whose acquirer does not answer, for somebody who has asked it.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import type { Payment } from '../online/payment.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSending } from '../parts/sending.ts'

type Outcome = 'taken' | 'not_taken'

export interface ClosePaymentProps {
  readonly gateway: Gateway
  readonly payment: Payment
  readonly onClose: () => void
}

export function ClosePayment({ gateway, payment, onClose }: ClosePaymentProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [operator, setOperator] = useState('')
  const [reason, setReason] = useState('')
  const [authCode, setAuthCode] = useState('')
  const { problem, isBusy, send } = useSending(async () => {
    const code = outcome === 'taken' && authCode.trim() !== '' ? { authCode: authCode.trim() } : {}
    const body = { outcome, operator: operator.trim(), reason: reason.trim(), ...code }
    const answered = await gateway.send('POST', `/api/payments/${encodeURIComponent(payment.id)}/close`, body)
    if (!answered.ok) return answered.sentence
    onClose()
    return null
  })
  const isReady = outcome !== null && operator.trim() !== '' && reason.trim() !== '' && !isBusy
  return (
    <Dialog
      title="Close this payment"
      doIt="Close it"
      isReady={isReady}
      problem={problem}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>
        Only for somebody who has asked the acquirer by other means. The payment keeps your name and reason, and a later
        answer of the acquirer. It can be closed once; a second time is refused.
      </p>
      <fieldset class="choice">
        <legend>What the acquirer says</legend>
        <Choice of="taken" words="It was executed" chosen={outcome} choose={setOutcome} />
        <Choice of="not_taken" words="It was not executed" chosen={outcome} choose={setOutcome} />
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
      <p>{happens(outcome, payment)}</p>
    </Dialog>
  )
}

function happens(outcome: Outcome | null, { transactionType, amountMinor, currency }: Payment): string {
  const it = `The ${transactionType} of ${inWords(amountMinor, currency)}`
  if (outcome === 'taken') return `${it} ends as successful (status 0), and webhooks tell the shop.`
  if (outcome === 'not_taken')
    return `${it} ends as failed (status 30), webhooks tell the shop, and the gateway reverses it at the acquirer where that is possible.`
  return 'Choose what the acquirer says to read what will happen.'
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
