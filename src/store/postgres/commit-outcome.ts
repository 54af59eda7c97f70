// src/store/postgres/commit-outcome.ts — reads back whether a COMMIT without an answer has taken effect. ADR 61.

import { Fault } from '../../engine/fault.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { Connections } from './connections.ts'
import type { CommitUnknown } from './faults.ts'
import type { GroupChanges, WrittenRecord } from './group-plan.ts'
import { keyColumnsOf, nameOfRecord } from './group-state.ts'
import { lockAccounts } from './lock-accounts.ts'
import { OUTCOME_READS } from './work-statements.ts'

/** `unknown`: it cannot be told, and nobody may act as if it could. */
export type CommitOutcome = 'written' | 'rolled_back' | 'unknown'

export interface ReadBackParts {
  readonly connections: Connections
  /** This process. */
  readonly writer: number
}

/**
 * Ends the session whose COMMIT is open, and looks for what it was to write. The look is a transaction that writes: what it reads
 * counts only if its own COMMIT is confirmed, and then a standby has what it read, too.
 */
export async function readBack(
  { connections, writer }: ReadBackParts,
  unknown: CommitUnknown,
  changes: GroupChanges,
): Promise<CommitOutcome> {
  const written = [...changes.records.values()]
  if (written.length === 0) return 'unknown'
  try {
    if (!(await connections.settled(unknown))) return 'unknown'
    return await connections.transaction(async query => {
      const keys = written.map(({ record }) => record)
      await lockAccounts(query, keys)
      const events = await query<{ readonly account: string; readonly cursor: number }>(OUTCOME_READS.events, [
        changes.events.map(({ record: { account } }) => account),
        changes.events.map(({ number }) => number),
        writer,
      ])
      // After a failover another process may have drawn the numbers of a group that was lost, this one not before the lane is free
      // again. So an event of this process under one of them is of this group, and a group is written whole or not at all.
      if (events.length > 0) return 'written'
      const rows = await query<StoredRow>(OUTCOME_READS.records, keyColumnsOf(keys))
      const stored = new Map(rows.map(row => [nameOfRecord(row), row]))
      const found = written.map(each => outcomeOf(each, stored.get(nameOfRecord(each.record))))
      return found.find(outcome => outcome !== 'unknown') ?? 'unknown'
    })
  } catch (error) {
    if (error instanceof Fault) return 'unknown'
    throw error
  }
}

interface StoredRow extends Key {
  readonly position: number
  readonly version: number
  readonly body: string
}

/** What a record says. Another process may have changed or erased it since; then it says nothing. */
function outcomeOf({ record, before, body }: WrittenRecord, stored: StoredRow | undefined): CommitOutcome {
  const { position, version } = record
  if (stored === undefined) return before === null ? 'rolled_back' : 'unknown'
  if (stored.position !== position) return 'unknown'
  if (stored.version === version && stored.body === body) return 'written'
  return before !== null && stored.version === before.version ? 'rolled_back' : 'unknown'
}
