// src/engine/all-machines.ts — every kind of record that has events, for those who are given one and do not know which.
import type { EventEnvelope } from '../domain/machine.ts'
import { decodeEvent, decodeRecord, type OfEvents, type OfRecords } from './decoding.ts'
import {
  API_KEY,
  JWT_KEY,
  MERCHANT_ACCOUNT,
  REPORT,
  TABLE,
  TERMINAL,
  TERMINAL_TRANSACTION,
  TILL_MESSAGE,
} from './machines.ts'
import { ONLINE_PAYMENT } from './online-machine.ts'
import type { StoredEvent, StoredRecord } from './ports/store.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from './webhook-machines.ts'

/** A machine, as far as folding goes. */
export interface Foldable {
  readonly kind: string
  apply(record: never, envelope: never): unknown
}

/** What the vault holds has no events, and is not among them. */
export const MACHINES: readonly Foldable[] = [
  TERMINAL_TRANSACTION,
  REPORT,
  TABLE,
  TILL_MESSAGE,
  MERCHANT_ACCOUNT,
  API_KEY,
  JWT_KEY,
  TERMINAL,
  ONLINE_PAYMENT,
  WEBHOOK_DELIVERY,
  WEBHOOK_SECRETS,
]

const BY_KIND = new Map(MACHINES.map(machine => [machine.kind, machine as unknown as OfRecords<unknown> & AnyEvents]))

type AnyEvents = OfEvents<{ readonly type: string }>

/** A record of any kind. */
export function decodeAnyRecord({ kind, body }: Pick<StoredRecord, 'kind' | 'body'>): unknown {
  return decodeRecord(machineOf(kind), body)
}

/** What happened to a record of any kind. @param hide leaves members out, as `JSON.parse` has it */
export function decodeAnyEvent(
  { kind, body }: Pick<StoredEvent, 'kind' | 'body'>,
  hide?: (name: string, value: unknown) => unknown,
): EventEnvelope<{ readonly type: string }> {
  return decodeEvent(machineOf(kind), body, hide)
}

function machineOf(kind: string): OfRecords<unknown> & AnyEvents {
  const machine = BY_KIND.get(kind)
  if (machine === undefined) throw new Error(`no machine has records of kind ${kind}`)
  return machine
}
