// src/store/sqlite/term-writes.ts — writes the indexes by which lists find records. ADR 55.
import type { Key, TermChanges, TermsBatch } from '../../engine/ports/store.ts'
import { dayOf } from '../days.ts'
import type { Writes } from './writes.ts'

type OfKind = Pick<Key, 'account' | 'kind'>

/** Enters the changes of a commit, and the day of a new record. */
export function changeTerms(
  writes: Writes,
  { account, kind, at }: OfKind & { readonly at: number },
  { added, removed }: TermChanges,
  { position, isNew }: { readonly position: number | bigint; readonly isNew: boolean },
): void {
  if (isNew) writes.enterDay.run(account, kind, dayOf(at), position, position)
  removeTerms(writes, { account, kind }, removed, position)
  for (const term of added) writes.enterTerm.run(account, kind, term, position)
}

export function removeTerms(
  writes: Writes,
  { account, kind }: OfKind,
  terms: readonly string[],
  position: number | bigint,
): void {
  for (const term of terms) writes.removeTerm.run(account, kind, term, position)
}

/** Enters the terms and days of records in the version that they were read in. Returns the number of changed ones. */
export function enterTerms(writes: Writes, { name, progress, records }: TermsBatch): number {
  let changed = 0
  for (const { kind, account, id, version, terms } of records) {
    const row = writes.record.get(kind, account, id)
    // Erased meanwhile.
    if (row === undefined) continue
    if (row.version !== version) {
      changed += 1
      continue
    }
    const { position, createdAt } = row
    changeTerms(writes, { account, kind, at: createdAt }, { added: terms, removed: [] }, { position, isNew: true })
  }
  if (changed === 0) writes.writeProgress.run(name, progress.after, progress.finished ? 1 : 0)
  return changed
}
