// src/store/sqlite/faults.ts — maps errors of SQLite and the file system to faults.
import { SqliteError } from 'better-sqlite3'
import { Fault, type FaultCode } from '../../engine/fault.ts'
import type { CommitResult } from '../../engine/ports/store.ts'

/** Keyed by SQLite's primary result code; extended codes (`SQLITE_IOERR_FSYNC`) begin with it. */
const OF_SQLITE: readonly (readonly [prefix: string, code: FaultCode])[] = [
  ['SQLITE_NOTADB', 'store_broken'],
  ['SQLITE_CORRUPT', 'store_broken'],
  ['SQLITE_BUSY', 'store_busy'],
  ['SQLITE_CANTOPEN', 'store_unwritable'],
  ['SQLITE_READONLY', 'store_unwritable'],
  ['SQLITE_PERM', 'store_unwritable'],
  ['SQLITE_FULL', 'store_unwritable'],
  // After a failed sync the kernel may have dropped the written pages, and a later sync would not report that. Only the
  // state on disk at the next start can be trusted.
  ['SQLITE_IOERR_FSYNC', 'store_gone'],
  ['SQLITE_IOERR_DIR_FSYNC', 'store_gone'],
  ['SQLITE_IOERR', 'store_unwritable'],
]

/** Returns the fault for an error about `file`, or the error itself when it is a bug of ours. */
export function faultOf(error: unknown, file: string): unknown {
  if (error instanceof SqliteError) {
    const code = OF_SQLITE.find(([prefix]) => error.code.startsWith(prefix))?.[1]
    return code === undefined ? error : new Fault(code, { cause: error, detail: file })
  }
  // Only file system errors have `syscall`; their `path` is more precise than `file`.
  if (error instanceof Error && 'syscall' in error) {
    const detail = 'path' in error && typeof error.path === 'string' ? error.path : file
    return new Fault('store_unwritable', { cause: error, detail })
  }
  return error
}

/** @throws Fault `lease_lost` when work on an account was refused for its lease */
export function refuseLost(account: string, outcome: CommitResult | number): void {
  if (outcome === 'lease_lost') throw new Fault('lease_lost', { detail: account })
}
