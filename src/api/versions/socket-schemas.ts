// src/api/versions/socket-schemas.ts — types for the methods and pushed messages of one WebSocket version.
import type { TObject, TSchema } from 'typebox'
import type { RefusalCode } from '../../domain/refusals.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { RpcMethod } from '../socket/method.ts'

/** A method in one version. */
export interface MethodSchemas {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly params: TObject
  readonly paramsOptional?: true
  readonly passedOver?: readonly string[]
  readonly result: TSchema
  readonly example: { readonly params: JsonObject; readonly result: unknown }
  readonly refusals: readonly RefusalCode[]
  /** The method of the newest version that is run. */
  readonly method: RpcMethod
  /** Upgrades params of this version to the newest. */
  upgrade(params: JsonObject): JsonObject
  /** Downgrades a result of the newest version to this one. @param params params of the request */
  downgrade(result: unknown, params: JsonObject): unknown
  /** Set when the answer waits for the outcome. */
  readonly waits?: true
}

/** A pushed message in one version. */
export interface PushSchemas {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly params: TObject
  /** Schema of the till's reply; null for a notification. */
  readonly result: TSchema | null
  readonly example: { readonly params: JsonObject; readonly result?: unknown }
  /** Meanings of its enumerated values, for the generated documents. */
  readonly words?: Readonly<Record<string, string>>
  /** Downgrades params to this version. Null when the version does not have the message. */
  downgrade(params: JsonObject): JsonObject | null
}

/** Messages to POS table providers, by their name in the services. */
export type TablePushes = Readonly<
  Record<'tables' | 'lock' | 'bill' | 'payments' | 'finalBill' | 'unlock', PushSchemas>
>

export interface VersionSchemas {
  readonly methods: readonly MethodSchemas[]
  readonly notification: PushSchemas
  readonly signatureRequest: PushSchemas
  readonly tables: TablePushes
  /** Name of the `tid` member in this version. */
  readonly terminalMember: string
}

/** Maps the schemas of a version to those of the next older one. */
export type VersionMapping = (newer: VersionSchemas) => VersionSchemas
