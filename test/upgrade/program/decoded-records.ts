// test/upgrade/program/decoded-records.ts — records and events as the program reads them, and checks on them.

import type { TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import { verdictOf } from '../../../src/domain/counter/transaction-verdict.ts'
import { totalOf } from '../../../src/domain/money.ts'
import type { OnlinePayment } from '../../../src/domain/online/payment.ts'
import { paymentVerdictOf } from '../../../src/domain/online/payment-verdict.ts'
import { decodeAnyEvent, decodeAnyRecord, type Foldable, MACHINES } from '../../../src/engine/all-machines.ts'
import type { ImageRecord } from '../../../src/engine/ports/account-images.ts'
import { createLedger } from '../../../src/simulator/acquirer/ledger.ts'
import type { SimulatedMemory } from '../../../src/simulator/memory/memory.ts'

/** A record with all its members as the program reads it, its events and its timers. */
export interface DecodedRecord {
  readonly account: string
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly live: boolean
  readonly parent: string
  readonly exclusive: string | null
  readonly claims: readonly string[]
  readonly record: unknown
  readonly events: readonly DecodedEvent[]
  readonly effects: readonly { readonly effectId: string; readonly type: string; readonly payload: unknown }[]
  readonly timers: readonly { readonly name: string; readonly dueAt: number }[]
}

export interface DecodedEvent {
  /** Position among all events. */
  readonly cursor: number
  readonly version: number
  readonly at: number
  readonly type: string
  readonly envelope: unknown
}

const MACHINE_OF: ReadonlyMap<string, Foldable> = new Map(MACHINES.map(machine => [machine.kind, machine]))

/** Decodes a record. One of a kind without events is plain JSON. */
export function decoded(account: string, image: ImageRecord): DecodedRecord {
  const { kind, id, version, live, parent, exclusive, claims = [], timers } = image
  const hasEvents = MACHINE_OF.has(kind)
  return {
    ...{ account, kind, id, version, live, parent, exclusive, claims, timers },
    record: plain(hasEvents ? decodeAnyRecord(image) : JSON.parse(image.body)),
    events: image.events.map(({ body, cursor, version, at, type }) => ({
      ...{ cursor, version, at, type },
      envelope: plain(decodeAnyEvent({ kind, body })),
    })),
    effects: image.effects.map(({ effectId, type, body }) => ({ effectId, type, payload: JSON.parse(body) })),
  }
}

/** JSON without undefined members. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Whether a record is the fold of its events. */
export function isItsFold({ kind, record, events }: DecodedRecord): boolean {
  const machine = MACHINE_OF.get(kind)
  if (machine === undefined) return true
  const folded = events.reduce<unknown>(
    (before, { envelope }) => machine.apply(before as never, envelope as never),
    null,
  )
  return sorted(folded) === sorted(record)
}

/** The same text for equal values, whatever the order of their members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )
}

/** Records whose verdict differs from the acquirer's ledger. */
export function moneyFaultsIn(records: readonly DecodedRecord[], memory: SimulatedMemory): readonly string[] {
  const ledger = createLedger(memory)
  const booked = (account: string, orderId: string | null) => (orderId === null ? 0 : ledger.moneyOf(account, orderId))
  return records.flatMap(({ account, kind, id, record }) => {
    const expected =
      kind === 'terminal-transaction'
        ? movedAtCounter(record as TerminalTransaction)
        : kind === 'online-payment'
          ? movedOnline(record as OnlinePayment)
          : null
    if (expected === null) return []
    const moved = booked(account, (record as { readonly authorisationId: string | null }).authorisationId)
    return moved === expected ? [] : [`${kind} ${id}: ${expected} by its verdict, ${moved} in the book`]
  })
}

function movedAtCounter(record: TerminalTransaction): number {
  const { moneyTaken } = verdictOf(record)
  const { transactionType } = record.request
  if (moneyTaken !== 'yes' || transactionType === 'DUPLICATE') return 0
  return (transactionType === 'REFUND' ? -1 : 1) * totalOf(record.amounts)
}

/** Null when an operator answered in place of the acquirer, whose ledger then does not count. */
function movedOnline(record: OnlinePayment): number | null {
  if (record.closure !== undefined) return null
  const { order, entries } = record
  const isVoided = entries.some(({ type, state }) => type === 'VOID' && state === 'settled')
  if (paymentVerdictOf(record).moneyTaken !== 'yes' || isVoided) return 0
  return (order.transactionType === 'REFUND' ? -1 : 1) * order.amountMinor
}
