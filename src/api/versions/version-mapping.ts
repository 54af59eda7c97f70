// src/api/versions/version-mapping.ts — what lies between a version of the connect interface and the next newer one.
import type { JsonObject } from '../read/json-body.ts'

/** An answer on its way to the wire. Without a body: empty. */
export interface WireAnswer {
  readonly status: number
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The step between a version and the next newer one: JSON in, JSON out. It knows nothing of the domain. `operation` is
 * the name of an operation.
 */
export interface VersionMapping {
  /** Operations whose answer tells how it went. The newest version says at once that it will. */
  readonly heldOperations: ReadonlySet<string>
  /** What is different from the newer version, by operation, in words. */
  readonly differences: Readonly<Record<string, string>>
  /** Turns the query of a request of the older version into one of the newer. */
  upgradeQuery(operation: string, query: JsonObject): JsonObject
  /** The same for its body. */
  upgrade(operation: string, body: JsonObject): JsonObject
  /** Turns an answer of the newer version, success or refusal, into one of the older. */
  downgrade(operation: string, answer: WireAnswer): WireAnswer
}
