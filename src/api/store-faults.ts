// src/api/store-faults.ts — which refusal a caller gets when the store has failed.
import type { Refusal } from '../domain/refusals.ts'
import { Fault, type FaultCode } from '../engine/fault.ts'

/** Faults that a caller should meet with another try or a question, not with a 500. Others are bugs or belong to the start. */
const REFUSALS: Partial<Readonly<Record<FaultCode, Refusal['code']>>> = {
  store_busy: 'gateway_busy',
  contention: 'gateway_busy',
  store_unwritable: 'store_unwritable',
  // The writer died between the request and its answer: what it was writing may be on the disk.
  store_gone: 'store_lost',
}

/** The refusal for an error that a request ended with; null when it is a bug. */
export function refusalOfFault(error: unknown): Refusal | null {
  const code = error instanceof Fault ? REFUSALS[error.code] : undefined
  return code === undefined ? null : { code }
}
