// web/console/counter/till-view.tsx — a small cash register: starts transactions, shows what arrives, decides on signatures.
import { useState } from 'preact/hooks'
import type { Gateway } from '../gateway.ts'
import { inWords, minorOf } from '../money.ts'
import { ExchangeView } from '../parts/exchange-view.tsx'
import { Receipts } from '../parts/receipt.tsx'
import { addressOf } from '../places.ts'
import { OpenTables } from './open-tables.tsx'
import { FINISHED, type Till, useTill } from './sale.ts'
import type { TerminalOnList } from './terminal-on-list.ts'

const TYPES = [
  { type: 'SALE', name: 'Sale' },
  { type: 'REFUND', name: 'Refund' },
  { type: 'PRE_AUTH', name: 'Pre-authorisation' },
  { type: 'ACCOUNT_VERIFICATION', name: 'Card check' },
  { type: 'DUPLICATE', name: 'Repeat the last result' },
] as const
type Type = (typeof TYPES)[number]['type']
/** Types that have an amount. */
const WITH_AMOUNT: ReadonlySet<Type> = new Set(['SALE', 'REFUND', 'PRE_AUTH'])

/** What the end of a transaction is to people. */
const RESULTS: Readonly<Record<string, string>> = {
  SUCCESSFUL: 'Approved',
  DECLINED: 'Declined',
  CANCELLED: 'Cancelled',
  TIMED_OUT: 'Timed out',
  VOID: 'Reversed',
  UNSUCCESSFUL: 'Not successful',
}

const WAITS_FOR_SIGNATURE: ReadonlySet<string> = new Set([
  'SIGNATURE_VERIFICATION',
  'SIGNATURE_VERIFICATION_IN_PROGRESS',
])

export interface TillProps {
  readonly gateway: Gateway
  readonly terminals: readonly TerminalOnList[]
  readonly terminal: TerminalOnList
  readonly choose: (tid: string) => void
}

export function TillView(props: TillProps) {
  const till = useTill(props.gateway)
  return (
    <section class="till" aria-labelledby="till-title">
      <h2 id="till-title">Till</h2>
      <StartForm {...props} till={till} />
      <p role="alert" class="bad">
        {till.problem}
      </p>
      <Progress till={till} />
      <OpenTables gateway={props.gateway} currency={props.terminal.currency} />
      {till.exchanges.length > 0 && (
        <>
          <h3>Requests behind this</h3>
          {till.exchanges.map(exchange => (
            <ExchangeView key={`${exchange.method} ${exchange.path}`} exchange={exchange} gateway={props.gateway} />
          ))}
        </>
      )}
    </section>
  )
}

function StartForm({ terminals, terminal, choose, till }: TillProps & { readonly till: Till }) {
  const [type, setType] = useState<Type>('SALE')
  const [amount, setAmount] = useState('25.99')
  const { currency, tid } = terminal
  const hasAmount = WITH_AMOUNT.has(type)
  const minor = minorOf(amount, currency)
  const isValid = !hasAmount || (minor !== null && minor > 0)
  const start = (event: Event) => {
    event.preventDefault()
    if (isValid) void till.start(tid, { transactionType: type, currency, ...(hasAmount ? { amount: minor } : {}) })
  }
  return (
    <form class="start" onSubmit={start}>
      <label>
        What
        <select value={type} onChange={event => setType(event.currentTarget.value as Type)}>
          {TYPES.map(each => (
            <option key={each.type} value={each.type}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      {hasAmount && (
        <label>
          Amount in {currency}
          <input
            inputMode="decimal"
            value={amount}
            aria-invalid={!isValid}
            aria-describedby={isValid ? undefined : 'amount-fault'}
            onInput={event => setAmount(event.currentTarget.value)}
          />
          {!isValid && (
            <span id="amount-fault" class="bad">
              Type an amount, such as 25.99.
            </span>
          )}
        </label>
      )}
      <label>
        Terminal
        <select value={tid} onChange={event => choose(event.currentTarget.value)}>
          {terminals.map(each => (
            <option key={each.tid} value={each.tid}>
              {each.tid}
              {each.tablesOnly === true && ' (tables only)'}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="main" disabled={till.isStarting || !isValid || terminal.tablesOnly === true}>
        {hasAmount && minor !== null && isValid ? `Start, ${inWords(minor, currency)}` : 'Start'}
      </button>
    </form>
  )
}

function Progress({ till }: { readonly till: Till }) {
  const { transaction, started } = till
  if (started === null) return <p class="quiet">Nothing has been started yet.</p>
  const notifications = transaction?.notifications ?? []
  const [newest = 'STARTING'] = notifications
  const isFinished = newest === FINISHED
  const result = transaction?.transactionResult
  return (
    <div class="progress">
      <p role="status" class={`newest ${isFinished ? (result ?? '').toLowerCase() : ''}`}>
        {isFinished && result !== undefined ? (RESULTS[result] ?? result) : wordsOf(newest)}
        {transaction?.amountTotal !== undefined && ` · ${inWords(transaction.amountTotal, started.currency)}`}
      </p>
      {!isFinished && WAITS_FOR_SIGNATURE.has(newest) && (
        <p class="signature">
          Compare the signature on the slip with the card:{' '}
          <button type="button" class="main" onClick={() => void till.sign(true)}>
            It matches
          </button>{' '}
          <button type="button" onClick={() => void till.sign(false)}>
            It does not match
          </button>
        </p>
      )}
      {!isFinished && (
        <p>
          <button type="button" onClick={() => void till.cancel()}>
            Cancel from the till
          </button>
        </p>
      )}
      <ol class="notifications" reversed aria-label="Notifications, newest first">
        {notifications.map((each, index) => (
          <li key={notifications.length - index}>{each}</li>
        ))}
      </ol>
      {isFinished && (
        <p>
          <a href={addressOf(started.requestId)}>What happened in this transaction</a>
        </p>
      )}
      <Receipts of={transaction?.receiptLines} />
    </div>
  )
}

/** `PRESENT_CARD` as words. */
function wordsOf(notification: string): string {
  const words = notification
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bpin\b/, 'PIN')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
