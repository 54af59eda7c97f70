// src/engine/all-machines.ts — registry of all machines; decodes records and events of any kind.
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
import { AUDIT_ENTRY, SESSION, USER } from './people-machines.ts'
import type { StoredEvent, StoredRecord } from './ports/store.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from './webhook-machines.ts'

/** The part of a machine that folds events. */
export interface Foldable {
  readonly kind: string
  readonly searchTermsOf?: (record: never) => readonly string[]
  apply(record: never, envelope: never): unknown
}

/** All machines. Vault entries have no events and no machine. */
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
  USER,
  SESSION,
  AUDIT_ENTRY,
]

const BY_KIND = new Map(MACHINES.map(machine => [machine.kind, machine as unknown as AnyMachine]))

/** Kinds of records that are searched. */
export const SEARCHED_KINDS: readonly string[] = MACHINES.flatMap(({ kind, searchTermsOf }) =>
  searchTermsOf === undefined ? [] : [kind],
)

type AnyEvents = OfEvents<{ readonly type: string }>

/** Decodes a record of any kind. @throws Error when no machine has this kind */
export function decodeAnyRecord({ kind, body }: Pick<StoredRecord, 'kind' | 'body'>): unknown {
  return decodeRecord(machineOf(kind), body)
}

/**
 * Decodes an event of a record of any kind. @throws Error when no machine has this kind
 * @param hide reviver for `JSON.parse`, to leave members out
 */
export function decodeAnyEvent(
  { kind, body }: Pick<StoredEvent, 'kind' | 'body'>,
  hide?: (name: string, value: unknown) => unknown,
): EventEnvelope<{ readonly type: string }> {
  return decodeEvent(machineOf(kind), body, hide)
}

interface AnyMachine extends OfRecords<unknown>, AnyEvents {
  readonly kind: string
  readonly searchTermsOf?: (record: unknown) => readonly string[]
}

/** All search terms of a stored record; undefined for kinds that are not searched. */
export function searchTermsOf({ kind, body }: Pick<StoredRecord, 'kind' | 'body'>): readonly string[] | undefined {
  if (!SEARCHED_KINDS.includes(kind)) return undefined
  const machine = machineOf(kind)
  return machine.searchTermsOf?.(decodeRecord(machine, body))
}

function machineOf(kind: string): AnyMachine {
  const machine = BY_KIND.get(kind)
  if (machine === undefined) throw new Error(`no machine has records of kind ${kind}`)
  return machine
}
