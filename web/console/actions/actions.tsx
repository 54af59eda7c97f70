// web/console/actions/actions.tsx — buttons for what can be done with a transaction, each with a question before.
import { useState } from 'preact/hooks'
import type { Answered, Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useSending } from '../parts/sending.ts'
import type { TransactionInFull } from '../transactions/in-full.ts'
import { type Action, actionsOn } from './available.ts'
import { CloseTransaction } from './close-payment.tsx'
import { MoneyDialog } from './money-dialog.tsx'
import { useStartOnce } from './once.ts'

const WORDS: Readonly<Record<Action, string>> = {
  cancel: 'Cancel it',
  accept_signature: 'The signature matches',
  refuse_signature: 'The signature does not match',
  refund: 'Refund',
  complete: 'Complete',
  repeat: 'Ask the terminal for its last result',
  close: 'Close it',
}

export interface ActionsProps {
  readonly gateway: Gateway
  readonly transaction: TransactionInFull
}

export function Actions({ gateway, transaction }: ActionsProps) {
  const [asked, setAsked] = useState<Action | null>(null)
  const actions = actionsOn(transaction)
  const close = () => setAsked(null)
  return (
    <>
      {actions.length > 0 && (
        <p class="actions">
          {actions.map(action => (
            <button key={action} type="button" onClick={() => setAsked(action)}>
              {WORDS[action]}…
            </button>
          ))}
        </p>
      )}
      {(asked === 'refund' || asked === 'complete') && (
        <MoneyDialog gateway={gateway} transaction={transaction} onClose={close} />
      )}
      {asked === 'close' && <CloseTransaction gateway={gateway} transaction={transaction} onClose={close} />}
      {asked === 'repeat' && <RepeatDialog gateway={gateway} transaction={transaction} onClose={close} />}
      {(asked === 'cancel' || asked === 'accept_signature' || asked === 'refuse_signature') && (
        <RequestDialog gateway={gateway} transaction={transaction} action={asked} onClose={close} />
      )}
    </>
  )
}

/** Cancel and signature: requests about the running transaction. */
function RequestDialog({
  gateway,
  transaction,
  action,
  onClose,
}: ActionsProps & {
  readonly action: 'cancel' | 'accept_signature' | 'refuse_signature'
  readonly onClose: () => void
}) {
  const { tid, requestId, amountMinor, currency } = transaction
  const address = `/pac/terminals/${encodeURIComponent(tid)}/transactions/${requestId}`
  const { problem, isBusy, send } = useSending(async () => {
    const answered: Answered<unknown> = await (action === 'cancel'
      ? gateway.send('DELETE', address)
      : gateway.send('PUT', `${address}/signature`, { accepted: action === 'accept_signature' }))
    if (!answered.ok) return answered.sentence
    onClose()
    return null
  })
  const amount = inWords(amountMinor, currency)
  const happens = {
    cancel: `The gateway asks terminal ${tid} to stop the transaction of ${amount}. When the card was approved before the request arrives, the transaction goes on; its end says which of the two was first.`,
    accept_signature: `The transaction of ${amount} is completed, and the money is taken.`,
    refuse_signature: `The transaction of ${amount} is reversed: no money is taken.`,
  }[action]
  return (
    <Dialog
      title={WORDS[action]}
      doIt={action === 'cancel' ? 'Request the cancel' : WORDS[action]}
      isReady={!isBusy}
      problem={problem}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>{happens}</p>
    </Dialog>
  )
}

/** A DUPLICATE: only the terminal can say how its last transaction ended. */
function RepeatDialog({ gateway, transaction, onClose }: ActionsProps & { readonly onClose: () => void }) {
  const once = useStartOnce(gateway)
  const { tid, currency } = transaction
  const body = { transactionType: 'DUPLICATE', currency }
  return (
    <Dialog
      title={WORDS.repeat}
      doIt="Ask the terminal"
      isReady={!once.isStarting}
      problem={once.problem}
      onConfirm={() => void once.start(tid, body)}
      onClose={onClose}
    >
      <p>
        Terminal {tid} repeats the result of its last transaction, in a new transaction of the type DUPLICATE. No card
        is asked for and no money moves. Compare amount and time with this one: the terminal may have done something
        else since.
      </p>
      <p class="quiet fine">
        Pressing again after a lost answer starts nothing twice: the request bears the <code>Idempotency-Key</code>{' '}
        <code>{once.keyOf(tid, body)}</code>.
      </p>
    </Dialog>
  )
}
