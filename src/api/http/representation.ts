// src/api/http/representation.ts — caches serialised answers about a record, with their ETags.
import { createHash } from 'node:crypto'
import type { Entry } from '../../engine/cache.ts'
import type { JsonObject } from '../read/json-body.ts'
import { type ApiVersion, downgrade } from '../versions/select.ts'

/** Answers cached per version of a record: API versions times names of this host, a handful in practice. */
const ANSWERS_PER_RECORD = 8

export interface Representation {
  /** 200, unless the caller's API version has another status for this stage of the record. */
  readonly status: number
  readonly bytes: Uint8Array
  /** Strong ETag, derived from the bytes. */
  readonly etag: string
}

export interface Representations {
  /**
   * Returns the answer about a record for one API version and base address.
   * @param build builds the body in the newest version; called when the answer is not cached
   */
  of(
    entry: Entry<unknown>,
    about: {
      readonly operation: string
      readonly apiVersion: ApiVersion
      readonly base: string
      /** Distinguishes answers of the same operation, for example by its query. */
      readonly variant?: string
    },
    build: () => JsonObject,
  ): Representation
}

/** The bytes are cached in the record's cache entry and are evicted with it; status and ETag in a WeakMap by the bytes. */
export function createRepresentations(): Representations {
  const made = new WeakMap<Uint8Array, Representation>()

  function represent(bytes: Uint8Array, status: number): Representation {
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const representation = { status, bytes, etag }
    made.set(bytes, representation)
    return representation
  }

  return {
    of(entry, { operation, apiVersion, base, variant = '' }, build) {
      const name = `${operation} ${variant} ${apiVersion.version} ${base}`
      const cached = entry.answers?.get(name)
      const known = cached === undefined ? undefined : made.get(cached)
      if (known !== undefined) return known
      const { status, body } = downgrade(apiVersion, operation, { status: 200, body: build() })
      const bytes = Buffer.from(JSON.stringify(body))
      entry.answers ??= new Map()
      if (entry.answers.size < ANSWERS_PER_RECORD) entry.answers.set(name, bytes)
      return represent(bytes, status)
    },
  }
}

/** Whether an If-None-Match header matches this ETag, by weak comparison. RFC 9110 §13.1.2. */
export function noneMatchNames(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
