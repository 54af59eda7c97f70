// src/terminals/nexo/starts.ts — starts and cancels transactions. What may have reached a terminal is never sent again.
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { TransactionRequest } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { TerminalCall } from '../../engine/ports/terminal.ts'
import type { Deliveries } from './deliveries.ts'
import { repetitionOf } from './duplicates.ts'
import type { Asked, Exchange, Journal, Noted } from './journal.ts'
import { LineError } from './line.ts'
import type { Link } from './link.ts'
import type { Links } from './links.ts'
import type { Payments } from './payments.ts'
import { paymentServiceId } from './service-ids.ts'
import { paymentBody } from './wire/messages.ts'
import { endWithoutPayment, type PaymentEnd } from './wire/payments.ts'

export interface Starts {
  start(call: TerminalCall): Promise<void>
  cancel(call: TerminalCall): Promise<void>
  /** The note of a request. One that was never asked for is denied from now on: it must not begin later. */
  noted(terminal: Terminal, requestId: RequestId): Promise<Noted<Exchange>>
  /** Ends a request at its limit if nothing was sent until then. */
  expire(noted: Noted<Exchange>): void
  close(): void
}

export interface StartsParts {
  readonly exchanges: Journal<Exchange>
  readonly deliveries: Pick<Deliveries, 'end'>
  readonly links: Links
  readonly payments: Payments
  readonly clock: Clock
  readonly log: Log
  readonly mode: 'sandbox' | 'live'
}

/** Before the gateway's own limit, so that the till learns that nothing was sent. */
const BEFORE_LIMIT_MS = 2_000
const MOST_NUMBER = 9_999
/** Tries to write a note that others change at the same time. */
const MOST_TRIES = 5

/** Creates the calls of the driver that begin and stop something. */
export function createStarts(parts: StartsParts): Starts {
  const { exchanges, deliveries, links, payments, clock, log, mode } = parts
  const alarms = new Map<string, Alarm>()
  let isClosed = false

  async function conclude(noted: Noted<Exchange>, end: PaymentEnd): Promise<Noted<Exchange> | null> {
    const ended = await exchanges.change(noted, { phase: 'ended', end, endedAt: clock.now() })
    if (ended !== null) await deliveries.end(ended)
    return ended
  }

  /** The note of a call, made if there is none. */
  async function intended({ terminal, transaction }: TerminalCall, link: Link): Promise<Noted<Exchange>> {
    const { merchantAccount: account, tid } = terminal
    const { requestId, request, limits } = transaction
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const known = await exchanges.load(account, requestId)
      if (known !== null) return known
      const number = await nextNumber(account, tid)
      const startedAt = clock.now()
      // The clock of a sandbox's account may be another one.
      const begunAt = mode === 'live' ? transaction.startedAt : startedAt
      const limitAt = begunAt + limits.transactionMs - BEFORE_LIMIT_MS
      const names = { ...link.newNames(), serviceId: paymentServiceId(account, tid, requestId) }
      const asked: Asked = { request, names, number, startedAt, limitAt }
      const added = await exchanges.add({ ...fresh(account, tid, requestId), phase: 'intended', asked })
      if (added !== null) return added
    }
    throw new Error(`the note of ${requestId} cannot be written`)
  }

  async function nextNumber(account: MerchantAccountId, tid: TerminalId): Promise<number> {
    const latest = await exchanges.latest(account, tid)
    const last = latest.map(({ note }) => note.asked?.number).find(number => number !== undefined) ?? 0
    return (last % MOST_NUMBER) + 1
  }

  async function send(noted: Noted<Exchange>, asked: Asked, { terminal }: TerminalCall, link: Link): Promise<void> {
    const { gratuity, printing } = terminal.settings
    const saleTransactionId = noted.note.requestId.replaceAll('-', '')
    const body = paymentBody({
      saleTransactionId,
      startedAt: asked.startedAt,
      request: asked.request,
      gratuity,
      printing,
    })
    const line = await link.open().catch((error: unknown) => {
      expire(noted)
      throw error
    })
    // On disk before the first byte: after a crash the terminal is asked, and nothing is sent again.
    const sent = await exchanges
      .change(noted, { phase: 'sent', sentAt: clock.now(), sentOver: link.settings.transport })
      .catch((error: unknown) => {
        line.close()
        throw error
      })
    if (sent === null) return line.close()
    payments.sending(sent, asked, line, body, link)
  }

  function expire(noted: Noted<Exchange>): void {
    const { account, requestId, asked } = noted.note
    const key = `${account}/${requestId}`
    if (asked === null || isClosed || alarms.has(key)) return
    const alarm = clock.alarm(Math.max(asked.limitAt, clock.now()), () => {
      alarms.delete(key)
      // Nothing was sent, or the write fails because something was.
      conclude(noted, neverSent(asked)).catch(error => {
        log.warn({ requestId, error: String(error) }, 'end of a request that was never sent was not written')
      })
    })
    alarms.set(key, alarm)
  }

  /** A repeated start of what is under way. Rejects while the terminal cannot be reached. */
  async function startedBefore({ note }: Noted<Exchange>): Promise<void> {
    const open = note.phase === 'sent' ? payments.find(note.account, note.requestId) : null
    if (open !== null && !open.lineIsOpen && !(await open.question()))
      throw new LineError('unreachable', `Terminal ${note.tid} does not say what became of the payment.`)
  }

  return {
    async start(call) {
      const { terminal, transaction } = call
      const link = await links.to(terminal)
      const noted = await intended(call, link)
      const { asked } = noted.note
      if (noted.note.phase !== 'intended' || asked === null) return startedBefore(noted)
      const why = refusalOf(transaction.request, link)
      if (why !== null) {
        log.warn(
          { requestId: transaction.requestId, tid: terminal.tid, why },
          'transaction is not sent to the terminal',
        )
        await conclude(noted, { ...endWithoutPayment(asked, 'UNSUCCESSFUL', []), shown: 'PROCESSING_ERROR' })
        return
      }
      if (clock.now() >= asked.limitAt) return void (await conclude(noted, neverSent(asked)))
      if (transaction.request.transactionType !== 'DUPLICATE') return send(noted, asked, call, link)
      const end = await repetitionOf({ exchanges, payments }, link, noted.note, asked).catch((error: unknown) => {
        expire(noted)
        throw error
      })
      await conclude(noted, end)
    },
    async cancel(call) {
      const { terminal, transaction, effectId } = call
      const link = await links.to(terminal)
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const noted = await intended(call, link)
        const { phase, asked } = noted.note
        if (phase === 'sent') {
          await payments.resume(noted)
          return payments.find(terminal.merchantAccount, transaction.requestId)?.abort(effectId)
        }
        if (phase !== 'intended' || asked === null) return
        if ((await conclude(noted, endWithoutPayment(asked, 'CANCELLED', []))) !== null) return
      }
    },
    async noted({ merchantAccount: account, tid }, requestId) {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const noted =
          (await exchanges.load(account, requestId)) ??
          (await exchanges.add({ ...fresh(account, tid, requestId), phase: 'denied', asked: null }))
        if (noted !== null) return noted
      }
      throw new Error(`the note of ${requestId} cannot be written`)
    },
    expire,
    close() {
      isClosed = true
      for (const alarm of alarms.values()) alarm.cancel()
    },
  }
}

function fresh(account: MerchantAccountId, tid: TerminalId, requestId: RequestId): Omit<Exchange, 'phase' | 'asked'> {
  return { account, tid, requestId, sentAt: null, sentOver: null, end: null, endedAt: null, delivered: false }
}

/** The end of a request that came to its limit before anything was sent. */
function neverSent({ request, number }: Asked): PaymentEnd {
  const message = request.transactionType === 'DUPLICATE' ? 'not_known_yet' : 'forgotten'
  return endWithoutPayment({ request, number }, 'UNSUCCESSFUL', [message])
}

/** Why a transaction cannot be asked of a terminal of this make; null when it can. */
function refusalOf({ transactionType }: TransactionRequest, { settings }: Link): string | null {
  if (transactionType === 'COMPLETION') return 'a pre-authorisation is not completed at the terminal'
  if (transactionType === 'PRE_AUTH' && !settings.manualCapture)
    return 'without manual capture a pre-authorisation would be charged'
  return null
}
