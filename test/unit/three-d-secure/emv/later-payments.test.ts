// test/unit/three-d-secure/emv/later-payments.test.ts — payments without their payer at a directory server (3RI). ADR 98.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { readStrictly } from '../../../../src/api/read/strict-document.ts'
import { money } from '../../../../src/domain/money.ts'
import type { AuthenticationOrder } from '../../../../src/engine/ports/three-d-secure.ts'
import { openMemoryStore } from '../../../../src/store/sqlite/memory-store.ts'
import { LATER_PAYMENTS, type LaterPayments } from '../../../../src/three-d-secure/emv/later-payments.ts'
import { CARDS, openConnector, openScheme, VALUE } from '../../../support/emv/scheme.ts'
import { TestClock } from '../../../support/test-clock.ts'

const ORDER: AuthenticationOrder = {
  ...{ authenticationId: 'a1', account: 'demo', card: CARDS.frictionless, amount: money(2599, 'GBP') },
  ...{ currencyNumeric: '826', orderId: 'R-1', mustChallenge: false },
  prior: { challenged: false, acsTransactionId: 'acs-1', directoryServerTransactionId: 'ds-1', at: 0 },
}
const UNAVAILABLE = { type: 'authentication_failed', status: 'U', reason: 'unavailable' }

function open(laterPayments?: LaterPayments) {
  const scheme = openScheme()
  const options = laterPayments === undefined ? {} : { laterPayments }
  return { scheme, ...openConnector(scheme, openMemoryStore(), new TestClock(), options) }
}

test('the issuer is asked without a browser, and its answer is a proof', async () => {
  const { server, scheme } = open({ kind: 'other' })
  const report = await server.lookUp(ORDER)
  ok(report.type === 'authenticated')
  deepEqual([report.proof.value, report.proof.liability, report.proof.challenged], [VALUE, 'issuer', false])
  const [areq = {}] = scheme.areqs
  deepEqual([areq['deviceChannel'], areq['threeRIInd'], areq['browserUserAgent']], ['03', '11', undefined])
  // Asked again after a crash, it is the same authentication.
  deepEqual(await server.lookUp(ORDER), report)
  equal(scheme.areqs.length, 1)
})

test('case 49: a challenge without the payer is no answer: Erro 203, unavailable', async () => {
  const { server, scheme } = open({ kind: 'other' })
  deepEqual(await server.lookUp({ ...ORDER, card: CARDS.challenged }), UNAVAILABLE)
  deepEqual(
    scheme.erros.map(erro => [erro['errorCode'], erro['errorDetail']]),
    [['203', 'transStatus']],
  )
})

test('an account that has not chosen it asks nobody', async () => {
  const { server, scheme } = open()
  equal(await server.authenticatesLater?.('demo', 'VISA'), false)
  deepEqual(await server.lookUp(ORDER), UNAVAILABLE)
  equal(scheme.areqs.length, 0)
})

test('it is chosen for one account, and for cards of the scheme', async () => {
  const { server } = open({ kind: 'other' })
  for (const [account, scheme, expected] of [
    ['demo', 'VISA', true],
    ['demo', 'MASTERCARD', false],
    ['other', 'VISA', false],
  ] as const)
    equal(await server.authenticatesLater?.(account, scheme), expected, `${account} ${scheme}`)
})

test.each([
  [{ kind: 'recurring', everyDays: 30, until: '20301231' }, true],
  [{ kind: 'split_shipment', priorReference: 'ds' }, true],
  [{ kind: 'recurring' }, true],
  [{ kind: 'recurring', everyDays: 0, until: '20301231' }, false],
  [{ kind: 'recurring', everyDays: 30, until: '20301301' }, false],
  [{ kind: 'other', every: 30 }, false],
  [{ kind: 'other', priorReference: 'issuer' }, false],
  [{}, false],
  [{ kind: 'monthly' }, false],
])('the setting %j is right: %s', (payments, isRight) => {
  equal('value' in readStrictly(LATER_PAYMENTS, payments), isRight)
})
