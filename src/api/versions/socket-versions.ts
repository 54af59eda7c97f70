// src/api/versions/socket-versions.ts — the versions of the JSON-RPC interface, newest first. The core speaks the newest only;
// each step makes the forms of the next older version from those of a newer one.
import type { RpcMethod } from '../socket/method.ts'
import { PUSHES } from '../socket/pushes.ts'
import { TABLE_PUSHES } from '../socket/table-pushes.ts'
import type { Forms, Step } from './socket-schemas.ts'
import { V0 } from './socket-v1-to-v0.ts'

export interface RpcRung {
  readonly version: string
  /** Versions of the other interface of the same age: who has chosen one of them as a default means this one here. */
  readonly sisters: readonly string[]
  /** Whether a till that names this version must say who made and who installed it. */
  readonly demandsPartner: boolean
  /** From the next newer rung; null for the newest. */
  readonly step: Step | null
}

/** Newest first. A new version is a rung on top, and a step below it. */
export const RPC_RUNGS: readonly [RpcRung, ...RpcRung[]] = [
  { version: 'v1', sisters: ['v2'], demandsPartner: true, step: null },
  { version: 'v0', sisters: ['v1', 'v0'], demandsPartner: false, step: V0 },
]

/** The rung of a version by its name, in any case of letters; undefined when there is none. */
export function rungOf(version: string): RpcRung | undefined {
  return RPC_RUNGS.find(rung => rung.version === version.toLowerCase())
}

/** The rung for those who name none, by the default that was chosen for the other interface. */
export function defaultRung(chosen: string): RpcRung {
  return RPC_RUNGS.find(({ sisters }) => sisters.includes(chosen)) ?? RPC_RUNGS[0]
}

/** What a version knows of these methods. */
export function formsOf(rung: RpcRung, methods: readonly RpcMethod[]): Forms {
  const newest: Forms = {
    methods: methods.map(method => ({ ...method, method, lift: params => params, lower: result => result })),
    ...PUSHES,
    tables: TABLE_PUSHES,
    terminalMember: 'tid',
  }
  const steps = RPC_RUNGS.slice(0, RPC_RUNGS.indexOf(rung) + 1).flatMap(({ step }) => step ?? [])
  return steps.reduce((forms, step) => step(forms), newest)
}
