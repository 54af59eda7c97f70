// src/store/memory-tables.ts — what the memory store keeps, and the one way it changes: a commit, whole or not at all.
import assert from 'node:assert/strict'
import type {
  Commit,
  CommitResult,
  Idempotency,
  ImageRecord,
  Key,
  ListedRecord,
  StoredEffect,
  StoredEvent,
  StoredTimer,
} from '../engine/ports.ts'
import { insert, type Order, remove, type SortedList } from './sorted-list.ts'

/** A record and what it holds. The lists refer to the row itself, so only what they are ordered by is fixed. */
export interface Row {
  readonly position: number
  record: ListedRecord
  parent: string
  live: boolean
  /** Null as soon as the record is no longer live. */
  exclusive: string | null
  timers: readonly Timer[]
}
export interface Timer extends StoredTimer {
  readonly position: number
}

export interface Tables {
  /** By `join(kind, account, id)`. */
  readonly rows: Map<string, Row>
  /** Lists in order of creation; `shelvesOf` says on which of them a record stands. */
  readonly shelves: Map<string, SortedList<Row>>
  /** By exclusive key. */
  readonly holders: Map<string, Row>
  /** By key that was taken for good. */
  /** Null: by a record that was erased. */
  readonly claimants: Map<string, Row | null>
  /** By `join(kind, account, id)`. */
  readonly eventsOfRecord: Map<string, StoredEvent[]>
  readonly eventsOfAccount: Map<string, StoredEvent[]>
  /** What is still to be done, in order of insertion. */
  readonly effects: Map<string, StoredEffect>
  /** Earliest first. */
  readonly timers: SortedList<Timer>
  /** By `join(account, key)`. */
  readonly idempotency: Map<string, Idempotency>
  lastCursor: number
  lastPosition: number
}

export function emptyTables(): Tables {
  return {
    rows: new Map(),
    shelves: new Map(),
    holders: new Map(),
    claimants: new Map(),
    eventsOfRecord: new Map(),
    eventsOfAccount: new Map(),
    effects: new Map(),
    timers: [],
    idempotency: new Map(),
    lastCursor: 0,
    lastPosition: 0,
  }
}

/** Writes a commit, or says why not. @throws AssertionError, before anything is written, for ids that are not unique. */
export function write(tables: Tables, commit: Commit): CommitResult {
  const before = tables.rows.get(nameOf(commit))
  const exclusive = commit.live ? commit.exclusive : null
  const refusal = refusalOf(tables, commit, before, exclusive)
  if (refusal !== null) return refusal
  refuseRepeatedIds(tables, commit)

  const { account, kind, id } = commit
  const row = before ?? addRow(tables, commit)
  changeRow(tables, row, commit, exclusive)
  for (const claim of commit.claims ?? []) tables.claimants.set(claim, row)
  appendEvents(tables, commit)
  for (const effectId of commit.effectsDone) tables.effects.delete(effectId)
  for (const { effectId, type, body } of commit.effects)
    tables.effects.set(effectId, { account, kind, id, effectId, type, body })
  if (commit.idempotency !== null) {
    const { key, fingerprint, answer, expiresAt } = commit.idempotency
    tables.idempotency.set(join(account, key), { key, fingerprint, answer, expiresAt })
  }
  return 'written'
}

export function nameOf({ kind, account, id }: Key): string {
  return join(kind, account, id)
}

/** One name out of several. No name the gateway gives or takes holds the character between them. */
export function join(...parts: readonly string[]): string {
  return parts.join('\0')
}

/** The list of records of a kind, narrowed to an account and a parent, or to the live ones. */
export function shelf(tables: Tables, live: boolean, ...parts: readonly string[]): SortedList<Row> {
  return tables.shelves.get(shelfName(live, parts)) ?? []
}

/** Every store keeps this order: whoever repeats a request gets its first answer, whatever has happened since. */
function refusalOf(
  tables: Tables,
  { account, idempotency, at, expectedVersion, claims = [] }: Commit,
  before: Row | undefined,
  exclusive: string | null,
): CommitResult | null {
  if (idempotency !== null) {
    const first = tables.idempotency.get(join(account, idempotency.key))
    if (first !== undefined && first.expiresAt > at) return 'idempotency_key_taken'
  }
  if ((before?.record.version ?? 0) !== expectedVersion) return 'version_moved'
  if (exclusive !== null && exclusive !== before?.exclusive && tables.holders.has(exclusive)) return 'exclusive_taken'
  if (claims.some(claim => tables.claimants.has(claim) && tables.claimants.get(claim) !== before)) return 'claim_taken'
  return null
}

function refuseRepeatedIds(tables: Tables, { effects, effectsDone, timers }: Commit): void {
  const ids = new Set(effects.map(effect => effect.effectId))
  assert(ids.size === effects.length, 'the effects of a commit differ in their ids')
  for (const id of ids) assert(effectsDone.includes(id) || !tables.effects.has(id), 'an effect is stored once')
  const names = new Set(timers?.map(timer => timer.name))
  assert(names.size === (timers?.length ?? 0), 'the timers of a record differ in their names')
}

function addRow(tables: Tables, { account, kind, id, version, body, parent }: Placed): Row {
  tables.lastPosition += 1
  const position = tables.lastPosition
  const record = { position, account, kind, id, version, body }
  const row: Row = { position, record, parent, live: false, exclusive: null, timers: [] }
  tables.rows.set(nameOf(record), row)
  for (const name of shelvesOf(row)) putOn(tables, name, row)
  return row
}

function changeRow(tables: Tables, row: Row, commit: Placed, exclusive: string | null): void {
  const { account, kind, id, version, body, parent, live } = commit
  row.record = { position: row.position, account, kind, id, version, body }
  if (row.parent !== parent || row.live !== live) {
    const before = shelvesOf(row)
    row.parent = parent
    row.live = live
    const after = shelvesOf(row)
    for (const name of before) if (!after.includes(name)) remove(tables.shelves.get(name) ?? [], row, byPosition)
    for (const name of after) if (!before.includes(name)) putOn(tables, name, row)
  }
  if (row.exclusive !== null) tables.holders.delete(row.exclusive)
  row.exclusive = exclusive
  if (exclusive !== null) tables.holders.set(exclusive, row)
  if (commit.timers !== null) {
    for (const timer of row.timers) remove(tables.timers, timer, byDueTime)
    row.timers = commit.timers.map(({ name, dueAt }) => ({ account, kind, id, name, dueAt, position: row.position }))
    for (const timer of row.timers) insert(tables.timers, timer, byDueTime)
  }
}

/** What of a commit decides where its record stands. */
type Placed = Pick<Commit, 'account' | 'kind' | 'id' | 'version' | 'body' | 'parent' | 'live' | 'timers'>

/** Adds a record as it once was, with its events under their cursors. */
export function addRecord(tables: Tables, record: ImageRecord & { readonly account: string }): void {
  const { account, kind, id, claims = [], events, effects } = record
  const row = addRow(tables, record)
  changeRow(tables, row, record, record.exclusive)
  for (const claim of claims) tables.claimants.set(claim, row)
  for (const { cursor, version, at, type, body } of events) {
    const event = { cursor, account, kind, id, version, at, type, body }
    append(tables.eventsOfRecord, join(kind, account, id), event)
    append(tables.eventsOfAccount, account, event)
  }
  for (const { effectId, type, body } of effects)
    tables.effects.set(effectId, { account, kind, id, effectId, type, body })
}

/** Takes a record away from all lists. Its effects, and its events in the account's feed, are left to the caller. */
export function removeRecord(tables: Tables, row: Row): void {
  for (const name of shelvesOf(row)) remove(tables.shelves.get(name) ?? [], row, byPosition)
  if (row.exclusive !== null) tables.holders.delete(row.exclusive)
  for (const claim of claimsOf(tables, row)) tables.claimants.delete(claim)
  for (const timer of row.timers) remove(tables.timers, timer, byDueTime)
  tables.eventsOfRecord.delete(nameOf(row.record))
  tables.rows.delete(nameOf(row.record))
}

/** Erases a record that is still at this version. Keys that were claimed for good are claimed by no record from then on. */
export function erase(tables: Tables, { version, ...key }: Key & { readonly version: number }): boolean {
  const row = tables.rows.get(nameOf(key))
  if (row?.record.version !== version) return false
  const claims = claimsOf(tables, row)
  removeRecord(tables, row)
  for (const claim of claims) tables.claimants.set(claim, null)
  const ofAccount = tables.eventsOfAccount.get(row.record.account) ?? []
  const isOf = (each: Key): boolean => nameOf(each) === nameOf(row.record)
  tables.eventsOfAccount.set(
    row.record.account,
    ofAccount.filter(event => !isOf(event)),
  )
  for (const [effectId, effect] of tables.effects) if (isOf(effect)) tables.effects.delete(effectId)
  return true
}

/** What a record has taken for good, sorted. Looked for among all of them: only images ask. */
export function claimsOf(tables: Tables, row: Row): readonly string[] {
  return [...tables.claimants].flatMap(([claim, claimant]) => (claimant === row ? [claim] : [])).toSorted()
}

function appendEvents(tables: Tables, { account, kind, id, events }: Commit): void {
  for (const { version, at, type, body } of events) {
    tables.lastCursor += 1
    const event = { cursor: tables.lastCursor, account, kind, id, version, at, type, body }
    append(tables.eventsOfRecord, join(kind, account, id), event)
    append(tables.eventsOfAccount, account, event)
  }
}

function append<Item>(lists: Map<string, Item[]>, name: string, item: Item): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [item])
  else list.push(item)
}

/** A record stands on three lists, and while it is live on three more. */
function shelvesOf({ record: { kind, account }, parent, live }: Row): readonly string[] {
  return (live ? [false, true] : [false]).flatMap(only => [
    shelfName(only, [kind]),
    shelfName(only, [kind, account]),
    shelfName(only, [kind, account, parent]),
  ])
}

function shelfName(live: boolean, parts: readonly string[]): string {
  return join(live ? 'live' : 'all', ...parts)
}

function putOn(tables: Tables, name: string, row: Row): void {
  const list = tables.shelves.get(name) ?? []
  tables.shelves.set(name, list)
  insert(list, row, byPosition)
}

const byPosition: Order<Row> = (a, b) => a.position - b.position

const byDueTime: Order<Timer> = (a, b) =>
  a.dueAt - b.dueAt || a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
