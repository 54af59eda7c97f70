// src/api/versions/select.ts — the versions of the connect interface, newest first. The core speaks the newest only:
// what an older one asks is lifted rung by rung, and what it is answered is lowered the same way back.

import { memoise } from '../../engine/memoise.ts'
import type { JsonObject } from '../read/json-body.ts'
import { versionAsked } from './accept.ts'
import { V0 } from './v1-to-v0.ts'
import { V1 } from './v2-to-v1.ts'
import type { VersionMapping, WireAnswer } from './version-mapping.ts'

export interface ApiVersion {
  readonly version: string
  readonly mediaType: string
  /** Whether a request that names this version must bear the partner headers; where not, they are only noted. */
  readonly demandsPartner: boolean
  /** What addresses at the counter begin with in this version. All versions are served under all of them. */
  readonly prefix: string
  /** To the next newer rung; null for the newest. */
  readonly mapping: VersionMapping | null
}

/** Newest first. A new version is a rung on top and a step for the one that was newest until then. */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [
  { version: 'v2', mediaType: 'application/connect.v2+json', demandsPartner: true, prefix: '/pac', mapping: null },
  { version: 'v1', mediaType: 'application/connect.v1+json', demandsPartner: false, prefix: '/pac', mapping: V1 },
  { version: 'v0', mediaType: 'application/connect.v0+json', demandsPartner: false, prefix: '/retail', mapping: V0 },
]

/** Asked for with every request. */
const MAPPINGS_FROM: ReadonlyMap<ApiVersion, readonly VersionMapping[]> = new Map(
  API_VERSIONS.map((apiVersion, index) => [
    apiVersion,
    API_VERSIONS.slice(0, index + 1).flatMap(({ mapping }) => mapping ?? []),
  ]),
)

/** Accept headers remembered: each till product sends its own one. */
const CACHED_HEADERS = 256

export interface Chosen {
  readonly apiVersion: ApiVersion
  /** The caller has named it. */
  readonly named: boolean
  /** The caller takes nothing that exists; `rung` is how to tell it so. */
  readonly unknown: boolean
}

/**
 * Returns what to choose for an Accept header and an address. Who names no version gets the default one, except under a
 * prefix that an old version alone has: there it is that one.
 * @throws Error when `defaultVersion` does not exist.
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

/** Returns what to choose where an account has a default of its own; `otherwise` for one that does not exist. */
export function createChooserByAccount(
  otherwise: Choose,
): (version: string, accept: string | undefined, url?: string) => Chosen {
  const choosers = new Map(API_VERSIONS.map(({ version }) => [version, createChooser(version)]))
  return (version, accept, url) => (choosers.get(version) ?? otherwise)(accept, url)
}

function chooserFor(otherwise: ApiVersion): (accept: string) => Chosen {
  const versions = API_VERSIONS.map(apiVersion => apiVersion.version)
  return memoise(CACHED_HEADERS, accept => {
    const asked = versionAsked(accept, versions, otherwise.version)
    if (asked === 'none') return { apiVersion: otherwise, named: false, unknown: true }
    const named = API_VERSIONS.find(apiVersion => apiVersion.version === asked.named)
    return { apiVersion: named ?? otherwise, named: named !== undefined, unknown: false }
  })
}

/** All addresses of what is at `path` in the newest version: under each prefix that there has been. */
export function addressesOf(path: string): readonly string[] {
  const { prefix: newest } = API_VERSIONS[0]
  if (!path.startsWith(`${newest}/`)) return [path]
  return [...new Set(API_VERSIONS.map(({ prefix }) => prefix + path.slice(newest.length)))]
}

/** Whether an answer is held until it can tell how it went. */
export function isHeld(apiVersion: ApiVersion, operation: string): boolean {
  return mappingsFrom(apiVersion).some(({ heldOperations }) => heldOperations.has(operation))
}

/** Lifts a query from the caller's version to the newest. */
export function upgradeQuery(apiVersion: ApiVersion, operation: string, query: JsonObject): JsonObject {
  return mappingsFrom(apiVersion).reduceRight((lifted, mapping) => mapping.upgradeQuery(operation, lifted), query)
}

/** Lifts a request body from the caller's version to the newest. */
export function upgrade(apiVersion: ApiVersion, operation: string, body: JsonObject): JsonObject {
  return mappingsFrom(apiVersion).reduceRight((lifted, mapping) => mapping.upgrade(operation, lifted), body)
}

/** Lowers an answer from the newest version to the caller's. */
export function downgrade(apiVersion: ApiVersion, operation: string, answer: WireAnswer): WireAnswer {
  return mappingsFrom(apiVersion).reduce((downgraded, mapping) => mapping.downgrade(operation, downgraded), answer)
}

/** The steps between a rung and the top, newest first. */
function mappingsFrom(apiVersion: ApiVersion): readonly VersionMapping[] {
  return MAPPINGS_FROM.get(apiVersion) ?? []
}
