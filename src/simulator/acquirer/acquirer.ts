// src/simulator/acquirer/acquirer.ts — the simulated acquirer: idempotent by order id, writes each decision to its ledger
// before it answers, and never charges an order that was reversed.

import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import { money } from '../../domain/money.ts'
import type { Acquirer, AcquirerAnswer, AcquirerOrder, CaptureOrder } from '../../engine/ports/acquirer.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import { createDelays, type Delays } from '../clocks/delays.ts'
import { SIMULATED } from '../makes.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { type IssuerAnswer, issuerAnswerFor, RESPONSE_CODE } from './issuer.ts'
import { createLedger, type Ledger, type LedgerOrder, type OrderKind, type OrderState, rowOf } from './ledger.ts'
import { onlineAnswerFor } from './online-issuer.ts'
import { createOnlineScripts } from './online-queue.ts'
import { UNKNOWN, withOverride } from './outcome-override.ts'
import { capturable, reopened, withHold, withoutHolds } from './pre-authorisations.ts'
import { createSlowReversals } from './slow-reversals.ts'

/** State of an approved order, by kind. */
const STATE_WHEN_APPROVED: Readonly<Record<Exclude<OrderKind, 'unseen'>, OrderState>> = {
  charge: 'charged',
  hold: 'held',
  capture: 'captured',
  refund: 'refunded',
  verify: 'verified',
}

/** Characters of authorisation codes. */
const CODE_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const CODE_LENGTH = 6
const REFERENCE_LENGTH = 12

export interface SimulatedAcquirerParts {
  readonly memory: SimulatedMemory
  readonly clocks: Clocks
  /** Source of authorisation codes and references. A seeded one makes them reproducible. */
  readonly random: Random
  /** Delays slow answers. */
  readonly delays?: Delays
}

export interface SimulatedAcquirer extends Acquirer {
  readonly ledger: Ledger
}

/** Creates the simulated acquirer with its issuer. Each order is served once, by its id. */
export function createSimulatedAcquirer(parts: SimulatedAcquirerParts): SimulatedAcquirer {
  const ledger = createLedger(parts.memory)

  /** Answers a new order with `decide`, and a known one with its recorded answer. */
  function answer(order: AcquirerOrder, decide: () => AcquirerAnswer): AcquirerAnswer {
    const known = ledger.find(order.account, order.orderId)
    return known === null || known.state === 'undecided' ? decide() : answerOf(known)
  }

  function decideWith(
    order: AcquirerOrder,
    kind: Exclude<OrderKind, 'unseen'>,
    asked: IssuerAnswer | null,
    captured: readonly LedgerOrder[] = [],
  ): AcquirerAnswer {
    const issuer = asked ?? issuerAnswerTo(order, parts.clocks.of(order.account).now())
    switch (issuer.answer) {
      case 'silent':
        return UNKNOWN
      case 'declined':
        return decline(order, kind, issuer.reason, issuer.responseCode)
      case 'approved':
        return answerOf(approve(order, kind, captured))
      case 'approved_late':
        approve(order, kind, captured)
        return UNKNOWN
    }
  }

  function approve(
    order: AcquirerOrder,
    kind: Exclude<OrderKind, 'unseen'>,
    captured: readonly LedgerOrder[],
  ): LedgerOrder {
    const row: LedgerOrder = {
      ...rowOf(order, kind, parts.clocks.of(order.account).now()),
      state: STATE_WHEN_APPROVED[kind],
      authCode: draw(parts.random, CODE_ALPHABET, CODE_LENGTH),
      reference: draw(parts.random, CODE_ALPHABET.slice(0, 10), REFERENCE_LENGTH),
      captured: captured.map(hold => hold.orderId),
    }
    if (kind === 'hold') {
      const { hold, open, released } = withHold(ledger, row)
      ledger.write([...released, hold], open)
    } else if (kind === 'capture') {
      // A capture uses its holds up whole: the amount that is not captured is released.
      const open = withoutHolds(ledger.openHolds(order.account, order.cardToken), captured)
      ledger.write([...captured.map((hold): LedgerOrder => ({ ...hold, state: 'captured' })), row], open)
    } else {
      ledger.write([row])
    }
    return row
  }

  function decline(order: AcquirerOrder, kind: OrderKind, reason: DeclineReason, responseCode: string): AcquirerAnswer {
    const row: LedgerOrder = {
      ...rowOf(order, kind, parts.clocks.of(order.account).now()),
      state: 'declined',
      decline: { reason, responseCode },
    }
    ledger.write([row])
    return answerOf(row)
  }

  function capture(order: CaptureOrder, asked: IssuerAnswer | null): AcquirerAnswer {
    const found = capturable(ledger, order)
    return 'declined' in found
      ? decline(order, 'capture', found.declined, RESPONSE_CODE[found.declined])
      : decideWith(order, 'capture', asked, found.holds)
  }

  const scripts = createOnlineScripts(parts.memory)
  const reversals = createSlowReversals(parts.memory)
  const overriding = {
    ledger,
    clocks: parts.clocks,
    delays: parts.delays ?? createDelays(parts.clocks),
    scripts,
    reversals,
  }

  /** Serves an order once. A repeated order gets the same answer. */
  function serve(order: AcquirerOrder, kind: Exclude<OrderKind, 'unseen' | 'capture'>): Promise<AcquirerAnswer> {
    return stored(
      withOverride(overriding, order, (plain, asked) => answer(plain, () => decideWith(plain, kind, asked))),
    )
  }

  /** An answer, given when the decision survives a kill. */
  async function stored(answering: Promise<AcquirerAnswer>): Promise<AcquirerAnswer> {
    const given = await answering
    await parts.memory.written()
    return given
  }

  return {
    name: SIMULATED,
    ledger,
    authorise: (order, purpose) => serve(order, purpose),
    capture: order =>
      stored(withOverride(overriding, order, (plain, asked) => answer(plain, () => capture(plain, asked)))),
    refund: order => serve(order, 'refund'),
    verify: order => serve(order, 'verify'),
    async reverse(reversal) {
      const at = parts.clocks.of(reversal.account).now()
      const isAnswered = reversals.isAnswered(reversal.account, reversal.orderId, at)
      if (isAnswered) reverseOrder(ledger, reversal, at)
      await parts.memory.written()
      return isAnswered ? 'reversed' : 'unknown'
    },
  }
}

/** Decides by card token at the counter, by the card itself online. */
function issuerAnswerTo({ cardToken, amount, online }: AcquirerOrder, at: number): IssuerAnswer {
  return online === undefined ? issuerAnswerFor(cardToken, amount.minor) : onlineAnswerFor(online, amount.minor, at)
}

/** Answer to a repeated order, from the ledger. A reversed order is declined. */
function answerOf(order: LedgerOrder): AcquirerAnswer {
  switch (order.state) {
    case 'charged':
    case 'held':
    case 'captured':
    case 'refunded':
    case 'verified':
      return { answer: 'approved', authCode: order.authCode, reference: order.reference }
    case 'undecided':
      return UNKNOWN
    case 'declined':
    case 'reversed':
    case 'released': {
      const { reason, responseCode } = order.decline ?? {
        reason: 'do_not_honour',
        responseCode: RESPONSE_CODE.do_not_honour,
      }
      return { answer: 'declined', reason, responseCode }
    }
  }
}

function reverseOrder(ledger: Ledger, { account, orderId }: { account: string; orderId: string }, at: number): void {
  const order = ledger.find(account, orderId)
  if (order === null) {
    const nothing = { orderId, account, amount: money(0, ''), cardToken: '' }
    ledger.write([{ ...rowOf(nothing, 'unseen', at), state: 'reversed' }])
    return
  }
  switch (order.state) {
    case 'held':
      ledger.write([{ ...order, state: 'released' }], withoutHolds(ledger.openHolds(account, order.cardToken), [order]))
      return
    case 'captured':
      if (order.kind === 'hold') {
        // A hold that a capture has used up has no money left to release; the money belongs to the capture.
        ledger.write([{ ...order, state: 'released' }])
      } else {
        // Reversing a completion does not reverse the pre-authorisation: its holds are open again and can be completed.
        const { holds, open } = reopened(ledger, order)
        ledger.write([...holds, { ...order, state: 'reversed' }], open)
      }
      return
    case 'undecided':
    case 'charged':
    case 'refunded':
    case 'verified':
      ledger.write([{ ...order, state: 'reversed' }])
      return
    case 'declined':
    case 'reversed':
    case 'released':
      return
  }
}

/** Returns `length` random characters of an alphabet. Slightly biased, which is harmless: the codes prove nothing. */
function draw(random: Random, alphabet: string, length: number): string {
  return Array.from(random.bytes(length), byte => alphabet.charAt(byte % alphabet.length)).join('')
}
