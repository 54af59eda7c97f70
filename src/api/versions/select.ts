// src/api/versions/select.ts — the versions of the connect interface, and their selection.
// The gateway uses the newest version only: requests are upgraded and answers downgraded, one version at a time. ADR 11.

import { memoise } from '../../engine/memoise.ts'
import type { JsonObject } from '../read/json-body.ts'
import { requestedVersion } from './accept.ts'
import { V0 } from './v1-to-v0.ts'
import { V1 } from './v2-to-v1.ts'
import type { VersionMapping, WireAnswer } from './version-mapping.ts'

export interface ApiVersion {
  readonly version: string
  readonly mediaType: string
  /** Whether a request that names this version must have the partner headers. Otherwise they are optional. */
  readonly demandsPartner: boolean
  /** Prefix of counter addresses in answers of this version. All versions are served under all prefixes. */
  readonly prefix: string
  /** Mapping between the next newer version and this one; null for the newest. */
  readonly mapping: VersionMapping | null
}

/** All versions, newest first. A new version is a row on top, and a mapping for the one below. */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [
  { version: 'v2', mediaType: 'application/connect.v2+json', demandsPartner: true, prefix: '/pac', mapping: null },
  { version: 'v1', mediaType: 'application/connect.v1+json', demandsPartner: false, prefix: '/pac', mapping: V1 },
  { version: 'v0', mediaType: 'application/connect.v0+json', demandsPartner: false, prefix: '/retail', mapping: V0 },
]

/** Mappings between each version and the newest, newest first. Precomputed, because every request needs them. */
const MAPPINGS_FROM: ReadonlyMap<ApiVersion, readonly VersionMapping[]> = new Map(
  API_VERSIONS.map((apiVersion, index) => [
    apiVersion,
    API_VERSIONS.slice(0, index + 1).flatMap(({ mapping }) => mapping ?? []),
  ]),
)

/** Cached Accept headers: each till product sends its own. */
const CACHED_HEADERS = 256

export interface Chosen {
  readonly apiVersion: ApiVersion
  /** Whether the caller named the version. */
  readonly named: boolean
  /** Whether the caller accepts no existing version. The refusal is sent in `apiVersion`. */
  readonly unknown: boolean
}

/**
 * Returns a function that chooses the version by Accept header and address. A request that names no version gets the
 * default, or, under a prefix that only an old version has, that old version.
 * @throws Error when `defaultVersion` does not exist
 */
export function createChooser(defaultVersion: string): (accept: string | undefined, url?: string) => Chosen {
  const byDefault = API_VERSIONS.find(apiVersion => apiVersion.version === defaultVersion)
  if (byDefault === undefined) throw new Error(`there is no version ${defaultVersion}`)
  const choose = chooserFor(byDefault)
  const oldPrefixes = API_VERSIONS.filter(({ prefix }) => prefix !== API_VERSIONS[0].prefix).map(apiVersion => ({
    address: new RegExp(`^/+${apiVersion.prefix.slice(1)}(?:[/?#]|$)`),
    choose: chooserFor(apiVersion),
  }))
  return (accept = '', url = '') => {
    const under = oldPrefixes.find(({ address }) => address.test(url))
    return (under?.choose ?? choose)(accept)
  }
}

type Choose = ReturnType<typeof createChooser>

/** Like `createChooser`, for the default version of an account. Uses `otherwise` when that version does not exist. */
export function createChooserByAccount(
  otherwise: Choose,
): (version: string, accept: string | undefined, url?: string) => Chosen {
  const choosers = new Map(API_VERSIONS.map(({ version }) => [version, createChooser(version)]))
  return (version, accept, url) => (choosers.get(version) ?? otherwise)(accept, url)
}

function chooserFor(otherwise: ApiVersion): (accept: string) => Chosen {
  const versions = API_VERSIONS.map(apiVersion => apiVersion.version)
  return memoise(CACHED_HEADERS, accept => {
    const requested = requestedVersion(accept, versions, otherwise.version)
    if (requested === 'none') return { apiVersion: otherwise, named: false, unknown: true }
    const named = API_VERSIONS.find(apiVersion => apiVersion.version === requested.named)
    return { apiVersion: named ?? otherwise, named: named !== undefined, unknown: false }
  })
}

/** Lists all addresses of a path of the newest version, one for each prefix. */
export function addressesOf(path: string): readonly string[] {
  const { prefix: newest } = API_VERSIONS[0]
  if (!path.startsWith(`${newest}/`)) return [path]
  return [...new Set(API_VERSIONS.map(({ prefix }) => prefix + path.slice(newest.length)))]
}

/** Whether the answer of an operation waits for the outcome in this version. */
export function isDeferred(apiVersion: ApiVersion, operation: string): boolean {
  return mappingsFrom(apiVersion).some(({ deferredOperations }) => deferredOperations.has(operation))
}

/** Upgrades a query from the caller's version to the newest. */
export function upgradeQuery(apiVersion: ApiVersion, operation: string, query: JsonObject): JsonObject {
  return mappingsFrom(apiVersion).reduceRight((lifted, mapping) => mapping.upgradeQuery(operation, lifted), query)
}

/** Upgrades a request body from the caller's version to the newest. */
export function upgrade(apiVersion: ApiVersion, operation: string, body: JsonObject): JsonObject {
  return mappingsFrom(apiVersion).reduceRight((lifted, mapping) => mapping.upgrade(operation, lifted), body)
}

/** Downgrades an answer from the newest version to the caller's. */
export function downgrade(apiVersion: ApiVersion, operation: string, answer: WireAnswer): WireAnswer {
  return mappingsFrom(apiVersion).reduce((downgraded, mapping) => mapping.downgrade(operation, downgraded), answer)
}

function mappingsFrom(apiVersion: ApiVersion): readonly VersionMapping[] {
  return MAPPINGS_FROM.get(apiVersion) ?? []
}
