// src/store/postgres/group-state.ts — reads what a group of commits depends on, while its accounts are locked.
import type { Commit, Key } from '../../engine/ports/store.ts'
import { isAccountKey } from '../../engine/ports/store.ts'
import { storedKey } from '../stored-keys.ts'
import type { Query } from './session.ts'
import { GROUP_READS } from './statements.ts'

/** A record as the database has it, or as earlier commits of the group leave it. */
export interface RecordState extends Key {
  /** Null until the number of a new record is drawn. */
  position: number | null
  version: number
  parent: string
  live: boolean
  /** As it is stored. */
  lockKey: string | null
  readonly createdAt: number
}

/** Who has a key; `id` is null when the record is erased. */
export interface Holder {
  readonly account: string
  readonly kind: string
  readonly id: string | null
}

/** Maps are keyed by `nameOf` account and key. Commits are decided on it, and change it. */
export interface GroupState {
  readonly records: Map<string, RecordState>
  readonly lockKeys: Map<string, Holder>
  readonly uniqueKeys: Map<string, Holder>
  /** By the key alone. */
  readonly accountKeys: Map<string, Holder>
  /** When the answer to a request expires. */
  readonly idempotency: Map<string, number>
  /** By lane. */
  readonly fences: Map<number, number>
}

/** Joins the parts of a key. Postgres stores no text with the character between them. */
export function nameOf(...parts: readonly string[]): string {
  return parts.join('\0')
}

/** The lock key that a record occupies, as it is stored. */
export function heldKeyOf({ account, live, lockKey }: Pick<Commit, 'account' | 'live' | 'lockKey'>): string | null {
  return live && lockKey !== null ? storedKey(account, lockKey) : null
}

/** The unique keys that a commit takes, as they are stored. */
export function uniqueKeysOf({ account, uniqueKeys = [] }: Commit): readonly string[] {
  return uniqueKeys.map(key => storedKey(account, key))
}

/** Reads everything that these commits can depend on. A part that no commit needs costs no statement. */
export async function readGroupState(query: Query, commits: readonly Commit[]): Promise<GroupState> {
  const held = commits.flatMap(commit => pairs(commit.account, [heldKeyOf(commit)]))
  const taken = commits.flatMap(commit => pairs(commit.account, uniqueKeysOf(commit)))
  const requests = commits.flatMap(({ account, idempotency }) => pairs(account, [idempotency?.key ?? null]))
  const accountKeys = [...held, ...taken].map(([, key]) => key).filter(isAccountKey)
  const lanes = [...new Set(commits.flatMap(({ lease }) => lease?.lane ?? []))]
  const state: GroupState = {
    records: new Map(),
    lockKeys: new Map(),
    uniqueKeys: new Map(),
    accountKeys: new Map(),
    idempotency: new Map(),
    fences: new Map(),
  }
  if (lanes.length > 0)
    for (const { lane, fence } of await query<{ lane: number; fence: number }>(GROUP_READS.fences, [lanes]))
      state.fences.set(lane, fence)
  for (const record of await readRecords(query, commits)) state.records.set(nameOfRecord(record), record)
  if (held.length > 0)
    for (const { account, key, kind, id } of await query<KeyRow>(GROUP_READS.lockKeys, columnsOf(held)))
      state.lockKeys.set(nameOf(account, key), { account, kind, id })
  if (taken.length > 0)
    for (const { account, key, kind, id } of await query<KeyRow>(GROUP_READS.uniqueKeys, columnsOf(taken)))
      state.uniqueKeys.set(nameOf(account, key), { account, kind, id })
  if (accountKeys.length > 0)
    for (const { key, account, kind, id } of await query<KeyRow>(GROUP_READS.accountKeys, [accountKeys]))
      state.accountKeys.set(key, { account, kind, id })
  if (requests.length > 0)
    for (const { account, key, expiresAt } of await query<ExpiryRow>(GROUP_READS.idempotency, columnsOf(requests)))
      state.idempotency.set(nameOf(account, key), expiresAt)
  return state
}

/** Reads records, each once. */
export async function readRecords(query: Query, keys: readonly Key[]): Promise<readonly RecordState[]> {
  const distinct = [...new Map(keys.map(key => [nameOfRecord(key), key])).values()]
  return distinct.length === 0 ? [] : query<RecordState>(GROUP_READS.records, keyColumnsOf(distinct))
}

export function nameOfRecord({ account, kind, id }: Key): string {
  return nameOf(account, kind, id)
}

/** The values of a statement over record keys. */
export function keyColumnsOf(keys: readonly Key[]): readonly [string[], string[], string[]] {
  return [keys.map(({ account }) => account), keys.map(({ kind }) => kind), keys.map(({ id }) => id)]
}

interface KeyRow {
  readonly account: string
  readonly key: string
  readonly kind: string
  readonly id: string
}

interface ExpiryRow {
  readonly account: string
  readonly key: string
  readonly expiresAt: number
}

type Pair = readonly [account: string, key: string]

function pairs(account: string, keys: readonly (string | null)[]): readonly Pair[] {
  return keys.flatMap(key => (key === null ? [] : [[account, key] as const]))
}

function columnsOf(found: readonly Pair[]): readonly [string[], string[]] {
  return [found.map(([account]) => account), found.map(([, key]) => key)]
}
