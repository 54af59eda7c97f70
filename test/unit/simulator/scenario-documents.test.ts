// test/unit/simulator/scenario-documents.test.ts — scenarios as documents: what is written is what is read, nothing that
// can happen is missing from the library, and what cannot be played is told.
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

test.each(SCENARIO_NAMES)('%s comes back from its document as it was', name => {
  const document = writeScenario(`my_${name}`, '', SCENARIOS[name])
  const read = readScenario(JSON.parse(JSON.stringify(document)))
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  deepEqual(read.value.scenario, SCENARIOS[name])
})

test('what a document does not say is as in its model', () => {
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

/** What it takes beside the library to see everything: a request of another kind, or what the till does. */
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

test('every notification, every result and every sentence of a transaction can be provoked', async () => {
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
  // It takes a pre-authorisation before it: behaviour.test.ts.
  said.add('pre_authorisation_differs')
  // The gateway says these, of what the terminal does not know any more: duplicate-truth.test.ts.
  said.add('forgotten').add('not_known_yet')
  deepEqual(
    (Object.keys(TRANSACTION_MESSAGES) as TransactionMessage[]).filter(message => !said.has(message)),
    [],
  )
})

test('files are played under their names, and hold nothing that cannot be played', () => {
  const mine = { name: 'mine', like: 'declined' }
  const book = createScenarioLibrary(createProcessMemory(), [mine])
  deepEqual(book.documentOf('demo', 'mine'), mine)
  deepEqual(book.list('demo').at(-1), { name: 'mine', title: '', from: 'files', rows: '' })
  const taken = book.define('demo', { name: 'mine' })
  match('problems' in taken ? (taken.problems[0]?.says ?? '') : '', /has a file/)
  throws(() => createScenarioLibrary(createProcessMemory(), [{ name: 'x', like: 'nope' }]), /scenario of the library/)
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

test('an account has a limit of scenarios, and its own may be written anew at it', () => {
  const book = createScenarioLibrary(createProcessMemory(), [])
  for (let count = 0; count < 500; count += 1) ok('name' in book.define('demo', { name: `s${count}` }))
  ok('problems' in book.define('demo', { name: 'one-more' }))
  ok('name' in book.define('demo', { name: 's7', like: 'void' }))
  ok('name' in book.define('other', { name: 'one-more' }))
  equal(book.forget('demo', 's0'), true)
  ok('name' in book.define('demo', { name: 'one-more' }))
})
