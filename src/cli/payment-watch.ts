// src/cli/payment-watch.ts — starts a payment and shows its progress until the end.
// A lost connection does not lose the result: the start has an idempotency key, and polling continues.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionType } from '../domain/counter/transaction-events.ts'
import type { Verdict } from '../domain/counter/transaction-verdict.ts'
import { moneyText } from '../domain/currency.ts'
import { add, money } from '../domain/money.ts'
import { Failure } from './failure.ts'
import { askYesOrNo } from './question.ts'
import { saleReport } from './sale-report.ts'
import { isColourful, print, printFirst, printJson, type Shell } from './shell.ts'
import { ConnectionLost, type Seen, type Started, type Till, type TransactionView } from './till.ts'

/** Interval of polling a gateway without long polling. */
const POLL_MS = 300
/** Delay before a retry when the gateway does not answer. */
const RETRY_MS = 1_000
/** Tries at the start, when there may be no gateway. */
const START_TRIES = 3
/** Tries while a transaction runs: about as long as a restart of the machine takes. */
const WATCH_TRIES = 300
/** Exit code of a program ended by Ctrl-C. */
const INTERRUPTED = 130
/** Tries to read a final verdict after the end. */
const VERDICT_TRIES = 5

/** A payment to take, and how to show it. Amounts are in minor units. */
export interface PaymentOrder {
  readonly terminal: string
  readonly type: TransactionType
  readonly amount?: number
  /** Default: the currency of the terminal. */
  readonly currency?: string
  readonly cashback?: number
  readonly authCode?: string
  readonly preAuthorisedTotal?: number
  readonly notPresent?: true
  /** The answer to a signature check. Default: ask at the keyboard. */
  readonly signature?: 'accept' | 'refuse'
  readonly json?: true
}

interface Payment {
  readonly shell: Shell
  readonly till: Till
  readonly options: PaymentOrder
  readonly started: Started
}

/** Takes the payment and reports it. Sets exit code 1 unless it is successful. */
export async function watchPayment(shell: Shell, till: Till, options: PaymentOrder): Promise<void> {
  const interrupt = firstInterrupt(shell)
  try {
    const payment = { shell, till, options, started: await start(shell, till, options) }
    void interrupt.came.then(() => cancel(payment))
    const view = await watchToTheEnd(payment)
    const verdict = await verdictOf(payment)
    if (options.json) printJson(shell, { transaction: view, verdict })
    else print(shell, `\n${saleReport(view, verdict, isColourful(shell))}`)
    if (view.transactionResult !== 'SUCCESSFUL') shell.exitWith(1)
  } finally {
    interrupt.ignore()
  }
}

async function start(shell: Shell, till: Till, options: PaymentOrder): Promise<Started> {
  const { terminal } = options
  const idempotencyKey = randomUUID()
  const currency = options.currency ?? (await persistently(START_TRIES, () => till.currencyOf(terminal)))
  printFirst(shell, orderText(options, currency), options)
  const request = requestOf(options, currency)
  const started = await persistently(START_TRIES, () => till.start(terminal, request, idempotencyKey))
  if (!options.json) print(shell, `Transaction ${started.requestId}. Ctrl-C asks the terminal to cancel.\n`)
  return started
}

/** What is about to happen, with the sum where money moves. */
function orderText({ terminal, type, amount, cashback }: PaymentOrder, currency: string): string {
  if (amount === undefined || type === 'DUPLICATE' || type === 'ACCOUNT_VERIFICATION') return `${type} at ${terminal}`
  const base = money(amount, currency)
  if (cashback === undefined) return `${type} of ${moneyText(base)} at ${terminal}`
  const cash = money(cashback, currency)
  return `${type} of ${moneyText(base)} and cashback of ${moneyText(cash)} at ${terminal}, ${moneyText(add(base, cash))} in all`
}

/** Builds the request body without absent fields: a field of another transaction type would be refused. */
function requestOf(options: PaymentOrder, currency: string): Readonly<Record<string, unknown>> {
  const { type, amount, cashback, authCode, preAuthorisedTotal, notPresent } = options
  const all = {
    transactionType: type,
    amount,
    currency: amount === undefined ? undefined : currency,
    amountCashback: cashback,
    authCode,
    amountPreAuthorisedTotal: preAuthorisedTotal,
    cardholderNotPresent: notPresent,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

async function watchToTheEnd(payment: Payment): Promise<TransactionView> {
  const { shell, options, started } = payment
  const beganAt = performance.now()
  const signature = signatureDialog(payment)
  let seen: Seen | null = null
  let shown = 0
  for (;;) {
    if (seen !== null && seen.tag === null) await sleep(POLL_MS)
    const change = await nextChange(payment, seen?.tag ?? null)
    if (change === null) {
      await sleep(POLL_MS)
      continue
    }
    seen = change
    const { notifications, transactionResult } = change.view
    const elapsed = ((performance.now() - beganAt) / 1000).toFixed(1)
    const fresh = notifications.slice(0, notifications.length - shown).reverse()
    if (!options.json) for (const notification of fresh) print(shell, `${elapsed.padStart(7)} s  ${notification}`)
    shown = notifications.length
    signature.look(change.view)
    if (transactionResult !== undefined) return { ...change.view, location: started.location }
  }
}

/** Waits for the next change, and retries while the gateway does not answer. */
async function nextChange({ shell, till, started }: Payment, tag: string | null): Promise<Seen | null> {
  let warned = false
  return persistently(
    WATCH_TRIES,
    () => till.change(started.location, tag),
    lost => {
      if (!warned) shell.stderr.write(`tollgate: ${lost.message} The payment continues; retrying.\n`)
      warned = true
    },
  )
}

/** Answers signature checks: by `--signature`, otherwise by a question at the keyboard. */
function signatureDialog({ shell, till, options, started }: Payment) {
  let question: AbortController | null = null
  const answer = async (accepted: boolean) => {
    await persistently(START_TRIES, () => till.decideSignature(started.location, accepted)).catch(error =>
      shell.stderr.write(`tollgate: ${messageOf(error)}\n`),
    )
  }
  const askCashier = async (signal: AbortSignal) => {
    const accepted = await askYesOrNo(shell, 'Does the signature match the card?', signal)
    if (accepted !== null) await answer(accepted)
  }
  return {
    look({ notifications }: TransactionView): void {
      const isSignature = notifications[0] === 'SIGNATURE_VERIFICATION'
      if (!isSignature) question?.abort()
      if (!isSignature || question !== null) return
      question = new AbortController()
      if (options.signature !== undefined) void answer(options.signature === 'accept')
      else if (shell.stdin.isTTY) void askCashier(question.signal)
    },
  }
}

/** Handles Ctrl-C: the first cancels, even before the start is answered; the second exits while the payment continues. */
function firstInterrupt(shell: Shell): { readonly came: Promise<void>; ignore(): void } {
  let listener = () => {}
  const came = new Promise<void>(resolve => {
    let interrupted = false
    listener = () => {
      if (interrupted) process.exit(INTERRUPTED)
      interrupted = true
      shell.stderr.write(
        'tollgate: Asking the terminal to cancel. Press Ctrl-C again to stop watching; the payment continues.\n',
      )
      resolve()
    }
  })
  process.on('SIGINT', listener)
  return { came, ignore: () => process.off('SIGINT', listener) }
}

function cancel({ shell, till, started }: Payment): Promise<unknown> {
  return persistently(START_TRIES, () => till.cancel(started.location)).catch(error =>
    shell.stderr.write(`tollgate: ${messageOf(error)}\n`),
  )
}

/** Reads the verdict. One that is not final at the end usually is a moment later. */
async function verdictOf({ till, started }: Payment): Promise<Verdict | null> {
  for (let tries = 1; ; tries += 1) {
    const verdict = await till.verdict(started.requestId).catch(() => null)
    if (verdict === null || verdict.final || tries === VERDICT_TRIES) return verdict
    await sleep(RETRY_MS)
  }
}

/** Retries while there is no answer. @throws Failure when the last try has none either */
async function persistently<T>(
  tries: number,
  send: () => Promise<T>,
  onLost: (lost: ConnectionLost) => void = () => {},
): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      if (left <= 1)
        throw new Failure(`${error.message} Is it running (\`tollgate serve\`), and is --url right?`, { cause: error })
      onLost(error)
      await sleep(RETRY_MS)
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
