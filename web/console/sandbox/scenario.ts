// web/console/sandbox/scenario.ts — scenarios of the sandbox, the next ones of a terminal or of online payments, and copies to write.

/** A scenario, as `/sandbox/scenarios` lists it. */
export interface ListedScenario {
  readonly name: string
  readonly title: string
  /** Absent for those of online payments, which are all built in. */
  readonly from?: 'library' | 'files' | 'account'
}

/** The next scenarios of a terminal, or of the online payments of the account. */
export interface ScenarioQueue {
  readonly next: readonly (string | { readonly scenario: string; readonly times?: number })[]
  /** For all after those; null for what is usual. */
  readonly afterwards?: string | null
}

/** A document of a scenario. Only its name is of interest here. */
export type ScenarioDocument = Readonly<Record<string, unknown>>

/** What somebody who has no scenario yet begins with. */
export const MODEL: ScenarioDocument = {
  name: 'slow_decline',
  title: 'Ten seconds of silence, then not enough money.',
  like: 'contactless_approved',
  acquirer: { answer: 'declined', reason: 'insufficient_funds', slowMs: 10_000 },
}

/** Scenarios with all words in name or title. */
export function found(scenarios: readonly ListedScenario[], words: string): readonly ListedScenario[] {
  const wanted = words.toLowerCase().split(/\s+/)
  return scenarios.filter(({ name, title }) => {
    const text = `${name} ${name.replaceAll('_', ' ')} ${title}`.toLowerCase()
    return wanted.every(word => text.includes(word))
  })
}

/** What plays scenarios, in words. */
export interface Player {
  /** The beginning of the sentence. */
  readonly plays: string
  /** What it plays without a scenario. */
  readonly otherwise: string
}

export const TERMINAL: Player = { plays: 'Plays', otherwise: 'what its id says' }
export const PAYMENTS: Player = { plays: 'Payments play', otherwise: 'what card and amount say' }

/** What is played next, in words. */
export function queueInWords({ next, afterwards }: ScenarioQueue, { plays, otherwise }: Player): string {
  const names = next.map(each =>
    typeof each === 'string' ? each : `${each.scenario}${(each.times ?? 1) > 1 ? `, ${each.times} times` : ''}`,
  )
  const last = afterwards ?? otherwise
  return names.length === 0 ? `${plays} ${last}.` : `${plays} ${names.join(', then ')}, afterwards ${last}.`
}

/** A scenario under a name that the account may use: built-in ones cannot be replaced. */
export function copyOf(document: ScenarioDocument): ScenarioDocument {
  return { ...document, name: `my_${String(document['name'])}`.slice(0, 64) }
}

/** The document in a text, or why it is none. */
export function documentIn(text: string): { readonly document: ScenarioDocument } | { readonly problem: string } {
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document === 'object' && document !== null && !Array.isArray(document))
      return { document: document as ScenarioDocument }
    return { problem: 'A scenario is a JSON object: { … }.' }
  } catch (error) {
    return { problem: `This is no JSON: ${(error as Error).message}.` }
  }
}
