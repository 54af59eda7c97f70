// test/unit/acquirers/iso8583/order-values.test.ts — where an order's proof of authentication stands in a message.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { orderValues, withCash } from '../../../../src/acquirers/iso8583/orders/order-values.ts'
import { CardNumber } from '../../../../src/domain/card-number.ts'
import { money } from '../../../../src/domain/money.ts'
import type { AuthenticationProof } from '../../../../src/domain/online/three-d-secure.ts'
import { dialectOf } from '../../../support/acquirer-host.ts'
import { builtIn } from './formats.ts'

const IDS = {
  directoryServerTransactionId: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
  threeDSServerTransactionId: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6',
  acsTransactionId: '43163cd0-c849-4924-82c1-7bec32b94881',
  messageVersion: '2.2.0',
} as const
const PROOF: AuthenticationProof = {
  ...{ version: '2.0', status: 'Y', challenged: false, eci: '05', value: 'mK225wGt2bLnnLB0UlRky0oHLnU=' },
  ...IDS,
}

/** Field 63 of an order with this proof, in host-93: its sub-fields by tag, as text where they are not binary. */
function placed(proof: AuthenticationProof) {
  const card = { number: new CardNumber('4456530000001096', 'VISA'), expiry: { month: 12, year: 2030 }, holder: '' }
  const values = orderValues(builtIn('host-93'), {
    ...{ orderId: 'o', account: 'demo', amount: money(1_999, 'GBP'), cardToken: 't' },
    online: { card, securityCode: null, proof, walletProof: null },
  })
  const subFields = values[63] as readonly { readonly id: string; readonly value: string }[]
  return Object.fromEntries(
    subFields.map(({ id, value }) => [id, id === '12' ? value : Buffer.from(value, 'hex').toString('latin1')]),
  )
}

test('version and ids of all three parties to an authentication are in the places that the dialect names', () => {
  deepEqual(placed(PROOF), {
    ...{ '04': '05', '12': '98ADB6E701ADD9B2E79CB074525464CB4A072E75', '41': '2.0' },
    ...{ '40': IDS.directoryServerTransactionId, '42': IDS.messageVersion },
    ...{ '43': IDS.threeDSServerTransactionId, '44': IDS.acsTransactionId },
  })
})

test('what an older proof does not have is left out', () => {
  const { threeDSServerTransactionId: _, acsTransactionId: __, messageVersion: ___, ...old } = PROOF
  deepEqual(Object.keys(placed(old)).sort(), ['04', '12', '40', '41'])
})

test.each(['plain-87-ascii', 'pos-87-bcd', 'host-93'])(
  '%s: cash is a block of field 54 and a kind of its own',
  name => {
    const dialect = builtIn(name)
    const { charge } = dialect.messages
    ok(charge !== undefined)
    const order = { ...{ orderId: 'o', account: 'demo', cardToken: 't' }, amount: money(3599, 'GBP') }
    const withCashback = { ...order, cashback: money(1000, 'GBP') }
    const values = orderValues(dialect, withCashback)
    deepEqual([values[4], values[54]], ['3599', '0040826D000000001000'])
    equal(withCash(charge, dialect, withCashback).set[3], '090000')
    equal(orderValues(dialect, order)[54], undefined)
    equal(withCash(charge, dialect, order), charge)
  },
)

test('a host that wants the kind and the amount of cash only', () => {
  const { document } = builtIn('host-93')
  const fields = { ...document.fields, 54: { parts: ['kind:2', 'amount:12'] } }
  const dialect = dialectOf({ ...document, fields, cashback: { processing: '09', kind: '01' } })
  const order = { ...{ orderId: 'o', account: 'demo', cardToken: 't' }, amount: money(3599, 'GBP') }
  equal(orderValues(dialect, { ...order, cashback: money(1000, 'GBP') })[54], '01000000001000')
})
