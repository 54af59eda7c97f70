// src/api/versions/select.ts — the versions of the connect interface, newest first. The core speaks the newest only:
// what an older one asks is lifted rung by rung, and what it is answered is lowered the same way back.

import { memo } from '../memo.ts'
import type { JsonObject } from '../read/json-body.ts'
import { versionAsked } from './accept.ts'
import { V0 } from './v1-to-v0.ts'
import { V1 } from './v2-to-v1.ts'
import type { Step, WireAnswer } from './version-mapping.ts'

export interface Rung {
  readonly version: string
  readonly mediaType: string
  /** Whether a request that names this version must bear the partner headers; where not, they are only noted. */
  readonly demandsPartner: boolean
  /** What addresses at the counter begin with in this version. All versions are served under all of them. */
  readonly prefix: string
  /** To the next newer rung; null for the newest. */
  readonly step: Step | null
}

/** Newest first. A new version is a rung on top and a step for the one that was newest until then. */
export const RUNGS: readonly [Rung, ...Rung[]] = [
  { version: 'v2', mediaType: 'application/connect.v2+json', demandsPartner: true, prefix: '/pac', step: null },
  { version: 'v1', mediaType: 'application/connect.v1+json', demandsPartner: false, prefix: '/pac', step: V1 },
  { version: 'v0', mediaType: 'application/connect.v0+json', demandsPartner: false, prefix: '/retail', step: V0 },
]

/** Asked for with every request. */
const STEPS_ABOVE: ReadonlyMap<Rung, readonly Step[]> = new Map(
  RUNGS.map((rung, index) => [rung, RUNGS.slice(0, index + 1).flatMap(({ step }) => step ?? [])]),
)

/** Accept headers remembered: each till product sends its own one. */
const HEADERS_KEPT = 256

export interface Chosen {
  readonly rung: Rung
  /** The caller has named it. */
  readonly named: boolean
  /** The caller named only versions that do not exist; `rung` is how to tell it so. */
  readonly unknown: boolean
}

/**
 * Returns what to choose for an Accept header and an address. Who names no version gets the default one, except under a
 * prefix that an old version alone has: there it is that one.
 * @throws Error when `defaultVersion` does not exist.
 */
export function createChooser(defaultVersion: string): (accept: string | undefined, url?: string) => Chosen {
  const byDefault = RUNGS.find(rung => rung.version === defaultVersion)
  if (byDefault === undefined) throw new Error(`there is no version ${defaultVersion}`)
  const choose = chooserFor(byDefault)
  const oldPrefixes = RUNGS.filter(({ prefix }) => prefix !== RUNGS[0].prefix).map(rung => ({
    address: new RegExp(`^/+${rung.prefix.slice(1)}(?:[/?#]|$)`),
    choose: chooserFor(rung),
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
  const choosers = new Map(RUNGS.map(({ version }) => [version, createChooser(version)]))
  return (version, accept, url) => (choosers.get(version) ?? otherwise)(accept, url)
}

function chooserFor(otherwise: Rung): (accept: string) => Chosen {
  const versions = RUNGS.map(rung => rung.version)
  return memo(HEADERS_KEPT, accept => {
    const asked = versionAsked(accept, versions)
    if (asked === 'unknown') return { rung: otherwise, named: false, unknown: true }
    const named = RUNGS.find(rung => rung.version === asked.named)
    return { rung: named ?? otherwise, named: named !== undefined, unknown: false }
  })
}

/** All addresses of what is at `path` in the newest version: under each prefix that there has been. */
export function addressesOf(path: string): readonly string[] {
  const { prefix: newest } = RUNGS[0]
  if (!path.startsWith(`${newest}/`)) return [path]
  return [...new Set(RUNGS.map(({ prefix }) => prefix + path.slice(newest.length)))]
}

/** Whether an answer is held until it can tell how it went. */
export function isHeld(rung: Rung, operation: string): boolean {
  return stepsAbove(rung).some(({ heldOperations }) => heldOperations.has(operation))
}

/** Lifts a query from the caller's version to the newest. */
export function liftQuery(rung: Rung, operation: string, query: JsonObject): JsonObject {
  return stepsAbove(rung).reduceRight((lifted, step) => step.liftQuery(operation, lifted), query)
}

/** Lifts a request body from the caller's version to the newest. */
export function lift(rung: Rung, operation: string, body: JsonObject): JsonObject {
  return stepsAbove(rung).reduceRight((lifted, step) => step.lift(operation, lifted), body)
}

/** Lowers an answer from the newest version to the caller's. */
export function lower(rung: Rung, operation: string, answer: WireAnswer): WireAnswer {
  return stepsAbove(rung).reduce((lowered, step) => step.lower(operation, lowered), answer)
}

/** The steps between a rung and the top, newest first. */
function stepsAbove(rung: Rung): readonly Step[] {
  return STEPS_ABOVE.get(rung) ?? []
}
