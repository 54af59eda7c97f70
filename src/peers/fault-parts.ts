// src/peers/fault-parts.ts — faults as parts of scenarios, with a number where they take one.

export interface FaultKind<Concern extends string> {
  readonly title: string
  /** The requests that it is for. */
  readonly of: readonly Concern[]
  /** Usual value of its number; null for a fault without a number. */
  readonly usual: number | null
}

/** Longer than any time limit of a gateway. */
const LARGEST_NUMBER = 3_600_000

/** Name and digits of a part such as `slow_answer:5000`. The name is empty when it is malformed. */
export function namedPart(part: string): { readonly name: string; readonly digits: string | undefined } {
  const [, name = '', digits] = /^([a-z0-9_]+)(?::(\d{1,7}))?$/.exec(part) ?? []
  return { name, digits }
}

/**
 * The number of a fault; 0 for one without a number.
 * @param part as it was sent, for the sentence
 * @returns a sentence when the fault is not for such requests, or does not take the number
 */
export function faultNumber<Concern extends string>(
  part: string,
  { of, usual }: FaultKind<Concern>,
  concern: Concern,
  takes: (value: number) => boolean = () => true,
): number | { readonly problem: string } {
  const { name, digits } = namedPart(part)
  if (!of.includes(concern))
    return { problem: `${JSON.stringify(name)} is for ${of.join(' or ')}, not for ${concern}.` }
  const value = digits === undefined ? (usual ?? 0) : Number(digits)
  const isTaken = (usual !== null || digits === undefined) && value <= LARGEST_NUMBER && takes(value)
  return isTaken ? value : { problem: `${JSON.stringify(part)} has a number that the fault does not take.` }
}
