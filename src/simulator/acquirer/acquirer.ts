// src/simulator/acquirer/acquirer.ts — an acquirer that behaves as one should: each order id is one order, its answer
// is in the ledger before anybody hears it, and what was undone stays undone.

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

/** What an approved order of each kind has done. */
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
  /** Makes authorisation codes and references; a seeded one makes them repeat. */
  readonly random: Random
  /** For answers that take their time. */
  readonly delays?: Delays
}

export interface SimulatedAcquirer extends Acquirer {
  readonly ledger: Ledger
}

/** The acquirer of the sandbox, with the issuer behind it. */
export function createSimulatedAcquirer(parts: SimulatedAcquirerParts): SimulatedAcquirer {
  const ledger = createLedger(parts.memory)

  /** Answers an order that is new by `decide`, and one that is known as before. */
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
      // What was held beyond the captured amount is released with it: the holds are used up whole.
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
  const overriding = { ledger, clocks: parts.clocks, delays: parts.delays ?? createDelays(parts.clocks), scripts }

  /** Serves an order once; asked again, it is told what it was told. */
  function serve(order: AcquirerOrder, kind: Exclude<OrderKind, 'unseen' | 'capture'>): Promise<AcquirerAnswer> {
    return withOverride(overriding, order, (plain, asked) => answer(plain, () => decideWith(plain, kind, asked)))
  }

  return {
    name: SIMULATED,
    ledger,
    authorise: (order, purpose) => serve(order, purpose),
    capture: order => withOverride(overriding, order, (plain, asked) => answer(plain, () => capture(plain, asked))),
    refund: order => serve(order, 'refund'),
    verify: order => serve(order, 'verify'),
    async reverse(reversal) {
      reverseOrder(ledger, reversal, parts.clocks.of(reversal.account).now())
      return 'reversed'
    },
  }
}

/** The issuer knows a card at the counter by its token, and one online by itself. */
function issuerAnswerTo({ cardToken, amount, online }: AcquirerOrder, at: number): IssuerAnswer {
  return online === undefined ? issuerAnswerFor(cardToken, amount.minor) : onlineAnswerFor(online, amount.minor, at)
}

/** What the ledger says to whoever asks again. An order that was undone can only be refused. */
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
        // A hold that a capture has used up has nothing left to undo but itself; the money is the capture's.
        ledger.write([{ ...order, state: 'released' }])
      } else {
        // Undoing a completion does not undo the pre-authorisation: what was held is held again and may be completed.
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

/** `length` characters of an alphabet. Slightly uneven, which a code that proves nothing may be. */
function draw(random: Random, alphabet: string, length: number): string {
  return Array.from(random.bytes(length), byte => alphabet.charAt(byte % alphabet.length)).join('')
}
