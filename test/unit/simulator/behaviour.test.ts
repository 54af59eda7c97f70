// test/unit/simulator/behaviour.test.ts — the terminal as a pure function: what it knows, what happens, and the time.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { TerminalReport, TransactionRequest } from '../../../src/domain/counter/transaction-events.ts'
import { SCENARIO_NAMES, SCENARIOS } from '../../../src/simulator/scenarios/built-in.ts'
import { ORDINARY, type Scenario } from '../../../src/simulator/scenarios/scenario.ts'
import { type Input, react, scenarioFor } from '../../../src/simulator/terminals/behaviour.ts'
import { type DeviceState, freshDevice } from '../../../src/simulator/terminals/device.ts'
import { PLANS, type Plan, WAITS } from '../../../src/simulator/terminals/flow.ts'
import { SALE } from '../../support/records.ts'
import { aTerminal, openSimulatedShop, SHOP } from '../../support/simulated-shop.ts'

const PACE_MS = 500

function start(requestId: string, request: Partial<TransactionRequest> = {}, scenario: Scenario = ORDINARY): Input {
  const { settings } = aTerminal('VCMDEMOSIP0')
  const setup = { settings, shop: SHOP, paceMs: PACE_MS, limitMs: 200_000 }
  const asked = { ...SALE, ...request }
  return { type: 'start', effectId: `${requestId} start`, requestId, request: asked, setup, scenario }
}

/** Lets a terminal go on, with its questions answered, until it rests; returns it and what it has reported. */
function run(state: DeviceState, input: Input): { readonly state: DeviceState; readonly reports: TerminalReport[] } {
  let now = react(state, input, 0)
  for (let at = 0; now.running !== null && at < 100 * PACE_MS; at += PACE_MS) {
    now = react(now, { type: 'time_passed' }, at)
    if (now.running?.waitsFor !== 'authorisation') continue
    const { requestId } = now.running
    now = react(now, { type: 'authorisation_approved', effectId: 'answer', requestId, authCode: 'AB12C3' }, at)
  }
  return { state: now, reports: now.outbox.flatMap(({ reports }) => reports) }
}

test('what changes nothing gives back the very same state', () => {
  const fresh = freshDevice('demo', 'VCMDEMOSIP0')
  const busy = react(fresh, start('r1'), 0)
  const idle: readonly Input[] = [
    { type: 'time_passed' },
    { type: 'cancel', effectId: 'e', requestId: 'another' },
    { type: 'authorisation_approved', effectId: 'e', requestId: 'r1 of long ago', authCode: 'AB12C3' },
    { type: 'key', key: { key: 'pin', digits: '1234' } },
    { type: 'denied', requestId: 'r1' },
    start('r1'),
  ]
  for (const input of idle) equal(react(busy, input, PACE_MS - 1), busy, input.type)
})

test('each step comes its pace after the one before, with one delivery', () => {
  let state = react(freshDevice('demo', 'VCMDEMOSIP0'), start('r1'), 1000)
  for (const steps of [1, 2, 3, 4]) {
    equal(state.running?.dueAt, 1000 + steps * PACE_MS)
    equal(react(state, { type: 'time_passed' }, 999 + steps * PACE_MS), state)
    state = react(state, { type: 'time_passed' }, 1000 + steps * PACE_MS)
    equal(state.outbox.length, steps)
  }
})

test('transactions are numbered with four digits, and 9999 is followed by 0001', () => {
  const numberOf = (counted: number) => {
    const { reports } = run({ ...freshDevice('demo', 'VCMDEMOSIP0'), counted }, start('r1'))
    const end = reports.find(report => report.type === 'ended')
    return end?.type === 'ended' ? [end.ending.transactionNumber, end.ending.transactionId] : []
  }
  deepEqual(numberOf(0), ['0001', '4100001'])
  deepEqual(numberOf(9998), ['9999', '4109999'])
  deepEqual(numberOf(9999), ['0001', '4110000'])
})

test('every plan comes to an end or waits for somebody, and every wait has an end', () => {
  const plans: Plan[] = [
    ...Object.values(PLANS),
    ...SCENARIO_NAMES.flatMap(name => Object.values(SCENARIOS[name].plans)),
  ]
  const last = new Set(['end', 'end_unheard', 'repeat_last', 'authorise', 'ask_signature'])
  for (const plan of plans) {
    const step = plan.at(-1)
    ok(step !== undefined && (last.has(step.do) || (step.do === 'wait' && step.for === 'card')), JSON.stringify(plan))
  }
  for (const [name, { limitMs, leadsTo }] of Object.entries(WAITS)) {
    ok(Number.isSafeInteger(limitMs) && limitMs > 0, name)
    ok(leadsTo === null || PLANS[leadsTo].length > 0, name)
  }
})

test('a duplicate leaves the next scenario to the next payment', () => {
  const fresh = freshDevice('demo', 'VCMDEMOSIP0')
  const scenarios = [{ scenario: 'technical_failure', times: 2 }]
  const set = react(fresh, { type: 'scenarios_set', scenarios, afterwards: null }, 0)
  const repeated = run(set, start('r1', { transactionType: 'DUPLICATE', amountMinor: 0 }))
  deepEqual(repeated.state.scenarios, scenarios)
  const failed = run(repeated.state, start('r2', {}, SCENARIOS.technical_failure))
  deepEqual(failed.state.scenarios, [{ scenario: 'technical_failure', times: 1 }])
  ok(failed.reports.some(report => report.type === 'outcome_shown' && report.outcome === 'PROCESSING_ERROR'))
})

test('a transaction with a scenario of its own leaves the queue to the next one', () => {
  const queued = [{ scenario: 'technical_failure', times: 1 }]
  const set = react(
    freshDevice('demo', 'VCMDEMOSIP0'),
    { type: 'scenarios_set', scenarios: queued, afterwards: 'void' },
    0,
  )
  const reserved = react(set, { type: 'scenario_reserved', requestId: 'r1', scenario: 'declined' }, 0)
  deepEqual([scenarioFor(reserved, 'r1'), scenarioFor(reserved, 'r2')], ['declined', 'technical_failure'])
  const { state } = run(reserved, start('r1', {}, SCENARIOS.declined))
  deepEqual([state.scenarios, state.reserved, scenarioFor(state, 'r2')], [queued, [], 'technical_failure'])
  const later = run(state, start('r2', {}, SCENARIOS.technical_failure)).state
  equal(scenarioFor(later, 'r3'), 'void')
  const released = react(reserved, { type: 'scenario_released', requestId: 'r1' }, 0)
  equal(scenarioFor(released, 'r1'), 'technical_failure')
})

test('a payment that was approved on the display counts as paid when a new one takes its place', async () => {
  const { gateway, clock, terminals } = await openSimulatedShop()
  const terminal = aTerminal('VCMDEMOSIP0')
  terminals.setScenarios(terminal, ['card_left_in', 'silent_after_approval'])
  const shown = await gateway.start(terminal)
  await clock.advance(0)
  const silent = await gateway.start(terminal)
  await clock.advance(0)
  const repeat = await gateway.start(terminal, { transactionType: 'DUPLICATE', amountMinor: 0 })
  await clock.advance(0)
  deepEqual(await terminals.driver.lastTransaction(terminal, shown), { state: 'ended', successful: true })
  deepEqual(await terminals.driver.lastTransaction(terminal, silent), { state: 'ended', successful: false })
  // What the terminal tells of the silent one: not paid, and no code that looks as if it were.
  const { result, authCode, repeated } = gateway.record(repeat)
  deepEqual([result, authCode, repeated?.requestId], ['UNSUCCESSFUL', '', silent])
})

test('that the payment went on without cashback is said only when it did', async () => {
  const { gateway, clock } = await openSimulatedShop()
  const declined = await gateway.start(aTerminal('VCMDEMODIP0', { cashbackAllowed: false }), { cashbackMinor: 1000 })
  await clock.advance(0)
  const { result, messages } = gateway.record(declined)
  deepEqual([result, messages], ['DECLINED', []])
})

test('the reasons that a cashier can do something about are told with the decline', async () => {
  const { gateway, clock } = await openSimulatedShop()
  const terminal = aTerminal('VCMDEMOSIP0')
  const told: string[] = []
  const play = async (request: Partial<TransactionRequest>) => {
    const requestId = await gateway.start(terminal, request)
    await clock.advance(0)
    told.push(`${gateway.record(requestId).result} ${gateway.record(requestId).messages.join()}`)
    return gateway.record(requestId).authCode
  }
  await play({ amountMinor: 9_000_001 })
  await play({ amountMinor: 9_000_005 })
  await play({ transactionType: 'COMPLETION', amountMinor: 500, authCode: 'NOSUCH' })
  const authCode = await play({ transactionType: 'PRE_AUTH', amountMinor: 500 })
  await play({ transactionType: 'COMPLETION', amountMinor: 501, authCode })
  deepEqual(told, [
    'DECLINED referred',
    'DECLINED ',
    'DECLINED no_pre_authorisation',
    'SUCCESSFUL ',
    'DECLINED pre_authorisation_differs',
  ])
})
