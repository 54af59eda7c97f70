// src/acquirers/iso8583/orders/journal.ts — durable notes on what was asked of a host: records of the store, without events. ADR 86.
import type { DeclineReason } from '../../../domain/counter/transaction-events.ts'
import type { EffectId, MerchantAccountId } from '../../../domain/ids.ts'
import type { AcquirerAnswer } from '../../../engine/ports/acquirer.ts'
import type { Clock } from '../../../engine/ports/clock.ts'
import type { Store, StoredRecord } from '../../../engine/ports/store.ts'
import type { ExchangeKind } from '../../../engine/ports/terminal.ts'

export const ORDER_KINDS = ['charge', 'hold', 'capture', 'refund', 'verify'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]

/**
 * `made`: nothing was sent. `sent`: written before the first byte, so the host may have acted on it. `unanswered`: it must be reversed,
 * and the reversal has not left. `reversing`: a reversal has left. `undone`: it has no effect and never will. `stuck`: the host refuses
 * the reversal, so a person must look.
 */
export type Phase = 'made' | 'sent' | 'approved' | 'declined' | 'unanswered' | 'reversing' | 'undone' | 'stuck'

/** Where each phase may lead. */
const TRANSITIONS: Readonly<Record<Phase, readonly Phase[]>> = {
  made: ['sent', 'declined', 'undone'],
  // Back when no byte has left, or when a verification, which moves no money, got no answer.
  sent: ['made', 'approved', 'declined', 'unanswered', 'stuck'],
  approved: ['unanswered', 'undone'],
  declined: ['undone'],
  unanswered: ['approved', 'declined', 'reversing', 'stuck'],
  reversing: ['unanswered', 'undone', 'stuck'],
  // The host approves after it did not know the order.
  undone: ['unanswered'],
  stuck: [],
}

/** The answer that an order has for ever. */
export type FinalAnswer = Exclude<AcquirerAnswer, { readonly answer: 'unknown' }>

export interface OrderNote {
  readonly account: MerchantAccountId
  readonly orderId: EffectId
  readonly phase: Phase
  /** Null when it was reversed before it came. */
  readonly kind: OrderKind | null
  readonly amountMinor: number
  readonly currency: string
  readonly cardToken: string
  /** What was sent, without data of the card. */
  readonly sent: { readonly mti: string; readonly fields: Readonly<Record<number, string>> } | null
  /** Number and expiry of the card in the vault; null when the dialect repeats neither, and after the time for reversals. */
  readonly card: string | null
  /** What the host has answered, or what the order counts as once it is undone. */
  readonly answer: FinalAnswer | null
  /** Audit number of the reversal; its repetitions have the same one. */
  readonly reversalStan: string | null
  /** How often the reversal or the advice was sent. */
  readonly tries: number
  /** Answers that the host does not know the original. */
  readonly missing: number
  /** When the next step is due, epoch milliseconds; null when nothing is. Another process takes it up after that. */
  readonly dueAt: number | null
  /** Of a hold: the order that captures it. */
  readonly capturedBy: EffectId | null
  /** Of an order that is undone: the host had approved it. */
  readonly wasApproved: boolean
  /** When a reconciliation has closed its batch, epoch milliseconds; null before. */
  readonly reconciledAt: number | null
}

/** A note as it is stored. */
export interface Noted {
  readonly note: OrderNote
  readonly version: number
}

export interface Journal {
  load(account: MerchantAccountId, orderId: EffectId): Promise<Noted | null>
  /** Null when there is a note of this order already. */
  add(note: OrderNote): Promise<Noted | null>
  /**
   * Null when another call or process has changed it meanwhile, or when the number is taken.
   * @param number audit number with its identity, which only one open order may have
   */
  change(noted: Noted, changes: Partial<OrderNote>, number?: string): Promise<Noted | null>
  /** Approved holds on a card with an authorisation code, newest first. */
  holds(account: MerchantAccountId, cardToken: string, authCode: string): Promise<readonly Noted[]>
  /** Notes with a step that is due some time, over all accounts. */
  open(): Promise<readonly Noted[]>
  /** All notes of all accounts. */
  all(): Promise<readonly Noted[]>
}

const KIND: ExchangeKind = 'iso8583-order'
/** Read at a time. */
const PAGE = 100
/** Holds of one card with the same authorisation code. More than one is rare. */
const MOST_HOLDS = 20

/** The note of an order that nothing is known of. */
export const EMPTY_NOTE = {
  ...{ kind: null, amountMinor: 0, currency: '', cardToken: '', sent: null, card: null, answer: null },
  ...{ reversalStan: null, tries: 0, missing: 0, dueAt: null, capturedBy: null },
  ...{ wasApproved: false, reconciledAt: null },
} as const satisfies Omit<OrderNote, 'account' | 'orderId' | 'phase'>

/** What an order counts as once it is undone: the code says that the answer came too late. */
export const UNDONE: FinalAnswer = { answer: 'declined', reason: 'do_not_honour', responseCode: '68' }

/** A decline. */
export function declined(reason: DeclineReason, responseCode: string): FinalAnswer {
  return { answer: 'declined', reason, responseCode }
}

/** @param ended called with each order whose end has become known here */
export function createJournal(store: Store, clock: Clock, ended: (note: OrderNote) => void = () => {}): Journal {
  async function write(note: OrderNote, expectedVersion: number, before: OrderNote | null, number: string | null) {
    const version = expectedVersion + 1
    const added = holdTerms(note)
    const removed = before === null ? [] : holdTerms(before).filter(term => !added.includes(term))
    const result = await store.commit({
      ...{ account: note.account, kind: KIND, id: note.orderId, expectedVersion, version },
      ...{ body: JSON.stringify(note), parent: '', live: note.dueAt !== null, lockKey: number },
      ...{ at: clock.now(), events: [], effects: [], effectsDone: [], timers: null, idempotency: null },
      searchTerms: { added, removed },
    })
    return result === 'written' ? { note, version } : null
  }
  async function notes(onlyOpen: boolean): Promise<readonly Noted[]> {
    const found: Noted[] = []
    for (let after = 0; ; ) {
      const page = await store.all(KIND, { ...(onlyOpen ? { live: true } : {}), after, limit: PAGE })
      found.push(...page.map(notedIn))
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return found
      after = last.position
    }
  }
  return {
    async load(account, id) {
      const stored = await store.load({ account, kind: KIND, id })
      return stored === null ? null : notedIn(stored)
    },
    add: note => write(note, 0, null, null),
    async change({ note, version }, changes, number) {
      const { phase = note.phase } = changes
      if (phase !== note.phase && !TRANSITIONS[note.phase].includes(phase))
        throw new Error(`illegal move of order ${note.orderId}: from ${note.phase} to ${phase}`)
      const changed = await write({ ...note, ...changes }, version, note, number ?? null)
      if (changed !== null && phase !== note.phase && hasEnded(changed.note)) ended(changed.note)
      return changed
    },
    async holds(account, cardToken, authCode) {
      const terms = [holdTerm(cardToken, authCode)]
      const { records } = await store.search(account, { kind: KIND, terms, limit: MOST_HOLDS })
      return records.map(notedIn)
    },
    open: () => notes(true),
    all: () => notes(false),
  }
}

/** Whether asking again gives an answer. */
export function hasEnded({ phase }: OrderNote): boolean {
  return phase === 'approved' || phase === 'declined' || phase === 'undone'
}

function holdTerms({ kind, phase, answer, cardToken }: OrderNote): readonly string[] {
  return kind === 'hold' && phase === 'approved' && answer?.answer === 'approved'
    ? [holdTerm(cardToken, answer.authCode)]
    : []
}

function holdTerm(cardToken: string, authCode: string): string {
  return `hold=${JSON.stringify([cardToken, authCode])}`
}

function notedIn({ body, version }: StoredRecord): Noted {
  // Notes from before the later members lack them.
  return { note: { ...EMPTY_NOTE, ...(JSON.parse(body) as OrderNote) }, version }
}
