// src/store/postgres/lock-accounts.ts — locks merchant accounts, so that one transaction at a time changes an account.
import type { Query } from './session.ts'
import { GROUP_READS } from './statements.ts'

/** Locks the accounts of these works or records until the transaction of `query` ends. */
export async function lockAccounts(query: Query, of: readonly { readonly account: string }[]): Promise<void> {
  const accounts = [...new Set(of.map(({ account }) => account))].toSorted()
  await query(GROUP_READS.mark, [])
  await query(GROUP_READS.lockAccounts, [accounts])
}
