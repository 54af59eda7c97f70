// src/store/copy/sides.ts — the two sides of a copy: the store that is read, and the one that is filled.
import type { Key } from '../../engine/ports/store.ts'
import type { Cell, Ends, Row, Section } from './sections.ts'

/** Why a copy cannot begin, go on or be finished: a sentence for the operator. */
export class CopyProblem extends Error {
  override readonly name = 'CopyProblem'
}

/** A store that nobody changes while it is open here. */
export interface CopySource {
  /** Names it at the beginning of a sentence, without a password. */
  readonly where: string
  ends(): Promise<Ends>
  /** Time of the latest change of a record, epoch milliseconds; 0 without records. */
  changedAt(): Promise<number>
  count(section: Section): Promise<number>
  /** Rows after a place in the order of this store, from the beginning when it is null. */
  page(section: Section, after: readonly Cell[] | null, limit: number): Promise<readonly Row[]>
  /** The place of a row in the order of this store. */
  placeOf(section: Section, row: Row): readonly Cell[]
  /** Body of a record; null when there is none. */
  bodyOf(key: Key): Promise<string | null>
}

/** How far a copy has come: stored with the rows, so that it goes on after a kill. */
export interface CopyState {
  /** Number of sections that are copied whole. */
  readonly sections: number
  /** In the section under way: the place of the last copied row in the source, and the number of copied rows. */
  readonly after: readonly Cell[] | null
  readonly rows: number
  /** Set when everything is copied and compared. */
  readonly verified: readonly CopiedSection[] | null
}

export const NOTHING_COPIED: CopyState = { sections: 0, after: null, rows: 0, verified: null }

export interface CopiedSection {
  readonly name: string
  readonly rows: number
  /** Of the rows in the order of the source, hexadecimal. */
  readonly sha256: string
}

/** A store that only this copy writes. No gateway starts on it before `release`. */
export interface CopyTarget {
  readonly where: string
  /** What an earlier run has left. */
  readonly state: CopyState
  /** Writes rows, and the state that they make, in one transaction. */
  write(section: Section, rows: readonly Row[], state: CopyState): Promise<void>
  /** The rows that these rows of the source have become, in their order. */
  find(section: Section, rows: readonly Row[]): Promise<readonly (Row | undefined)[]>
  count(section: Section): Promise<number>
  ends(): Promise<Ends>
  /** Makes the store give out no number up to these again. */
  moveEnds(ends: Ends): Promise<void>
  /** Opens the store to gateways. */
  release(verified: readonly CopiedSection[]): Promise<void>
}

/** A record without events that the target has even if the source has none, such as the mode of the gateway. */
export interface AddedRecord {
  readonly key: Key
  readonly body: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The name of a store within a sentence. */
export function inSentence(where: string): string {
  return where.replace(/^The database /, 'the database ')
}
