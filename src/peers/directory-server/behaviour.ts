// src/peers/directory-server/behaviour.ts — what the directory server and the issuer do with an authentication: the sandbox's scenario, and
// faults.
import { ONLINE_SCENARIOS, type OnlineScenario, onlineScenarioIn } from '../../simulator/scenarios/online-scenarios.ts'
import { type FaultKind, faultNumber, namedPart } from '../fault-parts.ts'

/** What a request is, for the scenarios that concern it. `ranges`: the question for card ranges. */
export type Concern = 'authentication' | 'ranges'
export const CONCERNS = ['authentication', 'ranges'] as const satisfies readonly Concern[]

const BOTH = CONCERNS
const AUTHENTICATION: readonly Concern[] = ['authentication']

export const FAULTS = {
  connection_dropped: fault('The connection is closed without an answer.', BOTH),
  no_answer: fault('The request is never answered.', BOTH),
  half_answer: fault('The first half of the answer is sent, then the connection is closed.', BOTH),
  slow_answer: fault('The answer comes after this time, in ms.', BOTH, 3_000),
  erro: fault('The answer is an Erro with this code.', BOTH, 305),
  wrong_transaction_id: fault('The answer is one to another request.', BOTH),
  value_missing: fault('The answer has no authentication value although it needs one.'),
  result_lost: fault('The payer comes back from the challenge, and the result is never sent.'),
  result_late: fault('The result is sent this long after the payer comes back, in ms.', AUTHENTICATION, 10_000),
  result_twice: fault('The result is sent twice.'),
} as const satisfies Record<string, FaultKind<Concern>>
export type Fault = keyof typeof FAULTS

/** Status of the answer to an AReq. */
export type Status = 'Y' | 'N' | 'A' | 'R' | 'I' | 'U' | 'C'

export interface Behaviour {
  /** Null: Y, or C when the request demands a challenge. */
  readonly status: Status | null
  readonly pageFault: OnlineScenario['pageFault']
  /** Number of each fault; 0 for one without a number. */
  readonly faults: ReadonlyMap<Fault, number>
}

export const ORDINARY_BEHAVIOUR: Behaviour = { status: null, pageFault: null, faults: new Map() }

/** An issuer that takes note of an exemption. The sandbox has no scenario for it. */
const INFORMATIONAL = { name: 'informational', title: 'Taken note of, and nobody authenticated: status I.' }

/**
 * Parses `challenged+result_late:5000` and the like. Later parts win.
 * @returns a sentence when a part is unknown, or is not for such requests
 */
export function behaviourIn(text: string, concern: Concern): Behaviour | { readonly problem: string } {
  const faults = new Map<Fault, number>()
  let { status, pageFault }: Pick<Behaviour, 'status' | 'pageFault'> = ORDINARY_BEHAVIOUR
  for (const part of text.split('+').map(each => each.trim())) {
    const { name, digits } = namedPart(part)
    const issuer = concern === 'authentication' && digits === undefined ? issuerIn(name) : null
    if (issuer !== null) {
      ;({ status, pageFault } = issuer)
      continue
    }
    if (!isFault(name))
      return {
        problem: `${JSON.stringify(part.slice(0, 64))} is no scenario of ${concern} at a directory server. GET /scenarios lists them.`,
      }
    const value = faultNumber<Concern>(part, FAULTS[name], concern, each => name !== 'erro' || isCode(each))
    if (typeof value === 'object') return value
    faults.set(name, value)
  }
  return { status, pageFault, faults }
}

/** Names of all parts of scenarios, with their titles and the requests that they are for. */
export function listedParts(): readonly {
  readonly name: string
  readonly title: string
  readonly of: readonly string[]
}[] {
  const issuer = [...ONLINE_SCENARIOS.filter(({ name }) => issuerIn(name) !== null), INFORMATIONAL]
  return [
    ...issuer.map(({ name, title }) => ({ name, title, of: AUTHENTICATION })),
    ...Object.entries(FAULTS).map(([name, { title, of }]) => ({ name, title, of })),
  ]
}

/** What the issuer does in a scenario; null for one that concerns no issuer. */
function issuerIn(name: string): Pick<Behaviour, 'status' | 'pageFault'> | null {
  if (name === INFORMATIONAL.name) return { status: 'I', pageFault: null }
  const scenario = onlineScenarioIn(name)
  const status = STATUSES.find(each => each === scenario?.status)
  return scenario === null || status === undefined ? null : { status, pageFault: scenario.pageFault }
}
const STATUSES = ['Y', 'N', 'A', 'R', 'U', 'C'] as const

function isFault(name: string): name is Fault {
  return Object.hasOwn(FAULTS, name)
}

function isCode(value: number): boolean {
  return value >= 101 && value <= 999
}

function fault(
  title: string,
  of: readonly Concern[] = AUTHENTICATION,
  usual: number | null = null,
): FaultKind<Concern> {
  return { title, of, usual }
}
