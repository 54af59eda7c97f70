// src/engine/remote-reads.ts — what is read again before a record is used, because other processes may have changed it.
import type { MerchantAccountId } from '../domain/ids.ts'
import type { RemoteChanges } from './remote-changes.ts'
import type { LaneMemory } from './work-leases.ts'

export interface RemoteReads extends Pick<RemoteChanges, 'epoch'> {
  /** As that of `RemoteChanges`, before a record of this account is used. */
  refresh(changedOutside: boolean, account: MerchantAccountId): Promise<void> | undefined
}

/** Memory that several nodes share. */
export interface SharedMemory<Leases> extends LaneMemory {
  /** Goes by these leases from now on. */
  attach(leases: Leases): void
  /** Grows when something has been read again. */
  readonly epoch: number
  refresh(account: MerchantAccountId): Promise<void>
}

/** Connects a shared memory, if there is one, to leases and reads: what nodes have changed in it is refreshed with the records. */
export function sharedMemory<Leases>(
  memory: SharedMemory<Leases> | null,
  { leases, remote }: { readonly leases: Leases; readonly remote: RemoteReads },
): { readonly memory: LaneMemory | null; readonly reads: RemoteReads } {
  if (memory === null) return { memory, reads: remote }
  memory.attach(leases)
  const reads: RemoteReads = {
    get epoch() {
      return remote.epoch + memory.epoch
    },
    async refresh(changedOutside, account) {
      await Promise.all([remote.refresh(changedOutside, account), memory.refresh(account)])
    },
  }
  return { memory, reads }
}
