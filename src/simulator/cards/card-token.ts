// src/simulator/cards/card-token.ts — card token of a simulated terminal: the card's name, and an optional override of the
// acquirer's answer. Opaque to the gateway; only the simulated acquirer reads it.
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'

/** Override of the acquirer's answer to one order, whatever amount and card would produce. */
export interface OutcomeOverride {
  /** Null: decided by amount and card. `nothing`: no answer, now or later, and no money moves. */
  readonly answer: 'approved' | 'nothing' | DeclineReason | null
  /** Delay of each answer, milliseconds. */
  readonly slowMs: number
  /** Milliseconds from the first request to the decision. Until then the answer is unknown. */
  readonly lateMs: number
  /** Decided, but the answer is always lost. */
  readonly unheard: boolean
  /** How long a reversal of the order is not answered, milliseconds. */
  readonly reversalMs: number
}

export const NO_OVERRIDE: OutcomeOverride = { answer: null, slowMs: 0, lateMs: 0, unheard: false, reversalMs: 0 }

/** Encodes a token: `sim-visa-debit`, or `sim-visa-debit;slow=5000` and the like. */
export function tokenOf(card: string, override: OutcomeOverride): string {
  const { answer, slowMs, lateMs, unheard, reversalMs } = override
  return [
    card,
    ...(answer === null ? [] : [`answer=${answer}`]),
    ...(slowMs === 0 ? [] : [`slow=${slowMs}`]),
    ...(lateMs === 0 ? [] : [`late=${lateMs}`]),
    ...(unheard ? ['unheard'] : []),
    ...(reversalMs === 0 ? [] : [`reversal=${reversalMs}`]),
  ].join(';')
}

/** Decodes a token of `tokenOf`. Unknown parts are ignored. */
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
      reversalMs: Number(noted.get('reversal') ?? 0),
    },
  }
}
