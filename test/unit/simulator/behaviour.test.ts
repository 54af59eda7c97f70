// test/unit/simulator/behaviour.test.ts — the simulated terminal as a pure function of state, input and time.
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

const APPROVAL = { answer: 'approved', authCode: 'AB12C3' } as const

/** Runs a terminal until it is idle, with authorisations approved. Returns its state and reports. */
function run(state: DeviceState, input: Input): { readonly state: DeviceState; readonly reports: TerminalReport[] } {
  let now = react(state, input, 0)
  for (let at = 0; now.running !== null && at < 100 * PACE_MS; at += PACE_MS) {
    now = react(now, { type: 'time_passed' }, at)
    if (now.running?.waitsFor !== 'authorisation') continue
    const { requestId } = now.running
    now = react(now, { type: 'authorisation_answered', effectId: 'answer', requestId, answer: APPROVAL }, at)
  }
  return { state: now, reports: now.outbox.flatMap(({ reports }) => reports) }
}

test('an input without effect returns the same state object', () => {
  const fresh = freshDevice('demo', 'VCMDEMOSIP0')
  const busy = react(fresh, start('r1'), 0)
  const idle: readonly Input[] = [
    { type: 'time_passed' },
    { type: 'cancel', effectId: 'e', requestId: 'another' },
    { type: 'authorisation_answered', effectId: 'e', requestId: 'r1 of long ago', answer: APPROVAL },
    { type: 'key', key: { key: 'pin', digits: '1234' } },
    { type: 'denied', requestId: 'r1' },
    start('r1'),
  ]
  for (const input of idle) equal(react(busy, input, PACE_MS - 1), busy, input.type)
})

test('a call that comes too early has its effect when it is repeated', () => {
  const answer: Input = { type: 'authorisation_answered', effectId: 'answer', requestId: 'r1', answer: APPROVAL }
  const early = react(freshDevice('demo', 'VCMDEMOSIP0'), start('r1'), 0)
  equal(react(early, answer, 0), early)
  let state = early
  for (let at = 0; state.running?.waitsFor !== 'authorisation'; at += PACE_MS)
    state = react(react(state, answer, at), { type: 'time_passed' }, at)
  equal(react(state, answer, 100 * PACE_MS).running?.authCode, APPROVAL.authCode)
})

test('each step follows after the pace and makes one delivery', () => {
  let state = react(freshDevice('demo', 'VCMDEMOSIP0'), start('r1'), 1000)
  for (const steps of [1, 2, 3, 4]) {
    equal(state.running?.dueAt, 1000 + steps * PACE_MS)
    equal(react(state, { type: 'time_passed' }, 999 + steps * PACE_MS), state)
    state = react(state, { type: 'time_passed' }, 1000 + steps * PACE_MS)
    equal(state.outbox.length, steps)
  }
})

test('transaction numbers have four digits, and 0001 follows 9999', () => {
  const numberOf = (counted: number) => {
    const { reports } = run({ ...freshDevice('demo', 'VCMDEMOSIP0'), counted }, start('r1'))
    const end = reports.find(report => report.type === 'ended')
    return end?.type === 'ended' ? [end.ending.transactionNumber, end.ending.transactionId] : []
  }
  deepEqual(numberOf(0), ['0001', '4100001'])
  deepEqual(numberOf(9998), ['9999', '4109999'])
  deepEqual(numberOf(9999), ['0001', '4110000'])
})

test('every plan ends or waits, and every wait has a limit', () => {
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

test('a duplicate does not use up a scenario', () => {
  const fresh = freshDevice('demo', 'VCMDEMOSIP0')
  const scenarios = [{ scenario: 'technical_failure', times: 2 }]
  const set = react(fresh, { type: 'scenarios_set', scenarios, afterwards: null }, 0)
  const repeated = run(set, start('r1', { transactionType: 'DUPLICATE', amountMinor: 0 }))
  deepEqual(repeated.state.scenarios, scenarios)
  const failed = run(repeated.state, start('r2', {}, SCENARIOS.technical_failure))
  deepEqual(failed.state.scenarios, [{ scenario: 'technical_failure', times: 1 }])
  ok(failed.reports.some(report => report.type === 'outcome_shown' && report.outcome === 'PROCESSING_ERROR'))
})

test('a transaction with a reserved scenario does not use up the queue', () => {
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

test('a payment approved on the display counts as successful when a new one replaces it', async () => {
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
  // The silent one is repeated as not paid, without an authorisation code.
  const { result, authCode, repeated } = gateway.record(repeat)
  deepEqual([result, authCode, repeated?.requestId], ['UNSUCCESSFUL', '', silent])
})

test('a refused cashback is reported only if the payment went on', async () => {
  const { gateway, clock } = await openSimulatedShop()
  const declined = await gateway.start(aTerminal('VCMDEMODIP0', { cashbackAllowed: false }), { cashbackMinor: 1000 })
  await clock.advance(0)
  const { result, messages } = gateway.record(declined)
  deepEqual([result, messages], ['DECLINED', []])
})

test('a decline has a message when the cashier can act on its reason', async () => {
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
