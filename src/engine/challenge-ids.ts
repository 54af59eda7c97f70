// src/engine/challenge-ids.ts — ids of 3-D Secure challenges (`md`), which name their merchant account.
import type { MerchantAccountId } from '../domain/ids.ts'

/** Hexadecimal digits that tell the challenges of an account apart. Versions before 0.2 had no others. */
const OWN_DIGITS = 40

const PRINTABLE = /^[\x21-\x7e]+$/

/** The `md` of a challenge. @param digest hexadecimal digits, at least 40, that no other challenge of the account has */
export function challengeId(account: MerchantAccountId, digest: string): string {
  return digest.slice(0, OWN_DIGITS) + Buffer.from(account).toString('hex')
}

/** The account of a challenge; null when its `md` names none. All that a browser brings back from the issuer is this text. */
export function accountOfChallenge(md: string): MerchantAccountId | null {
  const account = /^[0-9a-f]+$/.test(md) ? Buffer.from(md.slice(OWN_DIGITS), 'hex').toString('utf8') : ''
  // What no account is called would be an error of a database.
  return PRINTABLE.test(account) ? account : null
}
