// src/store/copy/refusals.ts — why a target is not filled.
import type { Cell, Section } from './sections.ts'
import { CopyProblem } from './sides.ts'

/** @param where the target at the beginning of a sentence; @param holds what was found in it */
export function notEmpty(where: string, holds?: string): CopyProblem {
  const found = holds === undefined ? '' : ` (${holds})`
  return new CopyProblem(`${where} is not empty${found}; name an empty target with --to, or move away what it holds.`)
}

export function foreignCopy(where: string): CopyProblem {
  return new CopyProblem(
    `${where} is the unfinished copy of another store, or its source has changed since; remove it and copy again.`,
  )
}

/** A row that the other kind of store cannot hold, such as two effects with one id. @param place names the row */
export function unfitting({ name }: Section, place: readonly Cell[], store: string): CopyProblem {
  return new CopyProblem(
    `The row ${JSON.stringify(place)} of ${name} cannot be stored in ${store}; the copy is not finished.`,
  )
}
