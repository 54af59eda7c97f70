// test/unit/simulator/scenario-documents.test.ts — scenario documents: reading and writing, coverage
// of all notifications, and problems of invalid ones.
import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { NOTIFICATIONS, type Notification } from '../../../src/domain/counter/notifications.ts'
import type { TransactionRequest } from '../../../src/domain/counter/transaction-events.ts'
import { TRANSACTION_MESSAGES, type TransactionMessage } from '../../../src/domain/counter/user-messages.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from '../../../src/simulator/scenarios/built-in.ts'
import { readScenario, writeScenario } from '../../../src/simulator/scenarios/document-reader.ts'
import { createScenarioLibrary, problemsOfFiles } from '../../../src/simulator/scenarios/library.ts'
import { aTerminal, openSimulatedShop, type SimulatedShop } from '../../support/simulated-shop.ts'
import { RESULTS } from '../../support/transaction-states.ts'

test.each(SCENARIO_NAMES)('%s is unchanged when written and read', name => {
  const document = writeScenario(`my_${name}`, '', SCENARIOS[name])
  const read = readScenario(JSON.parse(JSON.stringify(document)))
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  deepEqual(read.value.scenario, SCENARIOS[name])
})

test('members that a document leaves out come from its model', () => {
  const read = readScenario({
    name: 'mine',
    like: 'void',
    card: 'sim-amex',
    plans: { declined: [{ do: 'authorise' }] },
  })
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const { plans, ...rest } = SCENARIOS.void
  deepEqual(read.value.scenario, { ...rest, card: 'sim-amex', plans: { ...plans, declined: [{ do: 'authorise' }] } })
})

interface Play {
  readonly scenario: ScenarioName
  readonly request?: Partial<TransactionRequest>
  readonly cashbackAllowed?: boolean
  readonly act?: (shop: SimulatedShop, requestId: string) => Promise<void>
}

const cancel: Play['act'] = ({ gateway }, id) => gateway.execute(id, { type: 'cancel' })
const sign: Play['act'] = ({ gateway }, id) => gateway.execute(id, { type: 'decide_signature', accepted: true })
const timeIsUp: Play['act'] = ({ gateway }, id) => gateway.execute(id, { type: 'time_is_up', timer: 'limit' })
const unsigned: Play['act'] = ({ gateway }, id) => gateway.execute(id, { type: 'time_is_up', timer: 'signature' })

/** The library, and plays with other requests or actions of the till, to see everything. */
const PLAYS: readonly Play[] = [
  ...SCENARIO_NAMES.map(scenario => ({ scenario })),
  { scenario: 'nobody_presents_card', act: cancel },
  { scenario: 'signature', act: cancel },
  { scenario: 'signature', act: sign },
  { scenario: 'signature', act: unsigned },
  { scenario: 'signature_decision_too_late', act: unsigned },
  { scenario: 'timed_out', act: timeIsUp },
  { scenario: 'approved', request: { cashbackMinor: 1000 }, cashbackAllowed: false },
  { scenario: 'approved', request: { transactionType: 'DUPLICATE', amountMinor: 0 } },
  { scenario: 'approved', request: { transactionType: 'COMPLETION', authCode: 'NOSUCH' } },
]

async function played({ scenario, request = {}, cashbackAllowed = true, act }: Play) {
  const shop = await openSimulatedShop()
  const terminal = aTerminal('VCMDEMOSIP0', { cashbackAllowed })
  shop.terminals.setScenarios(terminal, [scenario])
  const requestId = await shop.gateway.start(terminal, request)
  await shop.clock.advance(0)
  await act?.(shop, requestId)
  await shop.clock.advance(0)
  return shop.gateway.record(requestId)
}

test('the plays show every notification, result and message of a transaction', async () => {
  const records = await Promise.all(PLAYS.map(played))
  const shown = new Set(records.flatMap(({ notifications }) => notifications))
  deepEqual(
    (Object.keys(NOTIFICATIONS) as Notification[]).filter(name => !shown.has(name)),
    [],
  )
  const results = new Set(records.map(({ result }) => result))
  deepEqual(
    RESULTS.filter(result => !results.has(result)),
    [],
  )
  const said = new Set(records.flatMap(({ messages }) => messages))
  // Needs an earlier pre-authorisation: behaviour.test.ts.
  said.add('pre_authorisation_differs')
  // From the gateway, about transactions that the terminal has forgotten: duplicate-truth.test.ts.
  said.add('forgotten').add('not_known_yet')
  // When the gateway has given the transaction up: late-question.test.ts.
  said.add('too_late')
  deepEqual(
    (Object.keys(TRANSACTION_MESSAGES) as TransactionMessage[]).filter(message => !said.has(message)),
    [],
  )
})

test('scenario files are listed by name, and problems of files are reported', () => {
  const mine = { name: 'mine', like: 'declined' }
  const book = createScenarioLibrary(createProcessMemory(), [mine])
  deepEqual(book.documentOf('demo', 'mine'), mine)
  deepEqual(book.list('demo').at(-1), { name: 'mine', title: '', from: 'files', rows: '' })
  const taken = book.define('demo', { name: 'mine' })
  match('problems' in taken ? (taken.problems[0]?.says ?? '') : '', /has a file/)
  throws(() => createScenarioLibrary(createProcessMemory(), [{ name: 'x', like: 'nope' }]), /a built-in scenario/)
  deepEqual(
    problemsOfFiles([
      { file: 'a.json', document: mine },
      { file: 'b.json', document: { ...mine, check: 'FACE' } },
      { file: 'c.json', document: { name: 'mine' } },
      { file: 'd.json', document: [] },
    ]),
    [
      'b.json: check must be one of PIN, SIGNATURE, DEVICE, NONE, not "FACE".',
      'c.json: name is taken: a.json has a scenario mine too.',
      'd.json: The document must be an object, not [].',
    ],
  )
})

test('at its limit of scenarios an account can still overwrite its own', () => {
  const book = createScenarioLibrary(createProcessMemory(), [])
  for (let count = 0; count < 500; count += 1) ok('name' in book.define('demo', { name: `s${count}` }))
  ok('problems' in book.define('demo', { name: 'one-more' }))
  ok('name' in book.define('demo', { name: 's7', like: 'void' }))
  ok('name' in book.define('other', { name: 'one-more' }))
  equal(book.forget('demo', 's0'), true)
  ok('name' in book.define('demo', { name: 'one-more' }))
})
