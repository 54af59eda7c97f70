// src/api/versions/version-mapping.ts — the type of a mapping between two REST versions.
import type { JsonObject } from '../read/json-body.ts'

/** An answer before its serialisation. Empty without `body`. */
export interface WireAnswer {
  readonly status: number
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Converts JSON between a version and the next newer one, without knowledge of the domain. `operation` is the name of an
 * operation.
 */
export interface VersionMapping {
  /** Operations whose answer waits for the outcome. The newest version answers at once. */
  readonly deferredOperations: ReadonlySet<string>
  /** Differences from the newer version by operation, for the OpenAPI document. */
  readonly differences: Readonly<Record<string, string>>
  /** Converts the query of a request to the newer version. */
  upgradeQuery(operation: string, query: JsonObject): JsonObject
  /** Converts the body of a request to the newer version. */
  upgrade(operation: string, body: JsonObject): JsonObject
  /** Converts an answer, success or refusal, to the older version. */
  downgrade(operation: string, answer: WireAnswer): WireAnswer
}
