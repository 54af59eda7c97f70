// src/store/postgres/group-writes.ts — writes what a group has decided: a statement for each table, over arrays.
import assert from 'node:assert/strict'
import { laneOf } from '../../engine/work-leases.ts'
import type { GroupChanges, WrittenRecord } from './group-plan.ts'
import { nameOf, nameOfRecord, type RecordState } from './group-state.ts'
import { LANES } from './lanes.ts'
import type { Query, Statement } from './session.ts'
import { GROUP_READS, GROUP_WRITES } from './statements.ts'

/** Draws the numbers of new records, events and effects: after the accounts are locked, so that they grow in order of commit. */
export async function drawNumbers(query: Query, changes: GroupChanges): Promise<void> {
  const fresh = [...changes.records.values()].filter(({ before }) => before === null)
  const effects = [...changes.effects.values()]
  const count = fresh.length + changes.events.length + effects.length
  if (count === 0) return
  const numbers = await query<{ readonly number: number }>(GROUP_READS.numbers, [count])
  let drawn = 0
  const next = () => {
    const row = numbers[drawn]
    assert(row !== undefined, 'as many numbers as were asked for')
    drawn += 1
    return row.number
  }
  for (const { record } of fresh) record.position = next()
  for (const event of changes.events) event.number = next()
  for (const effect of effects) effect.number = next()
}

/** Writes everything. Keys that change hands are freed before they are taken. @param writer of the events */
export async function writeChanges(query: Query, changes: GroupChanges, writer: number): Promise<void> {
  const run = runner(query)
  await writeRecords(run, changes)
  await run(
    GROUP_WRITES.deleteAccountKeys,
    changes.freedAccountKeys.map(({ account, key }) => [account, key]),
  )
  await run(
    GROUP_WRITES.insertAccountKeys,
    [...changes.takenAccountKeys.values()].map(({ record: { account, kind, id }, key }) => [account, key, kind, id]),
  )
  await run(
    GROUP_WRITES.insertUniqueKeys,
    changes.uniqueKeys.map(({ record: { account, kind, id }, key }) => [account, key, kind, id]),
  )
  await run(
    GROUP_WRITES.insertEvents,
    changes.events.map(({ record: { account, kind, id }, value: { version, at, type, body }, number }) => [
      ...[account, kind, id, number],
      ...[version, at, type, body],
    ]),
    [writer],
  )
  await writeWork(run, changes)
  await run(
    GROUP_WRITES.writeIdempotency,
    [...changes.idempotency.values()].map(({ account, key, fingerprint, answer, expiresAt }) => [
      ...[account, key, fingerprint, answer, expiresAt],
    ]),
  )
  await writeTerms(run, changes)
}

type Cell = string | number | boolean | null
type Run = (statement: Statement, rows: readonly (readonly Cell[])[], more?: readonly Cell[]) => Promise<void>

/** Runs a statement whose values are the columns of rows, unless there are none. */
export function runner(query: Query): Run {
  return async (statement, rows, more = []) => {
    const [first] = rows
    if (first === undefined) return
    const columns = first.map((_, column) => rows.map(row => row[column]))
    await query(statement, [...columns, ...more])
  }
}

/** The values of a record's columns in the order of `insertRecords`. */
function columnsOf({ record, at, body }: WrittenRecord): readonly Cell[] {
  const { account, kind, id, version, parent, live, lockKey, position, createdAt } = record
  return [account, kind, id, version, at, body, parent, live, lockKey, position, createdAt]
}

async function writeRecords(run: Run, { records }: GroupChanges): Promise<void> {
  const all = [...records.values()]
  const taken = new Set(all.map(({ record: { account, lockKey } }) => nameOf(account, lockKey ?? '')))
  const passedOn = all.filter(({ record, before }) => {
    const freed = before?.lockKey ?? null
    return freed !== null && freed !== record.lockKey && taken.has(nameOf(record.account, freed))
  })
  await run(
    GROUP_WRITES.releaseLockKeys,
    passedOn.map(({ record: { account, kind, id } }) => [account, kind, id]),
  )
  const moved = (written: WrittenRecord) => written.before !== null && !keepsColumns(written)
  // Most changes do not affect indexed columns; then no index is written.
  await run(
    GROUP_WRITES.updateBodies,
    all.filter(keepsColumns).map(written => columnsOf(written).slice(0, 6)),
  )
  await run(
    GROUP_WRITES.updateRecords,
    all.filter(moved).map(written => columnsOf(written).slice(0, 9)),
  )
  await run(GROUP_WRITES.insertRecords, all.filter(({ before }) => before === null).map(columnsOf))
}

function keepsColumns({ record, before }: WrittenRecord): boolean {
  return (
    before !== null &&
    before.parent === record.parent &&
    before.live === record.live &&
    before.lockKey === record.lockKey
  )
}

async function writeWork(run: Run, changes: GroupChanges): Promise<void> {
  await run(
    GROUP_WRITES.deleteEffects,
    changes.doneEffects.map(({ account, effectId }) => [account, effectId]),
  )
  await run(
    GROUP_WRITES.insertEffects,
    [...changes.effects.values()].map(({ record: { account, kind, id }, value: { effectId, type, body }, number }) => [
      ...[account, kind, id, effectId, number],
      ...[laneOf(account, LANES), type, body],
    ]),
  )
  const timers = [...changes.timers.values()]
  const isStored = ({ record }: { readonly record: RecordState }) =>
    changes.records.get(nameOfRecord(record))?.before !== null
  await run(
    GROUP_WRITES.deleteTimers,
    timers.filter(isStored).map(({ record: { account, kind, id } }) => [account, kind, id]),
  )
  await run(
    GROUP_WRITES.insertTimers,
    timers.flatMap(({ record: { account, kind, id, position }, timers }) =>
      timers.map(({ name, dueAt }) => [account, kind, id, name, position, laneOf(account, LANES), dueAt]),
    ),
  )
}

async function writeTerms(run: Run, { terms, days }: GroupChanges): Promise<void> {
  const all = [...terms.values()]
  const rowOf = ({ record: { account, kind, position }, term }: (typeof all)[number]) => [account, kind, term, position]
  await run(GROUP_WRITES.removeTerms, all.filter(({ isEntered }) => !isEntered).map(rowOf))
  await run(GROUP_WRITES.enterTerms, all.filter(({ isEntered }) => isEntered).map(rowOf))
  await run(GROUP_WRITES.enterDays, dayRowsOf(days))
}

/** One row for each day: a statement cannot change a row twice. */
export function dayRowsOf(days: GroupChanges['days']): readonly (readonly Cell[])[] {
  const rows = new Map<string, { account: string; kind: string; day: number; first: number; last: number }>()
  for (const { record, day } of days) {
    const { account, kind } = record
    const position = record.position ?? 0
    const name = nameOf(account, kind, String(day))
    const known = rows.get(name)
    const first = Math.min(known?.first ?? position, position)
    rows.set(name, { account, kind, day, first, last: Math.max(known?.last ?? position, position) })
  }
  return [...rows.values()].map(({ account, kind, day, first, last }) => [account, kind, day, first, last])
}
