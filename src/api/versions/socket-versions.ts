// src/api/versions/socket-versions.ts — the versions of the JSON-RPC interface, newest first. The core speaks the newest only;
// each step makes the forms of the next older version from those of a newer one.
import type { RpcMethod } from '../socket/method.ts'
import { PUSHES } from '../socket/pushes.ts'
import { TABLE_PUSHES } from '../socket/table-pushes.ts'
import type { VersionMapping, VersionSchemas } from './socket-schemas.ts'
import { V0 } from './socket-v1-to-v0.ts'

export interface SocketVersion {
  readonly version: string
  /** Versions of the other interface of the same age: who has chosen one of them as a default means this one here. */
  readonly restVersions: readonly string[]
  /** Whether a till that names this version must say who made and who installed it. */
  readonly demandsPartner: boolean
  /** From the next newer rung; null for the newest. */
  readonly mapping: VersionMapping | null
}

/** Newest first. A new version is a rung on top, and a step below it. */
export const SOCKET_VERSIONS: readonly [SocketVersion, ...SocketVersion[]] = [
  { version: 'v1', restVersions: ['v2'], demandsPartner: true, mapping: null },
  { version: 'v0', restVersions: ['v1', 'v0'], demandsPartner: false, mapping: V0 },
]

/** The rung of a version by its name, in any case of letters; undefined when there is none. */
export function socketVersionOf(version: string): SocketVersion | undefined {
  return SOCKET_VERSIONS.find(apiVersion => apiVersion.version === version.toLowerCase())
}

/** The rung for those who name none, by the default that was chosen for the other interface. */
export function defaultSocketVersion(chosen: string): SocketVersion {
  return SOCKET_VERSIONS.find(({ restVersions }) => restVersions.includes(chosen)) ?? SOCKET_VERSIONS[0]
}

/** What a version knows of these methods. */
export function schemasOf(apiVersion: SocketVersion, methods: readonly RpcMethod[]): VersionSchemas {
  const newest: VersionSchemas = {
    methods: methods.map(method => ({ ...method, method, upgrade: params => params, downgrade: result => result })),
    ...PUSHES,
    tables: TABLE_PUSHES,
    terminalMember: 'tid',
  }
  const steps = SOCKET_VERSIONS.slice(0, SOCKET_VERSIONS.indexOf(apiVersion) + 1).flatMap(
    ({ mapping }) => mapping ?? [],
  )
  return steps.reduce((forms, mapping) => mapping(forms), newest)
}
