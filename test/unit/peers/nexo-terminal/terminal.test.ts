// test/unit/peers/nexo-terminal/terminal.test.ts — what the simulated terminal does with requests, by its scenarios.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  type Behaviour,
  behaviourIn,
  CONCERNS,
  type Concern,
  listedParts,
  ORDINARY_BEHAVIOUR,
} from '../../../../src/peers/nexo-terminal/behaviour.ts'
import { at, type Members, requestIn } from '../../../../src/peers/nexo-terminal/messages.ts'
import { APPROVED } from '../../../../src/peers/nexo-terminal/outcomes.ts'
import { createTerminal } from '../../../../src/peers/nexo-terminal/terminal.ts'
import { createScenarioQueue } from '../../../../src/peers/scenario-queue.ts'

const START = Date.UTC(2026, 10, 28, 9, 30, 5)

function openTerminal(scenarios: object = { next: [] }) {
  const queue = createScenarioQueue<Concern, Behaviour>({
    concerns: CONCERNS,
    ...{ seesCards: false, ordinary: ORDINARY_BEHAVIOUR, behaviourIn },
  })
  equal(queue.set(scenarios), null)
  const alarms: { readonly at: number; readonly callback: () => void }[] = []
  const time = {
    now: () => START,
    alarm(due: number, callback: () => void) {
      const alarm = { at: due, callback }
      alarms.push(alarm)
      return { cancel: () => void alarms.splice(alarms.indexOf(alarm), 1) }
    },
  }
  const lines: string[] = []
  const terminal = createTerminal({ behaviours: queue, time, onLine: line => lines.push(line) })
  const send = async (category: string, serviceId: string, body: Members) => {
    const MessageHeader = {
      MessageCategory: category,
      ServiceID: serviceId,
      SaleID: 'Till-1',
      POIID: 'V400m-123456789',
    }
    const request = requestIn({ SaleToPOIRequest: { MessageHeader, [`${category}Request`]: body } })
    ok(request !== null)
    const reply = await terminal.take(request, terminal.behaviourFor(request))
    return reply.reply === 'message' ? reply.body : reply.reply
  }
  const word = (body: Members | string) =>
    typeof body === 'string' ? body : (at(body, 'Response', 'ErrorCondition') ?? at(body, 'Response', 'Result'))
  const pay = async (serviceId: string, amount: number, more: Members = {}, data = '') =>
    word(await send('Payment', serviceId, paymentBody(amount, more, data)))
  const ask = async (category: string, body: Members = {}, serviceId = 'other') =>
    word(await send(category, serviceId, body))
  const question = (serviceId: string) => ask('TransactionStatus', { MessageReference: { ServiceID: serviceId } })
  const moved = () =>
    terminal.ledger
      .entries()
      .map(({ kind, state, takenMinor, cashbackMinor, tipMinor }) =>
        [kind, state, takenMinor, cashbackMinor, tipMinor].join(' '),
      )
  return { terminal, queue, lines, alarms, send, pay, ask, question, moved }
}

function paymentBody(amount: number, more: Members, SaleToAcquirerData: string): Members {
  return {
    SaleData: { SaleTransactionID: { TransactionID: 'T1', TimeStamp: '2026-11-28T09:30:05Z' }, SaleToAcquirerData },
    PaymentTransaction: { AmountsReq: { Currency: 'GBP', RequestedAmount: amount, ...more } },
  }
}

describe('a payment', () => {
  test('is approved, and a repetition of it is busy and moves nothing', async () => {
    const { pay, question, moved, lines } = openTerminal()
    deepEqual([await pay('p1', 25.99), await pay('p1', 25.99), await question('p1')], ['Success', 'Busy', 'Success'])
    deepEqual(moved(), ['charge charged 2599 0 0'])
    deepEqual(lines.slice(0, 2), ['<- Payment p1 till=Till-1 charge amount=2599 currency=GBP', '-> Payment p1 Success'])
  })
  test.each([
    ['declined', 'Refusal', 'charge declined 0 0 0'],
    ['card_not_supported', 'PaymentRestriction', 'charge declined 0 0 0'],
    ['cancelled_at_pin', 'Cancel', 'charge cancelled 0 0 0'],
    ['technical_failure', 'UnreachableHost', 'charge failed 0 0 0'],
    ['partly_approved', 'Partial', 'charge charged 501 0 0'],
    ['contactless_approved+answer_lost', 'Success', 'charge charged 1002 0 0'],
  ])('with %s ends %s', async (scenario, says, entry) => {
    const { pay, moved } = openTerminal({ next: [{ scenario }] })
    equal(await pay('p1', 10.02), says)
    deepEqual(moved(), [entry])
  })
  test('has cashback, unless that is refused, and a tip where the till has it asked for', async () => {
    const { pay, moved } = openTerminal({ next: [{ scenario: 'tip:150', times: 2 }, { scenario: 'cashback_refused' }] })
    await pay('p1', 30, { CashBackAmount: 10 }, 'tenderOption=ReceiptHandler,AskGratuity')
    await pay('p2', 30)
    await pay('p3', 30, { CashBackAmount: 10 })
    deepEqual(moved(), ['charge charged 3150 1000 150', 'charge charged 3000 0 0', 'charge charged 2000 0 0'])
  })
  test('may be a refund, a hold or a verification', async () => {
    const { send, pay, moved } = openTerminal()
    await send('Payment', 'p1', { ...paymentBody(5, {}, ''), PaymentData: { PaymentType: 'Refund' } })
    await pay('p2', 100, {}, 'authorisationType=PreAuth')
    await pay('p3', 0)
    deepEqual(moved(), ['refund refunded 500 0 0', 'hold held 10000 0 0', 'verify verified 0 0 0'])
  })
  test('that is busy or dropped has not begun, and is not known', async () => {
    const { pay, question, moved } = openTerminal({ next: [{ scenario: 'busy' }, { scenario: 'connection_dropped' }] })
    deepEqual([await pay('p1', 1), await pay('p2', 1), await question('p2')], ['Busy', 'drop', 'NotFound'])
    deepEqual(moved(), [])
  })
  test('without an amount is refused with the place', async () => {
    const { send } = openTerminal()
    const answer = await send('Payment', 'p1', { SaleData: { SaleTransactionID: { TransactionID: 'T1' } } })
    match(JSON.stringify(answer), /MessageFormat.*AmountsReq\.RequestedAmount/)
  })
})

describe('a payment for which nobody presents a card', () => {
  test('makes a diagnosis say that the terminal is busy, until it ends; one in maintenance stays so', async () => {
    const { pay, send, terminal } = openTerminal({ next: [{ scenario: 'nobody_presents_card' }] })
    const state = async () => at((await send('Diagnosis', 'd1', {})) as Members, 'POIStatus', 'GlobalStatus')
    equal(await state(), 'OK')
    const outcome = pay('p1', 1)
    equal(await state(), 'Busy')
    terminal.setHealth({ GlobalStatus: 'Maintenance' })
    equal(await state(), 'Maintenance')
    terminal.setHealth({ GlobalStatus: 'OK' })
    ok(terminal.finish(APPROVED))
    deepEqual([await outcome, await state()], ['Success', 'OK'])
  })
  const waiting = async (more: readonly object[] = []) => {
    const shop = openTerminal({ next: [{ scenario: 'nobody_presents_card' }, ...more] })
    const outcome = shop.pay('p1', 1)
    equal(await shop.question('p1'), 'InProgress')
    return { ...shop, outcome }
  }
  test('keeps the terminal busy until there is one', async () => {
    const { terminal, pay, outcome, alarms, moved } = await waiting()
    equal(await pay('p2', 1), 'Busy')
    deepEqual([terminal.finish(APPROVED), terminal.finish(APPROVED)], [true, false])
    equal(await outcome, 'Success')
    deepEqual([alarms.length, moved()], [0, ['charge charged 100 0 0']])
  })
  test('is stopped by an abort that names it, but not by one that is ignored', async () => {
    const { ask, outcome, question } = await waiting([{ scenario: 'ignored', of: 'abort' }])
    const abort = (serviceId: string) => ask('Abort', { MessageReference: { ServiceID: serviceId } })
    await abort('p1')
    await abort('p9')
    equal(await question('p1'), 'InProgress')
    await abort('p1')
    equal(await outcome, 'Aborted')
  })
  test('ends after two minutes', async () => {
    const { alarms, outcome } = await waiting()
    equal(alarms[0]?.at, START + 120_000)
    alarms[0]?.callback()
    equal(await outcome, 'Cancel')
  })
  test('is lost with the power, and what was made before is remembered', async () => {
    const { terminal, outcome, question, pay } = await waiting()
    terminal.restart()
    deepEqual(
      [await outcome, await question('p1'), await pay('p1', 1), await question('p1')],
      [...['drop', 'NotFound', 'Success', 'Success']],
    )
  })
})

test('questions may be answered wrongly', async () => {
  const next = ['in_progress', 'not_found', 'busy', 'connection_dropped'].map(scenario => ({
    scenario,
    of: 'question',
  }))
  const { pay, question } = openTerminal({ next })
  await pay('p1', 1)
  const said: unknown[] = []
  for (let count = 0; count < 5; count += 1) said.push(await question('p1'))
  deepEqual(said, ['InProgress', 'NotFound', 'Busy', 'drop', 'Success'])
})

test('a reconciliation ends the period also when its answer is lost, and not when it is dropped', async () => {
  const lost = ['connection_dropped', 'answer_lost'].map(scenario => ({ scenario, of: 'reconciliation' }))
  const { pay, ask, send } = openTerminal({ next: lost })
  await pay('p1', 25.99)
  const reconcile = () => ask('Reconciliation', { ReconciliationType: 'SaleReconciliation' })
  equal(await reconcile(), 'LoggedOut')
  await ask('Login')
  const totals = async (category: string, body: Members) => {
    const answer = await send(category, 'q', body)
    return typeof answer === 'string' ? answer : JSON.stringify(answer['TransactionTotals'])
  }
  equal(await reconcile(), 'drop')
  match(
    await totals('GetTotals', { TotalFilter: { SaleID: 'Till-1' } }),
    /"Debit","TransactionCount":1,"TransactionAmount":25.99/,
  )
  equal(await totals('GetTotals', { TotalFilter: { SaleID: 'Till-2' } }), '[]')
  equal(await reconcile(), 'drop')
  equal(await totals('GetTotals', {}), '[]')
  const previous = { ReconciliationType: 'PreviousReconciliation', POIReconciliationID: '1000' }
  match(await totals('Reconciliation', previous), /"TransactionAmount":25.99/)
})

describe('scenarios', () => {
  test('are of an amount before they are of the next payment', async () => {
    const { pay } = openTerminal({
      next: [],
      amounts: [{ minor: 1234, scenario: 'declined' }],
      afterwards: 'lost_or_stolen',
    })
    deepEqual([await pay('p1', 12.34), await pay('p2', 1)], ['Refusal', 'Refusal'])
  })
  test.each([
    ['unheard_of', 'payment', /"unheard_of" is no scenario of a payment/],
    ['declined', 'question', /"declined" is no scenario of a question/],
    ['ignored', 'payment', /"ignored" is for abort, not for payment/],
    ['answer_twice:5', 'payment', /number/],
    ['declined:5', 'payment', /no scenario/],
  ] as const)('%s of a %s is refused', (scenario, of, says) => {
    const { queue } = openTerminal()
    match(queue.set({ next: [{ scenario, of }] }) ?? '', says)
  })
  test('cards are refused: the terminal sees its own card only', () => {
    match(openTerminal().queue.set({ next: [], cards: [] }) ?? '', /not in order/)
  })
  test('each listed part is one for what it is listed', () => {
    for (const { name, of } of listedParts())
      for (const each of of) ok(!('problem' in behaviourIn(name, each as Concern)), name)
    ok(listedParts().length > 40)
  })
})
