// src/api/http/representation.ts — an answer about a record is serialised once for all who ask, and known by its ETag.
import { createHash } from 'node:crypto'
import type { Entry } from '../../engine/cache.ts'
import type { JsonObject } from '../read/json-body.ts'
import { type ApiVersion, downgrade } from '../versions/select.ts'

/** Serialised answers kept per version of a record: API versions times names of this host, a handful in practice. */
const KEPT_PER_RECORD = 8

export interface Representation {
  /** 200, unless the caller's version has another one for a record at this stage. */
  readonly status: number
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
    about: {
      readonly operation: string
      readonly apiVersion: ApiVersion
      readonly base: string
      /** Tells apart what the same operation answers to different questions. */
      readonly variant?: string
    },
    build: () => JsonObject,
  ): Representation
}

/** Bytes live in the record's own entry and go with it; what else there is to them is kept beside them. */
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
      const kept = entry.answers?.get(name)
      const known = kept === undefined ? undefined : made.get(kept)
      if (known !== undefined) return known
      const { status, body } = downgrade(apiVersion, operation, { status: 200, body: build() })
      const bytes = Buffer.from(JSON.stringify(body))
      entry.answers ??= new Map()
      if (entry.answers.size < KEPT_PER_RECORD) entry.answers.set(name, bytes)
      return represent(bytes, status)
    },
  }
}

/** Whether an If-None-Match header names this tag. Comparison is weak. RFC 9110 §13.1.2. */
export function noneMatchNames(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
