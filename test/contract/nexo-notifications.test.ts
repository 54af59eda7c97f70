// test/contract/nexo-notifications.test.ts — what nexo terminals display becomes notifications of tills: authenticated, in order, never invented.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { TransactionRequest } from '../../src/domain/counter/transaction-events.ts'
import { encryptedByLibrary } from '../../src/peers/nexo-terminal/encryption.ts'
import { closedAfterEachTest, NEXO_KEY, type NexoPeer, openNexoDriver, startNexoPeer } from '../support/nexo-peer.ts'
import { PocketGateway } from '../support/pocket-gateway.ts'
import { keepingLog } from '../support/silent-log.ts'

let peer: NexoPeer
const opened = closedAfterEachTest()
beforeAll(async () => {
  peer = await startNexoPeer()
})
afterAll(() => peer.close())

const SECRET = 'posted-By-The-Terminal-1'
const BASIC = `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`
type Key = typeof NEXO_KEY

/** A terminal with a payment for which nobody has presented a card yet. */
async function waitingShop(
  terminal: Terminal,
  {
    request = {},
    settings = {},
  }: { request?: Partial<TransactionRequest>; settings?: Partial<Terminal['settings']> } = {},
) {
  const sealed = { vault: await peer.vault.storeText('demo', 'driver-secret', SECRET, terminal.tid) }
  const posting: Terminal = {
    ...terminal,
    settings: { ...terminal.settings, ...settings },
    driverSettings: { ...terminal.driverSettings, notificationUser: 'shop', notificationPassword: sealed },
  }
  await peer.script(posting, { payments: ['wait'] })
  const log = keepingLog()
  const bench = openNexoDriver(peer, [posting], { log })
  opened.push(bench)
  const gateway = new PocketGateway({ ...bench, acquirer: { name: 'none' } as never })
  await bench.driver.listen(gateway.sink)
  const id = await gateway.start(posting, request)
  await bench.clock.advance(0)
  const payment = (await peer.received(posting)).find(({ category }) => category === 'Payment')
  ok(payment !== undefined)
  const messageOf = (events: readonly string[], serviceId = payment.serviceId) => ({
    SaleToPOIRequest: {
      MessageHeader: {
        ...{ ProtocolVersion: '3.0', MessageClass: 'Device', MessageCategory: 'Display', MessageType: 'Request' },
        ...{
          ServiceID: serviceId,
          SaleID: `Tollgate-${terminal.tid}`,
          POIID: String(terminal.driverSettings?.['poiId']),
        },
        DeviceID: '1',
      },
      DisplayRequest: {
        DisplayOutput: events.map(event => ({
          ...{ Device: 'CashierDisplay', InfoQualify: 'Status' },
          OutputContent: {
            OutputFormat: 'MessageRef',
            PredefinedContent: { ReferenceID: `TransactionID=test0015565295900&TimeStamp=2026-05-06&event=${event}` },
          },
        })),
      },
    },
  })
  const take = async (text: string, authorization: string | null = BASIC) =>
    bench.driver.takeNotification?.(posting, { authorization, text })
  const encrypted = (events: readonly string[], key: Key = NEXO_KEY, serviceId?: string) =>
    encryptedByLibrary(messageOf(events, serviceId), key)
  const show = async (...events: string[]) => take(encrypted(events))
  const ended = async () => {
    await peer.finish(posting, { Result: 'Success' })
    await bench.clock.advance(1_000)
    return gateway.record(id).result
  }
  return { ...bench, gateway, log, id, messageOf, take, encrypted, show, ended, seen: () => gateway.notifications(id) }
}

const shopOf = async (...given: Parameters<typeof waitingShop> extends [unknown, ...infer Rest] ? Rest : never) =>
  waitingShop(await peer.make('22160001'), ...given)

describe('29: a display of the running payment', () => {
  test('becomes a notification of the till, one each', async () => {
    const shop = await shopOf()
    for (const event of ['TENDER_CREATED', 'CARD_INSERTED', 'WAIT_FOR_PIN', 'PIN_ENTERED', 'TENDER_FINAL'])
      equal(await shop.show(event), 'taken')
    equal(shop.seen(), 'TRANSACTION_STARTED PRESENT_CARD PLEASE_WAIT PIN_ENTRY')
    equal(await shop.ended(), 'SUCCESSFUL')
  })
  test('says how the card is read', async () => {
    const shop = await shopOf()
    await shop.show('CARD_PRESENTED')
    equal(shop.gateway.record(shop.id).card.paymentMethod, 'CONTACTLESS')
  })
  test('may have several events', async () => {
    const shop = await shopOf()
    await shop.show('WAIT_FOR_PIN', 'CARD_SWIPED')
    equal(shop.seen(), 'TRANSACTION_STARTED PLEASE_WAIT PIN_ENTRY')
  })
  test.each([
    ['the terminal asks for a tip', { settings: { gratuity: true } }],
    ['a number is keyed', { request: { cardholderNotPresent: true } }],
  ])('is no prompt for a card where %s first', async (_, given) => {
    const shop = await shopOf(given)
    equal(await shop.show('TENDER_CREATED'), 'taken')
    equal(shop.seen(), 'TRANSACTION_STARTED')
    equal(await shop.ended(), 'SUCCESSFUL')
  })
})

describe('30, 31: displays that come late, twice, in another order, or mean nothing here', () => {
  test('change nothing that was shown, and not the end', async () => {
    const shop = await shopOf()
    for (const event of ['WAIT_FOR_PIN', 'WAIT_FOR_PIN', 'CARD_INSERTED', 'TENDER_CREATED', 'UNHEARD_OF', 'ASK_DCC'])
      equal(await shop.show(event), 'taken')
    equal(shop.seen(), 'TRANSACTION_STARTED PIN_ENTRY')
    equal(await shop.ended(), 'SUCCESSFUL')
    const atEnd = shop.seen()
    equal(await shop.show('WAIT_FOR_PIN'), 'taken')
    equal(shop.seen(), atEnd)
  })
  test('of another payment, and what is no display, are passed over', async () => {
    const shop = await shopOf()
    equal(await shop.take(shop.encrypted(['CARD_INSERTED'], NEXO_KEY, 'ANOTHER001')), 'taken')
    equal(await shop.show(), 'taken')
    equal(shop.seen(), 'TRANSACTION_STARTED')
  })
})

describe('32, 33: a notification', () => {
  test.each([
    ['without a password', null],
    ['with a wrong one', `Basic ${Buffer.from('shop:another').toString('base64')}`],
    ['with a wrong user', `Basic ${Buffer.from(`root:${SECRET}`).toString('base64')}`],
  ])('%s is refused', async (_, authorization) => {
    const shop = await shopOf()
    equal(await shop.take(shop.encrypted(['CARD_INSERTED']), authorization), 'refused')
    equal(shop.seen(), 'TRANSACTION_STARTED')
    match(JSON.stringify(shop.log.lines), /notification of a terminal was refused/)
    ok(!JSON.stringify(shop.log.lines).includes(SECRET))
  })
  test('in clear text, with another key, of another terminal, or that is none, is refused', async () => {
    const shop = await shopOf()
    const another = shop.messageOf(['CARD_INSERTED'])
    another.SaleToPOIRequest.MessageHeader.POIID = 'V400m-999999999'
    const refused = [
      JSON.stringify(shop.messageOf(['CARD_INSERTED'])),
      shop.encrypted(['CARD_INSERTED'], { ...NEXO_KEY, passphrase: 'Some-Other-Key-99' }),
      encryptedByLibrary(another, NEXO_KEY),
      '{}',
      '',
      `{"SaleToPOIRequest":{"NexoBlob":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
    ]
    deepEqual(
      await Promise.all(refused.map(text => shop.take(text))),
      refused.map(() => 'refused'),
    )
    equal(shop.seen(), 'TRANSACTION_STARTED')
  })
  test('in clear text counts for a terminal in the cloud that has no key', async () => {
    const shop = await waitingShop(await peer.makeInCloud('22160002'))
    equal(await shop.take(JSON.stringify(shop.messageOf(['CARD_PRESENTED']))), 'taken')
    equal(shop.seen(), 'TRANSACTION_STARTED PLEASE_WAIT')
  })
  test('is not accepted while the gateway cannot take it, and is not lost when it comes again', async () => {
    const shop = await shopOf()
    shop.gateway.alive = false
    await rejects(shop.show('CARD_INSERTED'))
    shop.gateway.alive = true
    equal(await shop.show('CARD_INSERTED'), 'taken')
    equal(shop.seen(), 'TRANSACTION_STARTED PLEASE_WAIT')
  })
})
