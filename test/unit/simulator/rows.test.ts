// test/unit/simulator/rows.test.ts — the published scenarios on a simulated terminal:
// notifications in order, result, card reading and cardholder verification.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { CHIP_PIN, long, ROWS } from '../../support/published-rows.ts'
import { aTerminal, openSimulatedShop } from '../../support/simulated-shop.ts'

test.each(ROWS)('row $name: $play', async ({ play, request, settings, act, order, result, read }) => {
  const shop = await openSimulatedShop()
  const terminal = aTerminal('VCMDEMOSIP0', settings)
  shop.terminals.setScenarios(terminal, [play])
  const requestId = await shop.gateway.start(terminal, request)
  await shop.clock.advance(0)
  await act?.(shop, requestId)
  await shop.clock.advance(0)
  const record = shop.gateway.record(requestId)
  equal(shop.gateway.notifications(requestId), long(order))
  equal(record.result, result)
  equal(`${record.card.paymentMethod}/${record.card.cardholderVerificationMethod}`, read)
})

test('rows 22 and 24: a completion captures a pre-authorisation, and a duplicate repeats it with its type', async () => {
  const { gateway, clock, acquirer } = await openSimulatedShop()
  const terminal = aTerminal('VCMDEMOSIP0')
  const held = await gateway.start(terminal, { transactionType: 'PRE_AUTH', amountMinor: 10_000 })
  await clock.advance(0)
  const { authCode } = gateway.record(held)
  const taken = await gateway.start(terminal, {
    transactionType: 'COMPLETION',
    amountMinor: 8150,
    authCode,
    preAuthorisedTotalMinor: 10_000,
  })
  await clock.advance(0)
  equal(gateway.notifications(taken), long(CHIP_PIN))
  equal(gateway.record(taken).result, 'SUCCESSFUL')
  equal(acquirer.ledger.moneyOf('demo', gateway.record(taken).authorisationId ?? ''), 8150)

  const again = await gateway.start(terminal, { transactionType: 'DUPLICATE', amountMinor: 0 })
  await clock.advance(0)
  equal(gateway.notifications(again), long('START END'))
  const { repeated, ...copy } = gateway.record(again)
  const original = gateway.record(taken)
  deepEqual(repeated, { requestId: taken, transactionType: 'COMPLETION', endedAt: original.finishedAt })
  for (const field of ['result', 'amounts', 'card', 'authCode', 'transactionId', 'transactionNumber'] as const)
    deepEqual(copy[field], original[field], field)
  equal(copy.receipts.MERCHANT[0]?.value, '** DUPLICATE **')
})

test('row 12 in flight: the terminal refuses a cancel after a card was presented', async () => {
  const { gateway, clock } = await openSimulatedShop({ paceMs: 500 })
  const terminal = aTerminal('VCMDEMOSIP0')
  const requestId = await gateway.start(terminal)
  await clock.advance(500)
  equal(gateway.notifications(requestId), long('START PRESENT'))
  // The report of the card has not reached the gateway when it sends the cancel.
  gateway.alive = false
  await clock.advance(500)
  gateway.alive = true
  await gateway.execute(requestId, { type: 'cancel' })
  await clock.advance(10_000)
  const { cancel, result } = gateway.record(requestId)
  deepEqual({ cancel, result }, { cancel: 'refused', result: 'SUCCESSFUL' })
  equal(
    gateway.notifications(requestId).startsWith(long('START PRESENT ATTEMPTING_CANCEL WAIT')),
    true,
    gateway.notifications(requestId),
  )
})

test('rows 26 and 27: cashback is paid if shop and card allow it, and otherwise left out with a message', async () => {
  const { gateway, clock, terminals } = await openSimulatedShop()
  const allowing = aTerminal('VCMDEMOSIP0')
  const refusing = aTerminal('VCMDEMOSIP1', { cashbackAllowed: false })
  const byHand = aTerminal('22160001')
  const request = { amountMinor: 2599, cashbackMinor: 1000 }
  const [paid, unpaid, credit] = [
    await gateway.start(allowing, request),
    await gateway.start(refusing, request),
    await gateway.start(byHand, request),
  ]
  await clock.advance(0)
  equal(await terminals.press(byHand, { key: 'present_card', card: 'sim-visa-credit', how: 'insert' }), 'pressed')
  await clock.advance(0)
  equal(await terminals.press(byHand, { key: 'pin', digits: '1234' }), 'pressed')
  await clock.advance(0)
  equal(await terminals.press(byHand, { key: 'remove_card' }), 'pressed')
  await clock.advance(0)
  const outcomes = [paid, unpaid, credit].map(id => {
    const { result, amounts, messages } = gateway.record(id)
    return [result, amounts.baseMinor, amounts.cashbackMinor, messages.join()]
  })
  deepEqual(outcomes, [
    ['SUCCESSFUL', 2599, 1000, ''],
    ['SUCCESSFUL', 2599, 0, 'cashback_refused'],
    ['SUCCESSFUL', 2599, 0, 'cashback_refused'],
  ])
})

test('row 28: a script gives ten per cent gratuity, rounded down, and it is authorised too', async () => {
  const { gateway, clock, acquirer } = await openSimulatedShop()
  const requestId = await gateway.start(aTerminal('VCMDEMOSIP0', { gratuity: true }), { amountMinor: 2599 })
  await clock.advance(0)
  const { amounts, authorisationId } = gateway.record(requestId)
  deepEqual(amounts, { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 259 })
  equal(acquirer.ledger.moneyOf('demo', authorisationId ?? ''), 2858)
})
