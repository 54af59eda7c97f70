// test/unit/acquirers/iso8583/order-values.test.ts — where an order's proof of authentication stands in a message.
import { deepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import { orderValues } from '../../../../src/acquirers/iso8583/orders/order-values.ts'
import { CardNumber } from '../../../../src/domain/card-number.ts'
import { money } from '../../../../src/domain/money.ts'
import type { AuthenticationProof } from '../../../../src/domain/online/three-d-secure.ts'
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
