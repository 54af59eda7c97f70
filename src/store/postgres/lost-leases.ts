// src/store/postgres/lost-leases.ts — finds leases that another process has taken over.
import type { Lease } from '../../engine/ports/store.ts'
import type { Query } from './session.ts'
import { GROUP_READS } from './statements.ts'

/** Returns the leases whose lane another process has claimed since. The others stay as they are until the transaction ends. */
export async function lostLeases(query: Query, leases: readonly Lease[]): Promise<readonly Lease[]> {
  const rows = await query<Lease>(GROUP_READS.fences, [leases.map(({ lane }) => lane)])
  const fences = new Map(rows.map(({ lane, fence }) => [lane, fence]))
  return leases.filter(({ lane, fence }) => fences.get(lane) !== fence)
}
