// src/terminals/nexo/service-ids.ts — ids of exchanges with a terminal: ten letters and digits, unique for 48 hours.
import { createHash } from 'node:crypto'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Random } from '../../engine/ports/random.ts'

/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/** The id of a payment. Always the same for a request: whatever crashes, the terminal would recognise a repetition. */
export function paymentServiceId(account: MerchantAccountId, tid: TerminalId, requestId: RequestId): string {
  return lettersOf(
    createHash('sha256')
      .update(JSON.stringify([account, tid, requestId]))
      .digest(),
  )
}

/** An id for anything else: questions may be repeated, and each needs a new one. */
export function freshServiceId(random: Pick<Random, 'bytes'>): string {
  return lettersOf(random.bytes(LENGTH))
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, LENGTH), byte => ALPHABET[byte % ALPHABET.length]).join('')
}
