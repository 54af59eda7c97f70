// test/support/nexo-script.ts — what a test tells a nexo terminal to do, as lists that are used up from their front.
import type { Behaviour, Behaviours, Fault } from '../../src/peers/nexo-terminal/behaviour.ts'
import type { Members } from '../../src/peers/nexo-terminal/messages.ts'
import { APPROVED, ended } from '../../src/peers/nexo-terminal/outcomes.ts'

/** Without a list the terminal behaves well. */
export interface Script {
  /** How payments end: a `Response`, or `wait`: nobody presents a card until `finish`. */
  readonly payments?: readonly (Members | 'wait')[]
  /** Faults of payments and their answers. */
  readonly answers?: readonly Fault[]
  /** Faults of questions for a payment. */
  readonly questions?: readonly Fault[]
  /** What the provider's cloud does with payments. */
  readonly cloud?: readonly Fault[]
  readonly aborts?: readonly Fault[]
  readonly reconciliations?: readonly Fault[]
  /** Faults of the cloud's list of connected terminals. */
  readonly lists?: readonly Fault[]
  /** Faults of every payment, with their numbers. Stay. */
  readonly always?: Partial<Record<Fault, number>>
  /** Its health. Stays. */
  readonly status?: Members
}

type List = 'payments' | 'answers' | 'questions' | 'cloud' | 'aborts' | 'reconciliations' | 'lists'

/** Creates behaviours that follow what `follow` was given last, list by list. */
export function createScript(): Behaviours & { follow(script: Script): void } {
  let script: Script = {}
  function next<Name extends List>(name: Name) {
    const [first, ...rest] = script[name] ?? []
    script = { ...script, [name]: rest }
    return first as NonNullable<Script[Name]>[number] | undefined
  }
  const faulty = (...faults: readonly (Fault | undefined)[]): Behaviour => ({
    outcome: APPROVED,
    faults: new Map(faults.flatMap(fault => (fault === undefined ? [] : [[fault, 0]]))),
  })
  function payment(): Behaviour {
    const outcome = next('payments')
    const { faults } = faulty(next('answers'), next('cloud'))
    const always = Object.entries(script.always ?? {}) as [Fault, number][]
    return {
      outcome: outcome === undefined ? APPROVED : outcome === 'wait' ? outcome : ended(outcome),
      faults: new Map([...faults, ...always]),
    }
  }
  return {
    follow(given) {
      script = { ...script, ...given }
    },
    take({ concern }) {
      switch (concern) {
        case 'payment':
          return payment()
        case 'question':
          return faulty(next('questions'))
        case 'abort':
          return faulty(next('aborts'))
        case 'reconciliation':
          return faulty(next('reconciliations'))
        case 'list':
          return faulty(next('lists'))
      }
    },
  }
}
