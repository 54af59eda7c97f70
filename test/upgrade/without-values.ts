// test/upgrade/without-values.ts — recorded payments without the values of authentications and wallets, which version 0.1 stored in
// clear. ADR 95.
import type { DecodedRecord } from './program/decoded-records.ts'

interface WithProof {
  readonly progress?: string
  readonly proof?: object | null
  readonly submission?: { readonly walletProof: object | null } | null
}

function withoutValue(stored: unknown): unknown {
  const { proof, submission, ...others } = stored as WithProof
  const walletProof = submission?.walletProof
  return {
    ...others,
    ...(proof !== undefined && { proof: proof && { ...proof, value: '' } }),
    ...(submission !== undefined && {
      submission: walletProof ? { ...submission, walletProof: { ...walletProof, value: '' } } : submission,
    }),
  }
}

/** As it is read: a payment that is over has no value any more. Its events have it until they are rewritten. */
export function asRead(entry: DecodedRecord): DecodedRecord {
  const { progress } = (entry.record ?? {}) as WithProof
  const isOver = entry.kind === 'online-payment' && (progress === 'final' || progress === 'revoked')
  return isOver ? { ...entry, record: withoutValue(entry.record) } : entry
}

/** As it is restored: its events have no value either. */
export function asRestored(entry: DecodedRecord): DecodedRecord {
  const read = asRead(entry)
  if (entry.kind !== 'online-payment') return read
  const events = read.events.map(each => {
    const envelope = each.envelope as { readonly event: unknown }
    return { ...each, envelope: { ...envelope, event: withoutValue(envelope.event) } }
  })
  return { ...read, events }
}
