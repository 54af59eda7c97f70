// src/engine/remote-reads.ts — what is read again before a record is used, because other processes may have changed it.
import type { MerchantAccountId } from '../domain/ids.ts'
import type { RemoteChanges } from './remote-changes.ts'

export interface RemoteReads extends Pick<RemoteChanges, 'epoch'> {
  /** As that of `RemoteChanges`, before a record of this account is used. */
  refresh(changedOutside: boolean, account: MerchantAccountId): Promise<void> | undefined
}

/** Refreshes what is in `memory` with the records. */
export function alsoRefreshing(
  remote: RemoteReads,
  memory: { refresh(account: MerchantAccountId): Promise<void> },
): RemoteReads {
  return {
    get epoch() {
      return remote.epoch
    },
    async refresh(changedOutside, account) {
      await Promise.all([remote.refresh(changedOutside, account), memory.refresh(account)])
    },
  }
}
