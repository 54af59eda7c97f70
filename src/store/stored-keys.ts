// src/store/stored-keys.ts — lock keys and unique keys as they are stored: with their merchant account.
import type { MerchantAccountId } from '../domain/ids.ts'
import { isAccountKey } from '../engine/ports/store.ts'

/**
 * The text under which a key of an account is stored. `terminal:22160001` of `demo` is stored as `terminal:demo/22160001`, as
 * all versions did, so that stored records and snapshots keep their keys. An account key is stored as it is.
 */
export function storedKey(account: MerchantAccountId, key: string): string {
  if (isAccountKey(key)) return key
  const kind = key.slice(0, key.indexOf(':') + 1)
  return `${kind}${account}/${key.slice(kind.length)}`
}
