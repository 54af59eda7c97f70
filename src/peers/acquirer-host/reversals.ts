// src/peers/acquirer-host/reversals.ts — undoes what a message did, also when the reversal arrives before that message.
import { type HostParts, outcomeOf } from './answering.ts'
import type { Behaviour } from './behaviour.ts'
import { unrepeated } from './dialect.ts'
import type { Entry } from './ledger.ts'
import { keyOf, momentOf, type Request } from './request.ts'

/** Classes of messages that can be reversed. */
const REVERSIBLE = ['1', '2'] as const
/** Field 90: type 4, number 6, and more that is not compared. Field 56 of 1993: the same, then local date and time. */
const TYPE_DIGITS = 4
const NUMBER_END = 10
const MOMENT_END = 22

interface Original {
  /** Type without the mark of a repeat; null when the reversal does not say. */
  readonly mti: string | null
  readonly stan: string
  readonly moment: string
}

/** Decides a reversal. The first entry is its own, the others changed with it. */
export function reverse(parts: HostParts, request: Request, { faults }: Behaviour, entry: Entry): readonly Entry[] {
  const { dialect, ledger, time } = parts
  const original = originalIn(request)
  const found = REVERSIBLE.map(each => ledger.find(keyOf(each, { ...request, ...original }))).find(
    each => each !== null,
  )
  const answered = (outcome: Parameters<typeof outcomeOf>[1]): Entry => ({
    ...{ ...entry, kind: 'reversal', state: 'done' },
    answer: {
      ...(request.fields[37] === undefined ? {} : { 37: request.fields[37] }),
      ...(request.fields[38] === undefined ? {} : { 38: request.fields[38] }),
      39: outcomeOf(dialect, outcome),
    },
  })
  if (found === undefined || found === null) {
    if (faults.has('reversal_forgotten')) return [answered('original_not_found')]
    const unseen = REVERSIBLE.filter(each => original.mti === null || original.mti.charAt(1) === each).map(
      (each): Entry => ({
        ...{ ...entry, key: keyOf(each, { ...request, ...original }), kind: 'unseen', state: 'reversed' },
        ...{ mti: original.mti ?? '', stan: original.stan },
      }),
    )
    return [answered('reversed'), ...unseen]
  }
  if (found.reversibleFrom > time.now()) return [{ ...entry, kind: 'reversal' }]
  if (original.mti !== null && original.mti !== found.mti) return [answered('original_not_found')]
  if (found.batch !== null) return [answered('not_supported')]
  if (found.state === 'reversed' || found.state === 'released') return [answered('reversed_before')]
  const replaced = replacedAmount(request)
  if (replaced !== null && replaced > found.takenMinor) return [answered('amount_differs')]
  return [answered('reversed'), ...(replaced === null ? undone(parts, found) : [{ ...found, takenMinor: replaced }])]
}

/** The message that is to be undone: by fields 90 or 56, or the number and time of the reversal itself. */
function originalIn({ fields, stan }: Request): Original {
  const given = fields[90] ?? fields[56]
  const moment = momentOf(fields)
  if (given === undefined || given.length < NUMBER_END || !/^[1-9]/.test(given.slice(1)))
    return { mti: null, stan, moment }
  const inOriginal =
    fields[90] === undefined && given.length >= MOMENT_END ? given.slice(NUMBER_END, MOMENT_END) : moment
  return {
    mti: unrepeated(given.slice(0, TYPE_DIGITS)),
    stan: given.slice(TYPE_DIGITS, NUMBER_END),
    moment: inOriginal,
  }
}

/** What is left after a partial reversal: the first twelve digits of field 95 (1987). */
function replacedAmount({ fields }: Request): number | null {
  const left = fields[95]?.length === 42 ? Number(fields[95].slice(0, 12)) : 0
  return left > 0 ? left : null
}

function undone({ ledger }: HostParts, found: Entry): readonly Entry[] {
  const none = { ...found, takenMinor: 0 }
  if (found.state === 'declined') return []
  if (found.kind === 'hold') return [{ ...none, state: 'released' }]
  const hold = found.hold === null ? null : ledger.find(found.hold)
  // The hold of a capture is open again and can be captured anew.
  const open: readonly Entry[] = hold === null ? [] : [{ ...hold, state: 'held', takenMinor: hold.amountMinor }]
  return [{ ...none, state: 'reversed' }, ...open]
}
