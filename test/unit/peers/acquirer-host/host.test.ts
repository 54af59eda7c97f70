// test/unit/peers/acquirer-host/host.test.ts — what the host decides: once on each message, also when a reversal overtakes it.
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import host93 from '../../../../src/acquirers/iso8583/dialects/host-93.json' with { type: 'json' }
import plain87 from '../../../../src/acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import { type Behaviour, behaviourIn, ORDINARY_BEHAVIOUR } from '../../../../src/peers/acquirer-host/behaviour.ts'
import type { Fields } from '../../../../src/peers/acquirer-host/codec.ts'
import { dialectIn } from '../../../../src/peers/acquirer-host/dialect.ts'
import { decide } from '../../../../src/peers/acquirer-host/host.ts'
import { openLedger } from '../../../../src/peers/acquirer-host/ledger.ts'
import { requestIn } from '../../../../src/peers/acquirer-host/request.ts'

/** A day of 2026. */
const START = Date.UTC(2026, 10, 28, 9, 30, 5)

function openHost(document: unknown = plain87, { isSignedOn = true } = {}) {
  const dialect = dialectIn(document)
  const ledger = openLedger(null)
  const clock = { at: START }
  const session = { isSignedOn }
  const time = {
    now: () => clock.at,
    alarm: () => {
      throw new Error('the decision itself waits for nothing')
    },
  }
  return {
    ledger,
    clock,
    /** Fields of the answer; null for none. */
    send(mti: string, fields: Fields, scenario?: string): Fields | null {
      const answer = decide(
        { dialect, ledger, time, pinKey: null },
        requestIn({ mti, fields }, dialect),
        played(scenario),
        session,
      )
      return answer?.fields ?? null
    },
    states: () => ledger.entries().map(({ kind, state, takenMinor }) => `${kind} ${state} ${takenMinor}`),
  }
}

function played(scenario: string | undefined): Behaviour {
  const read = scenario === undefined ? ORDINARY_BEHAVIOUR : behaviourIn(scenario)
  if ('problem' in read) throw new Error(read.problem)
  return read
}

const SALE: Fields = {
  ...{ 2: '4761739001010119', 3: '000000', 4: '000000002599', 7: '1128093005', 11: '000002', 12: '093005', 13: '1128' },
  ...{ 14: '3012', 18: '5411', 22: '051', 25: '00', 32: '010031', 37: '633309000002', 41: '29110001' },
  ...{ 42: '811234567890101', 43: 'A SHOP'.padEnd(40), 49: '826' },
}
const { 14: _expiry, 43: _name, ...KEPT_IN_REVERSAL } = SALE
const REVERSAL: Fields = {
  ...KEPT_IN_REVERSAL,
  ...{ 7: '1128093105', 11: '000003', 90: '0200000002112809300500000010031'.padEnd(42, '0') },
}

test('a sale is approved, and its answer repeats what tells it apart', () => {
  const host = openHost()
  deepEqual(host.send('0200', SALE), {
    ...{ 3: '000000', 4: '000000002599', 7: '1128093005', 11: '000002', 12: '093005', 13: '1128', 15: '1128' },
    ...{ 32: '010031', 37: '633309000002', 38: '000000', 39: '00', 41: '29110001', 42: '811234567890101', 49: '826' },
  })
  deepEqual(host.states(), ['charge charged 2599'])
  equal(host.ledger.entries()[0]?.card, '476173******0119')
})

test('a repeat gets the same answer, and moves nothing', () => {
  const host = openHost()
  const first = host.send('0200', SALE)
  deepEqual(host.send('0201', { ...SALE, 7: '1128093105' }), { ...first, 7: '1128093105' })
  deepEqual(host.states(), ['charge charged 2599'])
})

test('the same number at the same time with another amount is a duplicate', () => {
  const host = openHost()
  host.send('0200', SALE)
  equal(host.send('0200', { ...SALE, 4: '000000002600' })?.[39], '94')
  deepEqual(host.states(), ['charge charged 2599'])
})

test('the same number of another terminal is another sale', () => {
  const host = openHost()
  host.send('0200', SALE)
  equal(host.send('0200', { ...SALE, 41: '29110002' })?.[39], '00')
  equal(host.states().length, 2)
})

describe('a reversal', () => {
  test('undoes its original, and says so again', () => {
    const host = openHost()
    host.send('0200', SALE)
    equal(host.send('0420', REVERSAL)?.[39], '00')
    equal(host.send('0421', REVERSAL)?.[39], '00')
    deepEqual(host.states(), ['charge reversed 0', 'reversal done 0'])
  })

  test('that arrives first makes the host refuse the original', () => {
    const host = openHost()
    equal(host.send('0420', REVERSAL)?.[39], '00')
    equal(host.send('0200', SALE)?.[39], '05')
    deepEqual(host.states(), ['reversal done 0', 'unseen reversed 0'])
  })

  test('that arrives first is forgotten when the scenario says so', () => {
    const host = openHost()
    equal(host.send('0420', REVERSAL, 'reversal_forgotten')?.[39], '25')
    equal(host.send('0200', SALE)?.[39], '00')
    deepEqual(host.states(), ['reversal done 0', 'charge charged 2599'])
  })

  test('of an authorisation with the number of a sale finds nothing', () => {
    const host = openHost()
    host.send('0200', SALE)
    const wrong = { ...REVERSAL, 90: `0220${REVERSAL[90]?.slice(4)}` }
    equal(host.send('0420', wrong)?.[39], '25')
    deepEqual(host.states(), ['charge charged 2599', 'reversal done 0'])
  })

  test('lowers a hold to the replacement amount', () => {
    const host = openHost()
    host.send('0100', SALE)
    const lower = { ...REVERSAL, 90: `0100${REVERSAL[90]?.slice(4)}`, 95: `000000002000${'0'.repeat(30)}` }
    equal(host.send('0420', lower)?.[39], '00')
    equal(host.states()[0], 'hold held 2000')
    equal(host.send('0420', { ...lower, 11: '000004', 95: `000000002001${'0'.repeat(30)}` })?.[39], '13')
  })

  test('is not answered for the time of the scenario, and the money stays taken', () => {
    const host = openHost()
    host.send('0200', SALE, 'reversal_unanswered:60000')
    equal(host.send('0420', REVERSAL), null)
    deepEqual(host.states(), ['charge charged 2599'])
    host.clock.at += 60_000
    equal(host.send('0421', REVERSAL)?.[39], '00')
    equal(host.states()[0], 'charge reversed 0')
  })

  test('in BCD of 1993 names its original by field 56', () => {
    const host = openHost(host93)
    const sale: Fields = {
      ...{ 2: '4761739001010119', 3: '000000', 4: '000000002599', 7: '1128093005', 11: '000002', 12: '261128093005' },
      ...{ 22: '510101514344', 24: '200', 26: '5411', 32: '010031', 41: '29110001', 42: '811234567890101', 49: '826' },
    }
    const answer = host.send('1200', sale)
    deepEqual([answer?.[39], answer?.[37]], ['000', '633209000002'])
    const reversal = { ...sale, 11: '000003', 24: '400', 25: '4021', 56: '120000000226112809300506010031' }
    equal(host.send('1420', reversal)?.[39], '400')
    equal(host.send('1420', { ...reversal, 11: '000004' })?.[39], '480')
    equal(host.states()[0], 'charge reversed 0')
  })
})

describe('a capture', () => {
  const capture = (authCode: string, minor: string): Fields => ({
    ...SALE,
    4: minor,
    11: '000005',
    25: '06',
    38: authCode,
  })

  test('uses its hold up, and its reversal opens the hold again', () => {
    const host = openHost()
    const authCode = host.send('0100', SALE)?.[38] ?? ''
    equal(host.send('0220', capture(authCode, '000000002000'))?.[39], '00')
    deepEqual(host.states(), ['hold captured 0', 'capture captured 2000'])
    const undo = { ...REVERSAL, 11: '000006', 90: `0220000005${REVERSAL[90]?.slice(10)}` }
    equal(host.send('0420', undo)?.[39], '00')
    deepEqual(host.states().slice(0, 2), ['hold held 2599', 'capture reversed 0'])
  })

  test('of nothing, and of more than was held, is refused', () => {
    const host = openHost()
    equal(host.send('0220', capture('123456', '000000002599'))?.[39], '25')
    const authCode = host.send('0100', SALE)?.[38] ?? ''
    equal(host.send('0220', { ...capture(authCode, '000000002600'), 11: '000007' })?.[39], '13')
    deepEqual(host.states(), ['capture declined 0', 'hold held 2599', 'capture declined 0'])
  })
})

describe('a scenario', () => {
  test.each([
    ['declined', '05', 'charge declined 0'],
    ['insufficient_funds', '51', 'charge declined 0'],
    ['security_code_differs', 'N7', 'charge declined 0'],
    ['partly_approved', '10', 'charge charged 1299'],
  ])('%s answers %s', (scenario, code, state) => {
    const host = openHost()
    equal(host.send('0200', SALE, scenario)?.[39], code)
    deepEqual(host.states(), [state])
  })

  test('answers with the code that the dialect has for its reason', () => {
    const host = openHost({ ...plain87, codes: { declined: { security_code_differs: ['82', 'N7'] } } })
    equal(host.send('0200', SALE, 'security_code_differs')?.[39], '82')
  })

  test('acquirer_silent leaves no trace', () => {
    const host = openHost()
    equal(host.send('0200', SALE, 'acquirer_silent'), null)
    deepEqual(host.states(), [])
  })

  test('approval_unknown takes the money and never answers, also not a repeat', () => {
    const host = openHost()
    equal(host.send('0200', SALE, 'approval_unknown'), null)
    equal(host.send('0201', SALE), null)
    deepEqual(host.states(), ['charge charged 2599'])
  })

  test('approval_late decides when the time is over', () => {
    const host = openHost()
    equal(host.send('0200', SALE, 'approval_late:1000'), null)
    equal(host.send('0201', SALE), null)
    deepEqual(host.states(), ['charge undecided 0'])
    host.clock.at += 1_000
    equal(host.send('0201', SALE)?.[39], '00')
    deepEqual(host.states(), ['charge charged 2599'])
  })

  test('no two approvals have the same code, also when one of them is late', () => {
    const host = openHost()
    host.send('0200', SALE, 'approval_late:1000')
    const second = host.send('0200', { ...SALE, 11: '000011' })?.[38]
    host.clock.at += 1_000
    const first = host.send('0201', SALE)?.[38]
    const third = host.send('0200', { ...SALE, 11: '000012' })?.[38]
    equal(new Set([first, second, third]).size, 3)
  })

  test('reversed while it is late, it is declined for ever', () => {
    const host = openHost()
    host.send('0200', SALE, 'approval_late:1000')
    equal(host.send('0420', REVERSAL)?.[39], '00')
    host.clock.at += 1_000
    equal(host.send('0201', SALE)?.[39], '05')
    equal(host.states()[0], 'charge reversed 0')
  })
})

test.each([
  ['9000051', plain87, '0200', '51'],
  ['9000054', plain87, '0200', '54'],
  ['9000068', plain87, '0200', null],
  ['9000091', plain87, '0200', null],
  ['9000100', plain87, '0200', '00'],
])('an amount of %s selects a code', (minor, document, mti, code) => {
  equal(openHost(document).send(mti, { ...SALE, 4: minor.padStart(12, '0') })?.[39] ?? null, code)
})

describe('a message that is not in order', () => {
  test.each([
    ['without a merchant', { 42: undefined }, '42'],
    ['with letters in an amount', { 4: '00000000A599' }, '4'],
    ['with number 0', { 11: '000000' }, '11'],
    ['with another amount in its chip data', { 55: '9F0206000000002600' }, '55'],
    ['with a tag that is cut off', { 55: '9F02060000' }, '55'],
    ['with a tag twice', { 55: '9A032611289A03261128' }, '55'],
  ])('%s is refused with the number of the field', (_, change, field) => {
    const host = openHost()
    const fields = Object.fromEntries(Object.entries({ ...SALE, ...change }).filter(([, value]) => value !== undefined))
    const answer = host.send('0200', fields as Fields)
    deepEqual([answer?.[39], answer?.[44]], ['30', field])
    deepEqual(host.states(), [])
  })

  test('of an unknown kind is refused', () => {
    equal(openHost().send('0200', { ...SALE, 3: '400000' })?.[39], '12')
    equal(openHost().send('0600', SALE)?.[39], '40')
  })
})

test('money needs a sign-on, if the dialect has one', () => {
  const host = openHost(plain87, { isSignedOn: false })
  equal(host.send('0200', SALE)?.[39], '91')
  const signOn = { 7: '1128093000', 11: '000001', 41: '29110001', 70: '001' }
  deepEqual(host.send('0800', signOn), { ...signOn, 39: '00' })
  equal(host.send('0200', SALE)?.[39], '00')
  host.send('0800', { ...signOn, 11: '000009', 70: '002' })
  equal(host.send('0200', { ...SALE, 11: '000010' })?.[39], '91')
})

describe('a reconciliation', () => {
  const TOTALS: Fields = {
    ...{ 7: '1128200000', 11: '000020', 15: '1128', 32: '010031', 41: '29110001', 50: '826' },
    ...{ 74: '0000000001', 75: '0000000000', 76: '0000000002', 77: '0000000001' },
    ...{ 86: '0000000000000500', 87: '0000000000000000', 88: '0000000000005198', 89: '0000000000002599' },
    97: 'D0000000000002099',
  }
  const sold = () => {
    const host = openHost()
    host.send('0200', SALE)
    host.send('0420', REVERSAL)
    host.send('0200', { ...SALE, 11: '000011' })
    host.send('0200', { ...SALE, 11: '000012' }, 'declined')
    host.send('0200', { ...SALE, 3: '200000', 4: '000000000500', 11: '000013' })
    return host
  }

  test('with the totals of the ledger balances, and the next one begins at nothing', () => {
    const host = sold()
    const answer = host.send('0500', TOTALS)
    deepEqual([answer?.[39], answer?.[66], answer?.[97]], ['00', '1', 'D0000000000002099'])
    equal(host.send('0500', { ...TOTALS, 11: '000021' })?.[66], '2')
    equal(host.send('0420', { ...REVERSAL, 11: '000022', 90: `0200000011${REVERSAL[90]?.slice(10)}` })?.[39], '40')
  })

  test('with one penny more does not, and the batch stays open', () => {
    const host = sold()
    const answer = host.send('0500', { ...TOTALS, 88: '0000000000005199' })
    deepEqual([answer?.[39], answer?.[66], answer?.[88]], ['95', '2', '0000000000005198'])
    notEqual(host.send('0500', { ...TOTALS, 11: '000021' })?.[66], '2')
  })

  test('does not balance when the scenario says so', () => {
    const answer = sold().send('0500', TOTALS, 'out_of_balance')
    deepEqual([answer?.[66], answer?.[76]], ['2', '0000000003'])
  })
})
