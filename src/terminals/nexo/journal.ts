// src/terminals/nexo/journal.ts — durable notes on what was asked of terminals: records of the store, without events. ADR 83.
import type { Ending, TransactionRequest } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { TerminalCurrency } from '../../domain/money.ts'
import type { ReceiptLine } from '../../domain/receipt.ts'
import type { ReportType } from '../../domain/reports/report.ts'
import type { Totals } from '../../domain/reports/totals.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { ListedRecord, Store, StoredRecord } from '../../engine/ports/store.ts'
import type { ExchangeKind } from '../../engine/ports/terminal.ts'
import type { Transport } from './wire/answers.ts'
import type { Names } from './wire/messages.ts'
import type { PaymentEnd } from './wire/payments.ts'

interface Named {
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  readonly requestId: RequestId
}

/**
 * A transaction on a terminal. `intended`: nothing was sent yet. `sent`: written before the first byte goes out, so the terminal may
 * act on it. `ended`: the outcome is known. `lost`: nobody can tell any more. `denied`: the gateway was told that the terminal does
 * not know it, so it must never begin.
 */
export interface Exchange extends Named {
  readonly phase: 'intended' | 'sent' | 'ended' | 'lost' | 'denied'
  /** Null when it was denied before it was ever asked for. */
  readonly asked: Asked | null
  readonly sentAt: number | null
  /** The settings may change before the answer is known. */
  readonly sentOver: Transport | null
  readonly end: PaymentEnd | null
  readonly endedAt: number | null
  /** Whether the gateway has taken the end. */
  readonly delivered: boolean
}

/** What is asked for. Never changes. Times in epoch milliseconds. */
export interface Asked {
  readonly request: TransactionRequest
  /** With the names of the time: the settings may change before the answer is known. */
  readonly names: Names
  /** Counted per terminal, 1 to 9999. */
  readonly number: number
  readonly startedAt: number
  /** After this nothing is sent any more. */
  readonly limitAt: number
}

/** A report on a terminal. `closing`: the end of the period may have been asked for. */
export interface ReportExchange extends Named {
  readonly phase: 'intended' | 'running' | 'closing' | 'ended' | 'lost'
  readonly reportType: ReportType
  readonly currency: TerminalCurrency
  readonly limitAt: number
  /** The period that it ends, by the terminal's count; null when not known. */
  readonly reconciliationId: string | null
  /** When the end of the period was asked for last, epoch milliseconds. */
  readonly closedAt: number | null
  readonly totals: Totals | null
  readonly lines: readonly ReceiptLine[]
  readonly delivered: boolean
}

/** A note as it is stored. */
export interface Noted<Note> {
  readonly note: Note
  readonly version: number
}

export interface Journal<Note extends Named> {
  load(account: MerchantAccountId, requestId: RequestId): Promise<Noted<Note> | null>
  /** Null when there is a note of this request already. */
  add(note: Note): Promise<Noted<Note> | null>
  /** Null when another process, or another call, has changed it meanwhile. */
  change(noted: Noted<Note>, changes: Partial<Note>): Promise<Noted<Note> | null>
  /** Notes of unfinished requests, over all accounts, oldest first. */
  open(): Promise<readonly Noted<Note>[]>
  /** The last notes of a terminal, newest first. */
  latest(account: MerchantAccountId, tid: TerminalId): Promise<readonly Noted<Note>[]>
  /** The notes of a terminal that were written at or after a time, epoch milliseconds, newest first. */
  createdSince(account: MerchantAccountId, tid: TerminalId, from: number): Promise<readonly Noted<Note>[]>
}

/** Read at a time. */
const PAGE = 100
/** A terminal repeats its last payment, so no more than its last ones are looked through. */
const MOST_LATEST = 20
/** More than a terminal takes in a period. A report must not read the notes of a year where no period was ever ended. */
const MOST_SINCE = 20_000

/** Notes on transactions. */
export function createExchanges(store: Store, clock: Clock): Journal<Exchange> {
  return createJournal(
    store,
    clock,
    'nexo-exchange',
    note => note.phase === 'intended' || note.phase === 'sent' || isUndelivered(note),
  )
}

/** Notes on reports. */
export function createReportExchanges(store: Store, clock: Clock): Journal<ReportExchange> {
  const open: ReadonlySet<string> = new Set(['intended', 'running', 'closing'])
  return createJournal(store, clock, 'nexo-report', note => open.has(note.phase) || isUndelivered(note))
}

function isUndelivered({ phase, delivered }: { readonly phase: string; readonly delivered: boolean }): boolean {
  return phase === 'ended' && !delivered
}

/** Whether a payment was a success, for the port. */
export function isSuccessful({ result }: Pick<Ending, 'result'>): boolean {
  return result === 'SUCCESSFUL'
}

function createJournal<Note extends Named>(
  store: Store,
  clock: Clock,
  kind: ExchangeKind,
  isLive: (note: Note) => boolean,
): Journal<Note> {
  async function write(note: Note, expectedVersion: number): Promise<Noted<Note> | null> {
    const version = expectedVersion + 1
    const result = await store.commit({
      ...{ account: note.account, kind, id: note.requestId, expectedVersion, version },
      ...{ body: JSON.stringify(note), parent: note.tid, live: isLive(note), lockKey: null },
      ...{ at: clock.now(), events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
    })
    return result === 'written' ? { note, version } : null
  }
  return {
    async load(account, id) {
      const stored = await store.load({ account, kind, id })
      return stored === null ? null : notedIn<Note>(stored)
    },
    add: note => write(note, 0),
    change: ({ note, version }, changes) => write({ ...note, ...changes }, version),
    async open() {
      const found: Noted<Note>[] = []
      for (let after = 0; ; ) {
        const page = await store.all(kind, { live: true, after, limit: PAGE })
        found.push(...page.map(stored => notedIn<Note>(stored)))
        const last = page.at(-1)
        if (last === undefined || page.length < PAGE) return found
        after = last.position
      }
    },
    async latest(account, parent) {
      const found = await store.list(account, { kind, parent, limit: MOST_LATEST })
      return found.map(stored => notedIn<Note>(stored))
    },
    async createdSince(account, parent, from) {
      const found: Noted<Note>[] = []
      for (let before: number | null = null; found.length < MOST_SINCE; ) {
        const page: readonly ListedRecord[] = await store.list(account, {
          ...{ kind, parent, limit: PAGE },
          ...(before === null ? {} : { before }),
        })
        const recent = page.filter(({ createdAt }) => createdAt >= from)
        found.push(...recent.map(stored => notedIn<Note>(stored)))
        const last = page.at(-1)
        if (last === undefined || recent.length < PAGE) break
        before = last.position
      }
      return found
    },
  }
}

function notedIn<Note>({ body, version }: StoredRecord): Noted<Note> {
  return { note: JSON.parse(body) as Note, version }
}
