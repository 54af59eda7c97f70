// src/api/versions/socket-versions.ts — the versions of the WebSocket interface.
// The gateway uses the newest version only; mappings derive the schemas of older versions. ADR 11.
import type { RpcMethod } from '../socket/method.ts'
import { PUSHES } from '../socket/pushes.ts'
import { TABLE_PUSHES } from '../socket/table-pushes.ts'
import type { VersionMapping, VersionSchemas } from './socket-schemas.ts'
import { V0 } from './socket-v1-to-v0.ts'

export interface SocketVersion {
  readonly version: string
  /** REST versions of the same age. A default version among them selects this one. */
  readonly restVersions: readonly string[]
  /** Whether a till that names this version must send the partner ids. */
  readonly demandsPartner: boolean
  /** Mapping from the next newer version; null for the newest. */
  readonly mapping: VersionMapping | null
}

/** All versions, newest first. A new version is a row on top, and a mapping for the one below. */
export const SOCKET_VERSIONS: readonly [SocketVersion, ...SocketVersion[]] = [
  { version: 'v1', restVersions: ['v2'], demandsPartner: true, mapping: null },
  { version: 'v0', restVersions: ['v1', 'v0'], demandsPartner: false, mapping: V0 },
]

/** Finds a version by its name, case-insensitively. Undefined when there is none. */
export function socketVersionOf(version: string): SocketVersion | undefined {
  return SOCKET_VERSIONS.find(apiVersion => apiVersion.version === version.toLowerCase())
}

/** Version for tills that name none. @param chosen the default REST version */
export function defaultSocketVersion(chosen: string): SocketVersion {
  return SOCKET_VERSIONS.find(({ restVersions }) => restVersions.includes(chosen)) ?? SOCKET_VERSIONS[0]
}

/** Schemas of the methods and pushed messages in a version. */
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
