// web/console/actions/money-dialog.tsx — a refund of a sale, or the completion of a pre-authorisation, whole or in part.
import { useEffect, useState } from 'preact/hooks'
import type { TerminalOnList } from '../counter/terminal-on-list.ts'
import type { Gateway } from '../gateway.ts'
import { decimalsOf, inWords, minorOf } from '../money.ts'
import { Dialog } from '../parts/dialog.tsx'
import { lastFourOf, type TransactionInFull } from '../transactions/in-full.ts'
import { totalMinorOf } from '../transactions/listed-transaction.ts'
import { leftMinor, type Since } from './available.ts'
import { useStartOnce } from './once.ts'
import { readSince } from './since.ts'

export interface MoneyDialogProps {
  readonly gateway: Gateway
  /** A sale or completion to refund, or a pre-authorisation to complete. */
  readonly transaction: TransactionInFull
  readonly onClose: () => void
}

/** What is known of earlier refunds or completions: null while it is read, `unknown` when it cannot be told. */
type Known = Since | 'unknown' | null

export function MoneyDialog({ gateway, transaction, onClose }: MoneyDialogProps) {
  const { currency, transactionType } = transaction
  const isRefund = transactionType !== 'PRE_AUTH'
  const totalMinor = totalMinorOf(transaction)
  const since = useSince(gateway, transaction)
  const terminals = useTerminals(gateway, currency)
  const [tid, setTid] = useState(transaction.tid)
  const [typed, setTyped] = useState<string | null>(null)
  const [isSure, setSure] = useState(false)
  const once = useStartOnce(gateway)

  const left = since === null || since === 'unknown' ? totalMinor : leftMinor(totalMinor, since)
  const amount = typed ?? (left / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency))
  const minor = minorOf(amount, currency)
  const isAmount = minor !== null && minor > 0 && (!isRefund || minor <= totalMinor)
  const isMore = isAmount && minor > left
  const body = { currency, amount: minor ?? 0, ...(isRefund ? REFUND : completionOf(transaction)) }
  const words = isAmount ? inWords(minor, currency) : ''
  return (
    <Dialog
      title={isRefund ? 'Refund this sale' : 'Complete this pre-authorisation'}
      doIt={`${isRefund ? 'Refund' : 'Take'} ${words}`.trim()}
      isReady={since !== null && isAmount && (!isMore || isSure) && !once.isStarting}
      problem={once.problem}
      onConfirm={() => void once.start(tid, body)}
      onClose={onClose}
    >
      <Remaining transaction={transaction} since={since} />
      <div class="start">
        <label>
          Amount in {currency}
          <input
            inputMode="decimal"
            value={since === null ? '' : amount}
            aria-invalid={since !== null && !isAmount}
            onInput={event => setTyped(event.currentTarget.value)}
          />
        </label>
        <label>
          Terminal
          <select value={tid} onChange={event => setTid(event.currentTarget.value)}>
            {[...new Set([transaction.tid, ...terminals])].map(each => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      {since !== null && !isAmount && (
        <p class="bad">
          {isRefund
            ? `Type an amount, at most the ${inWords(totalMinor, currency)} that were taken.`
            : 'Type an amount, such as 25.99.'}
        </p>
      )}
      {isMore && (
        <label class="check">
          <input type="checkbox" checked={isSure} onChange={event => setSure(event.currentTarget.checked)} />
          {isRefund ? 'Give back more than is left' : 'Take more than is left'}
        </label>
      )}
      <p>{whatHappens(isRefund, words, tid)}</p>
      <p class="quiet fine">
        Pressing again after a lost answer starts nothing twice: the request bears the <code>Idempotency-Key</code>{' '}
        <code>{once.keyOf(tid, body)}</code>.
      </p>
    </Dialog>
  )
}

const REFUND = { transactionType: 'REFUND' }

function completionOf({ connect, amountMinor }: TransactionInFull) {
  return { transactionType: 'COMPLETION', authCode: connect.authCode, amountPreAuthorisedTotal: amountMinor }
}

function whatHappens(isRefund: boolean, words: string, tid: string): string {
  if (words === '') return ''
  return isRefund
    ? `A refund of ${words} starts on terminal ${tid}, which asks for a card. The money goes to the card that is presented.`
    : `A completion of ${words} starts on terminal ${tid}, which may ask for the card again. The money is taken then.`
}

function Remaining({ transaction, since }: { readonly transaction: TransactionInFull; readonly since: Known }) {
  const { currency, transactionType } = transaction
  const isRefund = transactionType !== 'PRE_AUTH'
  const totalMinor = totalMinorOf(transaction)
  if (since === null) return <p class="quiet">Looking for earlier ones…</p>
  if (since === 'unknown')
    return (
      <p>
        {inWords(totalMinor, currency)} {isRefund ? 'were taken' : 'are held'}. What was{' '}
        {isRefund ? 'given back' : 'taken'} of it since cannot be told.
      </p>
    )
  const { movedMinor, pendingMinor } = since
  return (
    <>
      <dl class="sums">
        <dt>{isRefund ? 'Taken' : 'Held'}</dt>
        <dd>{inWords(totalMinor, currency)}</dd>
        <dt>{isRefund ? 'Given back since' : 'Taken since'}</dt>
        <dd>{inWords(movedMinor, currency)}</dd>
        {pendingMinor > 0 && <dt>Not known yet</dt>}
        {pendingMinor > 0 && <dd>{inWords(pendingMinor, currency)}</dd>}
        <dt>Left</dt>
        <dd>
          <strong>{inWords(leftMinor(totalMinor, since), currency)}</strong>
        </dd>
      </dl>
      {isRefund && (
        <p class="quiet fine">
          A refund at a terminal is not tied to its sale. Given back are all refunds since to cards that end with{' '}
          {lastFourOf(transaction)}.
        </p>
      )}
    </>
  )
}

function useSince(gateway: Gateway, transaction: TransactionInFull): Known {
  const [since, setSince] = useState<Known>(null)
  useEffect(() => {
    void readSince(gateway, transaction).then(read => setSince(read ?? 'unknown'))
  }, [gateway, transaction.requestId])
  return since
}

/** Ids of the connected terminals of a currency. */
function useTerminals(gateway: Gateway, currency: string): readonly string[] {
  const [terminals, setTerminals] = useState<readonly string[]>([])
  useEffect(() => {
    void gateway
      .get<{ readonly terminals: readonly TerminalOnList[] }>(`/pac/terminals?currency=${currency}`)
      .then(answered => answered.ok && setTerminals(answered.body.terminals.map(({ tid }) => tid)))
  }, [gateway, currency])
  return terminals
}
