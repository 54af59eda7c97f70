// src/api/versions/socket-schemas.ts — what one version knows: what methods and pushed messages are called there, what they
// take and give, and how to get from there to the newest version and back.
import type { TObject, TSchema } from 'typebox'
import type { RefusalCode } from '../../domain/refusals.ts'
import type { JsonObject } from '../read/json-body.ts'
import type { RpcMethod } from '../socket/method.ts'

/** A method as one version knows it. */
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
  /** The method of the newest version that does the work. */
  readonly method: RpcMethod
  /** Params of this version to those of the newest. */
  upgrade(params: JsonObject): JsonObject
  /** A result of the newest version to one of this, given what was asked. */
  downgrade(result: unknown, params: JsonObject): unknown
  /** Answers only when the outcome is known. */
  readonly waits?: true
}

/** A message that nobody asks for, as one version knows it. */
export interface PushSchemas {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly params: TObject
  /** What the till replies; null: it does not. */
  readonly result: TSchema | null
  readonly example: { readonly params: JsonObject; readonly result?: unknown }
  /** What each of its words means, for people. */
  readonly words?: Readonly<Record<string, string>>
  /** Null: this version knows nothing of it. */
  downgrade(params: JsonObject): JsonObject | null
}

/** To a till that keeps its tables itself, by what the core calls them. */
export type TablePushes = Readonly<
  Record<'tables' | 'lock' | 'bill' | 'payments' | 'finalBill' | 'unlock', PushSchemas>
>

export interface VersionSchemas {
  readonly methods: readonly MethodSchemas[]
  readonly notification: PushSchemas
  readonly signatureQuestion: PushSchemas
  /** To a till that keeps its tables itself, by what the core calls them. */
  readonly tables: TablePushes
  /** What `tid` is called. */
  readonly terminalMember: string
}

/** From the forms of a version to those of the next older one. It knows nothing of the domain. */
export type VersionMapping = (newer: VersionSchemas) => VersionSchemas
