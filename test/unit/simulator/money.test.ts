// test/unit/simulator/money.test.ts — every scenario with every type of transaction ends as
// expected, and its verdict agrees with the acquirer's ledger.
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  TRANSACTION_TYPES,
  type TransactionRequest,
  type TransactionResult,
} from '../../../src/domain/counter/transaction-events.ts'
import { verdictOf } from '../../../src/domain/counter/transaction-verdict.ts'
import { money } from '../../../src/domain/money.ts'
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from '../../../src/simulator/scenarios/built-in.ts'
import { aTerminal, openSimulatedShop, type SimulatedShop } from '../../support/simulated-shop.ts'

/** The result of each scenario if the till accepts signatures and waits for the time limit. */
const RESULTS: Readonly<Record<ScenarioName, TransactionResult>> = {
  approved: 'SUCCESSFUL',
  declined: 'DECLINED',
  unsuccessful: 'UNSUCCESSFUL',
  cancelled: 'CANCELLED',
  timed_out: 'TIMED_OUT',
  void: 'VOID',
  void_unanswered: 'VOID',
  signature: 'SUCCESSFUL',
  chip_pin_approved: 'SUCCESSFUL',
  contactless_approved: 'SUCCESSFUL',
  device_approved: 'SUCCESSFUL',
  chip_signature: 'SUCCESSFUL',
  swipe_signature: 'SUCCESSFUL',
  signature_decision_too_late: 'SUCCESSFUL',
  chip_pin_declined: 'DECLINED',
  insufficient_funds: 'DECLINED',
  lost_or_stolen: 'DECLINED',
  referred: 'DECLINED',
  pin_wrong_once: 'SUCCESSFUL',
  line_fails_once: 'SUCCESSFUL',
  declined_by_card: 'DECLINED',
  cancelled_at_card: 'CANCELLED',
  cancelled_at_pin: 'CANCELLED',
  nobody_presents_card: 'CANCELLED',
  silent_after_pin: 'TIMED_OUT',
  card_left_in: 'TIMED_OUT',
  silent_after_approval: 'TIMED_OUT',
  completed_unheard: 'TIMED_OUT',
  card_pulled_out: 'UNSUCCESSFUL',
  technical_failure: 'UNSUCCESSFUL',
  voided: 'VOID',
  keyed: 'SUCCESSFUL',
  removal_prompted: 'SUCCESSFUL',
  cashback_prompted: 'SUCCESSFUL',
  bad_swipe: 'SUCCESSFUL',
  present_again: 'SUCCESSFUL',
  two_cards: 'SUCCESSFUL',
  insert_instead: 'SUCCESSFUL',
  card_expired: 'UNSUCCESSFUL',
  card_not_supported: 'UNSUCCESSFUL',
  paper_out_at_start: 'SUCCESSFUL',
  paper_runs_out: 'SUCCESSFUL',
}

/** Money is kept although the result is TIMED_OUT: the customer has seen APPROVED. */
const PAID_AFTER_ALL: ReadonlySet<ScenarioName> = new Set(['card_left_in', 'completed_unheard'])

interface Kind {
  readonly name: string
  readonly request: Partial<TransactionRequest>
}

const KINDS: readonly Kind[] = [
  ...TRANSACTION_TYPES.map(transactionType => ({ name: transactionType, request: { transactionType } })),
  { name: 'SALE without the card', request: { cardholderNotPresent: true } },
  { name: 'REFUND without the card', request: { transactionType: 'REFUND', cardholderNotPresent: true } },
]

function expected(scenario: ScenarioName, { transactionType, cardholderNotPresent }: Partial<TransactionRequest>) {
  // The terminal has no earlier transaction.
  if (transactionType === 'DUPLICATE') return 'UNSUCCESSFUL'
  // Without the card there is no prompt for it, and no card to leave in.
  const skipped = scenario === 'cancelled_at_card' || scenario === 'card_left_in'
  return cardholderNotPresent && skipped ? 'SUCCESSFUL' : RESULTS[scenario]
}

describe.each(KINDS)('$name', ({ request }) => {
  test.each(SCENARIO_NAMES)('%s', async name => {
    const shop = await openSimulatedShop()
    const requestId = await played(shop, name, request)
    const record = shop.gateway.record(requestId)
    equal(record.result, expected(name, request))

    const moneyMinor =
      record.authorisationId === null ? 0 : shop.acquirer.ledger.moneyOf('demo', record.authorisationId)
    if (request.transactionType === 'DUPLICATE') return equal(moneyMinor, 0)
    const { moneyTaken, safeToRetry } = verdictOf(record)
    equal(moneyTaken, moneyMinor === 0 ? 'no' : 'yes')
    if (safeToRetry) equal(moneyMinor, 0)
    if (record.result === 'TIMED_OUT' && moves(request)) equal(moneyTaken === 'yes', paidAfterAll(name, request))
    if (record.result === 'SUCCESSFUL' && moves(request)) notEqual(moneyMinor, 0)
    deepEqual(idle(shop), { requestId: null, holds: heldMinor(shop) })
  })
})

/** Plays a transaction until gateway and terminal have finished. */
async function played(shop: SimulatedShop, name: ScenarioName, request: Partial<TransactionRequest>): Promise<string> {
  const { gateway, clock, terminals, acquirer } = shop
  const terminal = aTerminal('VCMDEMOSIP0')
  terminals.setScenarios(terminal, [name])
  const held = await acquirer.authorise(
    { orderId: 'held', account: 'demo', amount: money(10_000, 'GBP'), cardToken: SCENARIOS[name].card },
    'hold',
  )
  const authCode = held.answer === 'approved' ? held.authCode : 'NOSUCH'
  const verifies = request.transactionType === 'ACCOUNT_VERIFICATION' || request.transactionType === 'DUPLICATE'
  const requestId = await gateway.start(terminal, {
    ...request,
    amountMinor: verifies ? 0 : 2599,
    authCode: request.transactionType === 'COMPLETION' ? authCode : null,
  })
  await clock.advance(60_000)
  await gateway.execute(requestId, { type: 'decide_signature', accepted: true })
  await clock.advance(140_000)
  await gateway.execute(requestId, { type: 'time_is_up', timer: 'limit' })
  // A terminal without an answer gives up each wait after ten minutes.
  await clock.advance(1_300_000)
  await gateway.reconcile(requestId)
  return requestId
}

function moves({ transactionType = 'SALE' }: Partial<TransactionRequest>): boolean {
  return transactionType === 'SALE' || transactionType === 'REFUND' || transactionType === 'COMPLETION'
}

/** A refund prompts for the card's removal before it goes online, so a card left in stops it before money moves. */
function paidAfterAll(name: ScenarioName, { transactionType }: Partial<TransactionRequest>): boolean {
  return PAID_AFTER_ALL.has(name) && !(name === 'card_left_in' && transactionType === 'REFUND')
}

function idle({ terminals, acquirer }: SimulatedShop) {
  return {
    requestId: terminals.screenOf(aTerminal('VCMDEMOSIP0')).requestId,
    holds: acquirer.ledger
      .list('demo')
      .filter(order => order.state === 'held')
      .reduce((sum, order) => sum + order.amountMinor, 0),
  }
}

/** The expected sum of open pre-authorisations. */
function heldMinor({ gateway, acquirer }: SimulatedShop): number {
  const { request, authorisation } = [...gateway.records.values()][0]!
  const before = acquirer.ledger.find('demo', 'held')?.decline === null ? 10_000 : 0
  if (request.transactionType === 'COMPLETION' && authorisation === 'confirmed') return 0
  const stands = request.transactionType === 'PRE_AUTH' && authorisation === 'confirmed'
  return before + (stands ? request.amountMinor : 0)
}
