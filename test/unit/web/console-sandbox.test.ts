// test/unit/web/console-sandbox.test.ts — clock, faults and scenarios of the console: what is typed, and what is said.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { FAULT_NAMES, FAULTS, faultIn } from '../../../src/simulator/faults/catalogue.ts'
import { whyUnreachable } from '../../../src/simulator/faults/reach.ts'
import { ONLINE_SCENARIOS } from '../../../src/simulator/scenarios/online-scenarios.ts'
import { momentIn, nowOn, offsetInWords } from '../../../web/console/sandbox/clock.ts'
import { aimIn, aimsOf, type FaultKind, orderOf, targetInWords } from '../../../web/console/sandbox/fault.ts'
import { copyOf, documentIn, found, PAYMENTS, queueInWords, TERMINAL } from '../../../web/console/sandbox/scenario.ts'
import { changesIn, settingsInWords, type TerminalSettings } from '../../../web/console/sandbox/terminal-settings.ts'

describe('the clock', () => {
  test('it goes on from when it was read, unless it stands still', () => {
    const clock = { nowMs: 1_000, frozen: false, offsetMs: 0 }
    deepEqual([nowOn(clock, 250), nowOn({ ...clock, frozen: true }, 250)], [1_250, 1_000])
  })

  test.each([
    [0, 'It shows the time of the system clock.'],
    [-400, 'It shows the time of the system clock.'],
    [1_000, 'It is 1 second ahead of the system clock.'],
    [80_000, 'It is 1 minute and 20 seconds ahead of the system clock.'],
    [-90_061_000, 'It is 1 day and 1 hour behind the system clock.'],
    [172_800_000, 'It is 2 days ahead of the system clock.'],
  ])('an offset of %i ms: %s', (offsetMs, sentence) => equal(offsetInWords(offsetMs), sentence))

  test('a typed moment is in UTC, and something else is none', () => {
    equal(momentIn('2026-12-31T23:59'), '2026-12-31T23:59:00.000Z')
    equal(momentIn('2026-12-31T23:59:07'), '2026-12-31T23:59:07.000Z')
    for (const none of ['', 'soon', '2026-13-01T00:00']) equal(momentIn(none), null)
  })
})

describe('faults', () => {
  const kinds: readonly FaultKind[] = FAULT_NAMES.map(name => ({ name, ...FAULTS[name] }))

  test('each fault can be armed for each request that the page offers', () => {
    for (const kind of kinds)
      for (const aim of aimsOf(kind)) {
        const order = orderOf(kind, { number: '', aim, path: '/pac/**', times: '3' })
        ok(order !== null && faultIn(order.fault) !== null, kind.name)
        equal(whyUnreachable(kind.at, order.method ?? null, order.path), null, `${kind.name} at ${aim.id}`)
      }
  })

  test('a number belongs to faults that have one, and what is no number or path is not sent', () => {
    const [slow, lost] = ['slow_answer', 'answer_lost'].map(name => kinds.find(kind => kind.name === name)!) as [
      FaultKind,
      FaultKind,
    ]
    const typed = { number: '250', aim: aimIn(slow, 'poll'), path: '', times: '2' }
    deepEqual(orderOf(slow, typed), {
      ...{ fault: 'slow_answer:250', method: 'GET', path: '/pac/terminals/*/transactions/*', times: 2 },
    })
    equal(orderOf(lost, typed)?.fault, 'answer_lost')
    equal(orderOf(slow, { ...typed, number: '' })?.fault, 'slow_answer')
    for (const wrong of [{ number: '1.5' }, { times: '0' }, { times: '' }, { times: '10001' }])
      equal(orderOf(slow, { ...typed, ...wrong }), null)
    const any = { ...typed, aim: aimIn(slow, 'path') }
    equal(orderOf(slow, { ...any, path: 'pac' }), null)
    deepEqual(orderOf(slow, { ...any, path: ' /api/** ' }), { fault: 'slow_answer:250', path: '/api/**', times: 2 })
  })

  test('an aim that a fault cannot have is that of a start', () => {
    equal(aimIn({ name: 'paper_out', at: 'terminal', title: '', number: null }, 'poll').id, 'start')
  })

  test('an armed fault says what it waits for', () => {
    const armed = { fault: 'http_500', method: 'GET', path: '/pac/**', times: 3 }
    equal(targetInWords(armed), 'the next 3 requests: GET /pac/**')
    equal(targetInWords({ ...armed, method: null, times: 1 }), 'the next request: any method, /pac/**')
  })
})

describe('scenarios', () => {
  const listed = [
    { name: 'card_expired', title: 'The card has expired.', from: 'library' },
    { name: 'voided', title: 'Approved, then voided by the terminal.', from: 'library' },
  ] as const

  test('they are found by any words of name and title', () => {
    deepEqual(found(listed, 'Expired CARD'), [listed[0]])
    deepEqual(found(listed, ''), listed)
    deepEqual(found(listed, 'card terminal'), [])
  })

  test('what a terminal plays next is said in words', () => {
    equal(queueInWords({ next: [], afterwards: null }, TERMINAL), 'Plays what its id says.')
    equal(queueInWords({ next: [], afterwards: 'declined' }, TERMINAL), 'Plays declined.')
    equal(
      queueInWords({ next: ['void', { scenario: 'declined', times: 3 }, { scenario: 'approved' }] }, TERMINAL),
      'Plays void, then declined, 3 times, then approved, afterwards what its id says.',
    )
  })

  test('what the next online payments play is said in words', () => {
    equal(queueInWords({ next: [] }, PAYMENTS), 'Payments play what card and amount say.')
    equal(
      queueInWords({ next: [{ scenario: 'insufficient_funds', times: 1 }], afterwards: 'approved' }, PAYMENTS),
      'Payments play insufficient_funds, afterwards approved.',
    )
  })

  test('an online scenario, which has no origin, is found by the words of its title', () => {
    deepEqual(
      found(ONLINE_SCENARIOS, 'page never').map(({ name }) => name),
      ['page_never_answers'],
    )
    equal(found(ONLINE_SCENARIOS, '').length, ONLINE_SCENARIOS.length)
  })

  test('a copy has a name of its own that fits', () => {
    deepEqual(copyOf({ name: 'void', like: 'x' }), { name: 'my_void', like: 'x' })
    equal(String(copyOf({ name: 'x'.repeat(64) })['name']).length, 64)
  })

  test('a document is a JSON object, and anything else is said to be none', () => {
    deepEqual(documentIn('{"name":"a"}'), { document: { name: 'a' } })
    for (const text of ['[]', '1', 'null', '"a"']) match(JSON.stringify(documentIn(text)), /is a JSON object/)
    match(JSON.stringify(documentIn('{')), /This is no JSON/)
  })
})

describe('the settings of a terminal', () => {
  const ORDINARY: TerminalSettings = {
    ...{ currency: 'GBP', gratuity: false, cashbackAllowed: true, printing: true, contactlessCustomerCopy: false },
    ...{ waiterIds: true, mode: 'both', split: 'ask', paceMs: null },
  }

  test.each([
    [{}, 'used at the counter and at tables'],
    [{ mode: 'counter', split: 'never', gratuity: true }, 'used at the counter, asks for tips'],
    [{ mode: 'table', split: 'always', paceMs: 0 }, 'used at tables, always splits bills, 0 ms per step'],
    [{ cashbackAllowed: false, printing: false }, 'used at the counter and at tables, no cashback, the till prints'],
  ] as const)('%j in words', (changes, words) => {
    equal(settingsInWords({ ...ORDINARY, ...changes }), words)
  })

  const formOf = (fields: Readonly<Record<string, string>>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return form
  }
  const AS_IS = { cashbackAllowed: 'on', printing: 'on', waiterIds: 'on', mode: 'both', split: 'ask', paceMs: '' }

  test.each([
    [{}, {}],
    [
      { gratuity: 'on', mode: 'table' },
      { gratuity: true, mode: 'table' },
    ],
    [{ paceMs: ' 250 ' }, { paceMs: 250 }],
    [{ paceMs: 'soon' }, { paceMs: 'soon' }],
  ])('a form with %j changes %j', (fields, changes) => {
    deepEqual(changesIn(formOf({ ...AS_IS, ...fields }), ORDINARY), changes)
  })

  test('what is switched off and emptied is a change, too', () => {
    const { printing, ...rest } = AS_IS
    ok(printing)
    deepEqual(changesIn(formOf(rest), { ...ORDINARY, paceMs: 250 }), { printing: false, paceMs: null })
  })
})
