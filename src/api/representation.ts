// src/api/representation.ts — an answer about a record is serialised once for all who ask, and known by its ETag.
import { createHash } from 'node:crypto'
import type { Entry } from '../engine/cache.ts'
import type { JsonObject } from './read/json-body.ts'
import { lower, type Rung } from './versions/ladder.ts'

/** Serialised answers kept per version of a record: API versions times names of this host, a handful in practice. */
const KEPT_PER_RECORD = 8

export interface Representation {
  readonly bytes: Uint8Array
  /** Strong: equal exactly when the bytes are. */
  readonly etag: string
}

export interface Representations {
  /**
   * The answer about a record to callers of one version under one base address.
   * @param build makes the body in the newest version; called only when nobody has asked before
   */
  of(
    entry: Entry<unknown>,
    about: { readonly operation: string; readonly rung: Rung; readonly base: string },
    build: () => JsonObject,
  ): Representation
}

/** Bytes live in the record's own entry and go with it; their tags are kept beside them. */
export function createRepresentations(): Representations {
  const etags = new WeakMap<Uint8Array, string>()

  function tagged(bytes: Uint8Array): Representation {
    let etag = etags.get(bytes)
    if (etag === undefined) {
      etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      etags.set(bytes, etag)
    }
    return { bytes, etag }
  }

  return {
    of(entry, { operation, rung, base }, build) {
      const name = `${operation} ${rung.version} ${base}`
      const kept = entry.answers.get(name)
      if (kept !== undefined) return tagged(kept)
      const { body } = lower(rung, operation, { status: 200, body: build() })
      const bytes = Buffer.from(JSON.stringify(body))
      if (entry.answers.size < KEPT_PER_RECORD) entry.answers.set(name, bytes)
      return tagged(bytes)
    },
  }
}

/** Whether an If-None-Match header names this tag. Comparison is weak. RFC 9110 §13.1.2. */
export function noneMatchNames(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
