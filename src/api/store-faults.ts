// src/api/store-faults.ts — maps faults of the store to refusals.
import type { PlainCode, Refusal } from '../domain/refusals.ts'
import { Fault, type FaultCode } from '../engine/fault.ts'

/** Refusals for faults after which a caller should retry or look the outcome up. Other faults occur at the start, or are bugs. */
const REFUSALS: Partial<Readonly<Record<FaultCode, PlainCode>>> = {
  store_busy: 'gateway_busy',
  contention: 'gateway_busy',
  // The account is on its way to another node.
  lease_lost: 'gateway_busy',
  store_unwritable: 'store_unwritable',
  store_unreachable: 'store_unwritable',
  // The writer died before it answered, so the write may be on disk.
  store_gone: 'store_lost',
  commit_unknown: 'store_lost',
}

/** Returns the refusal for an error. Null for others, which are answered with 500. */
export function refusalOfFault(error: unknown): Refusal | null {
  const code = error instanceof Fault ? REFUSALS[error.code] : undefined
  return code === undefined ? null : { code }
}
