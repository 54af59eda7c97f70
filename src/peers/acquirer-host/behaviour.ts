// src/peers/acquirer-host/behaviour.ts — what the host does with a message: the sandbox's scenario, and faults of the link.
import {
  ONLINE_SCENARIOS,
  type OnlineScenario,
  ORDINARY_SCENARIO,
  onlineScenarioIn,
} from '../../simulator/scenarios/online-scenarios.ts'

interface LinkFaultKind {
  readonly title: string
  /** Unit of the number and its usual value; null for a fault without a number. */
  readonly number: { readonly of: 'ms' | 'minor units'; readonly usual: number } | null
}

export const LINK_FAULTS = {
  connection_dropped: fault('The connection is closed before the message has any effect.'),
  answer_lost: fault('The message takes effect, but the connection is closed without an answer.'),
  connection_closed: fault('The connection is closed after the answer.'),
  half_answer: fault('The first half of the answer is sent, then the connection is closed.'),
  slow_answer: fault('The message takes effect at once and is answered after this time.', 3_000),
  answer_twice: fault('The answer is sent twice.'),
  answer_out_of_order: fault('The answer is sent after the next answer of the connection.'),
  wrong_stan: fault('The answer has another system trace audit number.'),
  wrong_amount: fault('The answer has this much more as its amount.', 100, 'minor units'),
  wrong_mac: fault('The message authentication code of the answer is wrong.'),
  garbled_answer: fault('The answer is as long as it should be, but its bytes mean nothing.'),
  stops_reading: fault(
    'The message is answered, and for this time the host reads nothing from the connection.',
    30_000,
  ),
  in_progress_first: fault('The answer is preceded by one that says that the request is in progress.'),
  partly_approved: fault('Half of the amount is approved.'),
  reversal_forgotten: fault(
    'A reversal without an original is answered with "not found", and the original is then accepted.',
  ),
  out_of_balance: fault('A reconciliation is answered with totals that differ.'),
} as const satisfies Record<string, LinkFaultKind>
export type LinkFault = keyof typeof LINK_FAULTS

export interface Behaviour {
  readonly issuer: OnlineScenario
  /** Number of each fault; 0 for one without a number. */
  readonly faults: ReadonlyMap<LinkFault, number>
}

export const ORDINARY_BEHAVIOUR: Behaviour = { issuer: ORDINARY_SCENARIO, faults: new Map() }

/** Longer than any time limit of a gateway. */
const LARGEST_NUMBER = 3_600_000

/**
 * Parses `declined+slow_acquirer:5000+answer_twice` and the like. Later parts win.
 * @returns a sentence when a part is unknown, or concerns no acquirer
 */
export function behaviourIn(text: string): Behaviour | { readonly problem: string } {
  const faults = new Map<LinkFault, number>()
  const names: string[] = []
  for (const part of text.split('+').map(each => each.trim())) {
    const [, name = '', digits] = /^([a-z0-9_]+)(?::(\d{1,7}))?$/.exec(part) ?? []
    if (!isLinkFault(name)) {
      names.push(part)
      continue
    }
    const { number }: LinkFaultKind = LINK_FAULTS[name]
    const value = digits === undefined ? (number?.usual ?? 0) : Number(digits)
    if ((number === null && digits !== undefined) || value > LARGEST_NUMBER)
      return { problem: `${JSON.stringify(part)} has a number that the fault does not take.` }
    faults.set(name, value)
  }
  let issuer = ORDINARY_SCENARIO
  for (const name of names) {
    const one = onlineScenarioIn(name)
    if (one === null || one.status !== null)
      return {
        problem: `${JSON.stringify(name.slice(0, 64))} is no scenario of an acquirer. GET /scenarios lists them.`,
      }
    issuer = { ...issuer, ...changesOf(one) }
  }
  return { issuer, faults }
}

/** Names of all parts of scenarios, with their titles. */
export function listedParts(): readonly { readonly name: string; readonly title: string }[] {
  const scenarios = ONLINE_SCENARIOS.filter(({ name }) => onlineScenarioIn(name)?.status === null)
  return [...scenarios, ...Object.entries(LINK_FAULTS).map(([name, { title }]) => ({ name, title }))]
}

function isLinkFault(name: string): name is LinkFault {
  return Object.hasOwn(LINK_FAULTS, name)
}

/** What a scenario of one part changes. */
function changesOf(one: OnlineScenario): Partial<OnlineScenario> {
  const ordinary = Object.entries(ORDINARY_SCENARIO)
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => !ordinary.some(each => each[0] === name && each[1] === value)),
  )
}

function fault(title: string, usual?: number, of: 'ms' | 'minor units' = 'ms'): LinkFaultKind {
  return { title, number: usual === undefined ? null : { of, usual } }
}
