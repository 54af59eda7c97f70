// src/simulator/cards/card-token.ts — what a simulated terminal hands over for a card: its name, and where a scenario asks
// for it, how the acquirer is to behave. The token means something to the acquirer only, so nobody else is in the know.
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'

/** How the acquirer behaves in one order, whatever the amount and the card would make of it. */
export interface OutcomeOverride {
  /** Null: as the amount and the card say. `nothing`: nobody answers, now or later, and no money moves. */
  readonly answer: 'approved' | 'nothing' | DeclineReason | null
  /** Milliseconds that each answer takes. */
  readonly slowMs: number
  /** Milliseconds after the first question until it is decided; asked before, nobody can say. */
  readonly lateMs: number
  /** Decided, but no answer ever arrives. */
  readonly unheard: boolean
}

export const NO_OVERRIDE: OutcomeOverride = { answer: null, slowMs: 0, lateMs: 0, unheard: false }

/** `sim-visa-debit`, or `sim-visa-debit;slow=5000` and the like. */
export function tokenOf(card: string, override: OutcomeOverride): string {
  const { answer, slowMs, lateMs, unheard } = override
  return [
    card,
    ...(answer === null ? [] : [`answer=${answer}`]),
    ...(slowMs === 0 ? [] : [`slow=${slowMs}`]),
    ...(lateMs === 0 ? [] : [`late=${lateMs}`]),
    ...(unheard ? ['unheard'] : []),
  ].join(';')
}

/** Takes a token apart. What it does not understand it leaves out: tokens are made by `tokenOf` only. */
export function readToken(token: string): { readonly card: string; readonly override: OutcomeOverride } {
  const [card = '', ...notes] = token.split(';')
  const noted = new Map(notes.map(note => note.split('=', 2) as [string, string | undefined]))
  return {
    card,
    override: {
      answer: (noted.get('answer') as OutcomeOverride['answer'] | undefined) ?? null,
      slowMs: Number(noted.get('slow') ?? 0),
      lateMs: Number(noted.get('late') ?? 0),
      unheard: noted.has('unheard'),
    },
  }
}
