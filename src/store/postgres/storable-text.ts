// src/store/postgres/storable-text.ts — text that Postgres can store: it has no U+0000, and no halves of surrogate pairs.
import type { Commit } from '../../engine/ports/store.ts'

/** Stands for such characters, which callers can send in ids and names. On SQLite it stands for halves of pairs, too. */
const INSTEAD = '\uFFFD'
const HALF = /\p{Surrogate}/gu

/** A value of a statement, or an array of them. The connection itself replaces halves of pairs. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value)
  return Array.isArray(value) ? value.map(storableValue) : value
}

/** The commit with keys as they are stored, because a group compares them with those that it reads. */
export function storableCommit(commit: Commit): Commit {
  const { idempotency, uniqueKeys, searchTerms, lockKey } = commit
  return {
    ...commit,
    ...{ account: storable(commit.account), id: storable(commit.id), parent: storable(commit.parent) },
    lockKey: lockKey === null ? null : storable(lockKey),
    idempotency: idempotency === null ? null : { ...idempotency, key: storable(idempotency.key) },
    ...(uniqueKeys === undefined ? {} : { uniqueKeys: uniqueKeys.map(storable) }),
    ...(searchTerms === undefined
      ? {}
      : { searchTerms: { added: searchTerms.added.map(storable), removed: searchTerms.removed.map(storable) } }),
  }
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', INSTEAD) : text
}

function storable(text: string): string {
  return withoutNul(text).replace(HALF, INSTEAD)
}
