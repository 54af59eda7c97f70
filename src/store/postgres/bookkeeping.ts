// src/store/postgres/bookkeeping.ts — the gateway's own writes: erasing, rewriting, entering terms and expired keys.
import type { ErasedRecord, RewriteBatch, Store, TermsBatch } from '../../engine/ports/store.ts'
import { dayOf } from '../days.ts'
import type { Connections } from './connections.ts'
import { keyColumnsOf, nameOfRecord, readRecords } from './group-state.ts'
import { dayRowsOf, runner } from './group-writes.ts'
import { lockAccounts } from './lock-accounts.ts'
import type { Query } from './session.ts'
import { ERASURES, GROUP_READS, GROUP_WRITES } from './statements.ts'
import { RETENTION, REWRITES } from './work-statements.ts'

/** Rows deleted at a time, so that other work does not wait long. */
const FORGET_SLICE = 1_000

export interface BookkeepingParts {
  readonly connections: Connections
  /** This process. */
  readonly writer: number
  /** Whether the tables are on several machines. */
  readonly distributed: boolean
}

export function createBookkeeping({
  connections,
  writer,
  distributed,
}: BookkeepingParts): Pick<Store, 'erase' | 'rewrite' | 'enterTerms' | 'forgetExpired'> {
  /** Runs work that changes these rows while nothing else changes their accounts. */
  function locked<T>(rows: readonly { readonly account: string }[], work: (query: Query) => Promise<T>): Promise<T> {
    return connections.transaction(async query => {
      await lockAccounts(query, rows)
      return work(query)
    })
  }
  return {
    erase: records => locked(records, query => erase(query, records, writer)),
    rewrite: batch => locked([...batch.records, ...batch.events], query => rewrite(query, batch)),
    enterTerms: batch => locked(batch.records, query => enterTerms(query, batch)),
    async forgetExpired(now) {
      const expired = distributed ? RETENTION.forgetExpiredApart : RETENTION.forgetExpired
      await inSlices(() => connections.query(RETENTION.forgetErased, [FORGET_SLICE]))
      return inSlices(() => connections.query(expired, [now, FORGET_SLICE]))
    },
  }
}

/** Deletes up to `FORGET_SLICE` rows at a time until there are no more. Returns how many. */
async function inSlices(deleted: () => Promise<readonly unknown[]>): Promise<number> {
  for (let gone = 0; ; ) {
    const rows = await deleted()
    gone += rows.length
    if (rows.length < FORGET_SLICE) return gone
  }
}

async function erase(query: Query, records: readonly ErasedRecord[], writer: number): Promise<number> {
  const stored = new Map((await readRecords(query, records)).map(record => [nameOfRecord(record), record]))
  const erased = records.flatMap(({ terms = [], version, ...key }) => {
    const record = stored.get(nameOfRecord(key))
    return record?.version === version ? [{ record, terms }] : []
  })
  if (erased.length === 0) return 0
  const run = runner(query)
  await run(
    GROUP_WRITES.removeTerms,
    erased.flatMap(({ record: { account, kind, position }, terms }) =>
      terms.map(term => [account, kind, term, position]),
    ),
  )
  const held = erased.flatMap(({ record: { account, lockKey } }) => (lockKey === null ? [] : [[account, lockKey]]))
  // Before the keys of the record are detached: this one is free again.
  await run(GROUP_WRITES.deleteAccountKeys, held)
  const columns = keyColumnsOf(erased.map(({ record }) => record))
  for (const statement of Object.values(ERASURES)) await query(statement, columns)
  const numbers = await query<{ readonly number: number }>(GROUP_READS.numbers, [erased.length])
  await query(RETENTION.noteErased, [...columns, numbers.map(({ number }) => number), writer])
  return erased.length
}

async function rewrite(query: Query, { name, progress, records, events }: RewriteBatch): Promise<number> {
  const columns = <Row>(rows: readonly Row[], ...cells: readonly ((row: Row) => unknown)[]) =>
    cells.map(cell => rows.map(cell))
  let written = 0
  if (records.length > 0) {
    const values = columns(
      records,
      row => row.account,
      row => row.kind,
      row => row.place,
      row => row.before,
      row => row.body,
    )
    written += (await query(REWRITES.records, values)).length
  }
  if (events.length > 0) {
    const values = columns(
      events,
      row => row.account,
      row => row.place,
      row => row.before,
      row => row.body,
    )
    written += (await query(REWRITES.events, values)).length
  }
  await query(REWRITES.progress, [name, progress.after, progress.finished])
  return written
}

async function enterTerms(query: Query, { name, progress, records }: TermsBatch): Promise<number> {
  const stored = new Map((await readRecords(query, records)).map(record => [nameOfRecord(record), record]))
  // Some may have been erased meanwhile.
  const found = records.flatMap(({ version, terms, ...key }) => {
    const record = stored.get(nameOfRecord(key))
    return record === undefined ? [] : [{ record, terms, isChanged: record.version !== version }]
  })
  const same = found.filter(({ isChanged }) => !isChanged)
  const run = runner(query)
  await run(
    GROUP_WRITES.enterTerms,
    same.flatMap(({ record: { account, kind, position }, terms }) =>
      terms.map(term => [account, kind, term, position]),
    ),
  )
  const days = same.map(({ record }) => ({ record, day: dayOf(record.createdAt) }))
  await run(GROUP_WRITES.enterDays, dayRowsOf(days))
  const changed = found.length - same.length
  if (changed === 0) await query(REWRITES.progress, [name, progress.after, progress.finished])
  return changed
}
