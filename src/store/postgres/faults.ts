// src/store/postgres/faults.ts — maps errors of Postgres and of connections to faults.
import { Fault, type FaultCode } from '../../engine/fault.ts'

/** A statement that the database refused for a reason that is neither load nor an outage. Its message holds no data. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed'
  /** SQLSTATE. */
  readonly code: string
  /** Name of the violated constraint, if any. */
  readonly constraint: string | null

  constructor(statement: string, { code, message, constraint }: SqlError) {
    // Messages of this class quote the value.
    super(`${statement}: ${code.startsWith('22') ? 'a value is not valid' : message} (${code})`)
    this.code = code
    this.constraint = constraint ?? null
  }
}

/** The session in which a COMMIT had no clear answer. */
export interface SessionId {
  readonly pid: number
  /** Seconds since 1970, as the server writes them: a process number may be used again. */
  readonly startedAt: string
}

/** Whether a COMMIT took effect is unknown. What is read back counts only when its session is over. */
export class CommitUnknown extends Fault {
  readonly session: SessionId

  constructor(session: SessionId, options: { readonly cause?: unknown; readonly detail: string }) {
    super('commit_unknown', options)
    this.session = session
  }
}

/** Keyed by SQLSTATE, or its first letters. */
const OF_SQLSTATE: readonly (readonly [prefix: string, code: FaultCode])[] = [
  // Lost connections, and servers that stop, start or are standbys.
  ['08', 'store_unreachable'],
  ['57P', 'store_unreachable'],
  ['25006', 'store_unreachable'],
  ['53300', 'store_unreachable'],
  // Refused logins, unknown databases.
  ['28', 'store_unreachable'],
  ['3D000', 'store_unreachable'],
  // Time-outs of statements and locks.
  ['57014', 'store_busy'],
  ['55P03', 'store_busy'],
  // Serialisation failures and deadlocks.
  ['40', 'contention'],
  // Full disks, damaged files, missing permissions.
  ['53', 'store_unwritable'],
  ['58', 'store_unwritable'],
  ['42501', 'store_unwritable'],
  ['XX001', 'store_broken'],
  ['XX002', 'store_broken'],
]

interface SqlError {
  readonly code: string
  readonly message: string
  readonly constraint?: string | undefined
}

/** SQLSTATE of an error; null when it is none of the server. */
export function sqlStateOf(error: unknown): string | null {
  return isSqlError(error) ? error.code : null
}

/** Returns the fault for an error of a statement. @param where names the database */
export function faultOf(error: unknown, where: string, statement: string): Error {
  if (error instanceof Fault || error instanceof StatementFailed) return error
  if (!isSqlError(error)) return unreachable(where, reasonOf(error))
  const code = OF_SQLSTATE.find(([prefix]) => error.code.startsWith(prefix))?.[1]
  if (code === undefined) return new StatementFailed(statement, error)
  return new Fault(code, { detail: `${where} (${error.message})`, cause: new Error(error.code) })
}

export function unreachable(where: string, reason: string): Fault {
  return new Fault('store_unreachable', { detail: `${where} (${reason})` })
}

/** Why a connection failed. An error of several addresses of one name has its reasons inside. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Errors of the server have a severity and a SQLSTATE; errors of the network have codes such as ECONNREFUSED. */
function isSqlError(error: unknown): error is SqlError {
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  )
}
