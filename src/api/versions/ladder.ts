// src/api/versions/ladder.ts — the versions of the connect interface, newest first. The core speaks the newest only:
// what an older one asks is lifted rung by rung, and what it is answered is lowered the same way back.

import { memo } from '../memo.ts'
import type { JsonObject } from '../read/json-body.ts'
import { versionAsked } from './accept.ts'

/** An answer on its way to the wire. Without a body: empty. */
export interface WireAnswer {
  readonly status: number
  readonly body?: JsonObject
}

/** The step between a version and the next newer one: JSON in, JSON out. It knows nothing of the domain. */
export interface Step {
  /** Turns a request body of the older version into one of the newer. `operation` is the operation's name. */
  lift(operation: string, body: JsonObject): JsonObject
  /** Turns an answer of the newer version, success or refusal, into one of the older. */
  lower(operation: string, answer: WireAnswer): WireAnswer
}

export interface Rung {
  readonly version: string
  readonly mediaType: string
  /** Whether a request that names this version must bear the partner headers; where not, they are only noted. */
  readonly demandsPartner: boolean
  /** To the next newer rung; null for the newest. */
  readonly step: Step | null
}

/** Newest first. A new version is a rung on top and a step for the one that was newest until then. */
export const RUNGS: readonly [Rung, ...Rung[]] = [
  { version: 'v2', mediaType: 'application/connect.v2+json', demandsPartner: true, step: null },
]

/** Accept headers remembered: each till product sends its own one. */
const HEADERS_KEPT = 256

export interface Chosen {
  readonly rung: Rung
  /** The caller has named it. */
  readonly named: boolean
  /** The caller named only versions that do not exist; `rung` is how to tell it so. */
  readonly unknown: boolean
}

/** Returns what to choose for an Accept header. @throws Error when `defaultVersion` does not exist. */
export function createChooser(defaultVersion: string): (accept: string | undefined) => Chosen {
  const byDefault = RUNGS.find(rung => rung.version === defaultVersion)
  if (byDefault === undefined) throw new Error(`there is no version ${defaultVersion}`)
  const versions = RUNGS.map(rung => rung.version)
  const choose = memo(HEADERS_KEPT, (accept): Chosen => {
    const asked = versionAsked(accept, versions)
    if (asked === 'unknown') return { rung: byDefault, named: false, unknown: true }
    const named = RUNGS.find(rung => rung.version === asked.named)
    return { rung: named ?? byDefault, named: named !== undefined, unknown: false }
  })
  return accept => choose(accept ?? '')
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
  return RUNGS.slice(0, RUNGS.indexOf(rung) + 1).flatMap(({ step }) => step ?? [])
}
