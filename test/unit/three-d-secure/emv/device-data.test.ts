// test/unit/three-d-secure/emv/device-data.test.ts — the 3DS method: the AReq has the id and the answer of the issuer's page.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { money } from '../../../../src/domain/money.ts'
import { openMemoryStore } from '../../../../src/store/sqlite/memory-store.ts'
import { decodeMethodData } from '../../../../src/three-d-secure/emv/method-data.ts'
import { CARDS, openConnector, openScheme } from '../../../support/emv/scheme.ts'
import { TestClock } from '../../../support/test-clock.ts'

const BROWSER = {
  ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', acceptLanguage: [], language: 'en', javaEnabled: false },
  ...{ colourDepth: 24, screenHeight: 800, screenWidth: 600, timeZoneMinutes: 0 },
}
const OTHER = '00000000-0000-4000-8000-000000000000'

function open({ methodUrl = 'https://acs.example/method', account = 'demo' } = {}) {
  const [scheme, clock, store] = [openScheme(), new TestClock(), openMemoryStore()]
  const opened = openConnector(scheme, store, clock, { methodUrl })
  const { server } = opened
  let lookups = 0
  return {
    ...{ ...opened, scheme, clock, store },
    prepare: (card = CARDS.withMethod) => server.deviceData({ account, paymentId: 'p1', number: card.number }),
    /** The AReqs that a payment makes. */
    async pay(card = CARDS.withMethod) {
      const order = { account, card, amount: money(2599, 'GBP'), currencyNumeric: '826', orderId: 'R-1' }
      const before = scheme.areqs.length
      lookups += 1
      await server.lookUp({
        ...order,
        ...{ authenticationId: `a${lookups}`, paymentId: 'p1', mustChallenge: false, browser: BROWSER },
      })
      return scheme.areqs.slice(before).map(areq => [areq['threeDSCompInd'], areq['threeDSServerTransID']] as const)
    },
    notify: (token: string, id: string) =>
      server.deviceDataDone(
        account,
        token,
        Buffer.from(JSON.stringify({ threeDSServerTransID: id })).toString('base64url'),
      ),
  }
}

/** A step whose page the browser has opened. */
async function begun() {
  const opened = open()
  const step = await opened.prepare()
  ok(step !== null)
  const post = await opened.server.issuerPost('demo', step.token)
  const sent = decodeMethodData(post?.fields['threeDSMethodData'] ?? '')
  return { ...opened, ...step, post, id: sent?.threeDSServerTransID ?? '', sent }
}

test('the issuer’s page gets the id of the coming AReq, and where to say that it is done', async () => {
  const { post, formAction, token, sent, id } = await begun()
  equal(formAction, '/three-d-secure/device-data')
  equal(post?.url, 'https://acs.example/method')
  deepEqual(sent, {
    threeDSServerTransID: id,
    threeDSMethodNotificationURL: `https://gw.example/three-d-secure/device-data/${token}`,
  })
  ok((sent?.threeDSMethodNotificationURL ?? '').length <= 256)
})

test('case 50: an issuer’s page that is done is a Y in the AReq, with the same id', async () => {
  const { notify, token, id, pay } = await begun()
  await notify(token, id.toUpperCase())
  deepEqual(await pay(), [['Y', id]])
})

test('case 50: the data with the id in a member of another name count, too', async () => {
  const { server, token, id, pay } = await begun()
  const said = Buffer.from(JSON.stringify({ threeDSMethodData: id })).toString('base64url')
  await server.deviceDataDone('demo', token, said)
  deepEqual(await pay(), [['Y', id]])
})

test('case 50: an issuer’s page that says nothing is an N, and an issuer without one a U', async () => {
  const { id, pay } = await begun()
  deepEqual(await pay(), [['N', id]])
  const [[completed] = []] = await pay(CARDS.frictionless)
  equal(completed, 'U')
})

test.each([
  ['another id', (token: string) => [token, OTHER]],
  ['another token', (token: string, id: string) => [token.replace(/^./, 'x'), id]],
] as const)('case 51: with %s nothing is done', async (_, changed) => {
  const { notify, token, id, pay } = await begun()
  const [sentToken = '', sentId = ''] = changed(token, id)
  await notify(sentToken, sentId)
  deepEqual(await pay(), [['N', id]])
})

test('case 51: what is no data changes nothing', async () => {
  const { server, token, id, pay } = await begun()
  for (const said of ['', '!', 'e30', 'bnVsbA']) await server.deviceDataDone('demo', token, said)
  deepEqual(await pay(), [['N', id]])
})

test('an id is used once: the next AReq of the payment has another one, and says N', async () => {
  const { notify, token, id, pay, server } = await begun()
  await notify(token, id)
  await pay()
  equal(await server.issuerPost('demo', token), null)
  await notify(token, id)
  const [[completed, second] = []] = await pay()
  equal(completed, 'N')
  ok(second !== id)
})

test('the AReq that follows on an Erro has another id, which the issuer’s page has not seen', async () => {
  const { notify, token, id, pay, scheme } = await begun()
  await notify(token, id)
  scheme.beforeAnswer = async ({ messageVersion, threeDSServerTransID }) => {
    const erro = { messageType: 'Erro', messageVersion, errorCode: '102', errorComponent: 'D', threeDSServerTransID }
    const body = JSON.stringify({ ...erro, errorDescription: 'a', errorDetail: 'b' })
    return messageVersion === '2.2.0' ? { status: 200, body } : null
  }
  const [first, second] = await pay()
  deepEqual(first, ['Y', id])
  equal(second?.[0], 'N')
  ok(second?.[1] !== id)
})

test('the latest card of a payment counts, and data of another one are not used', async () => {
  const { prepare, notify, token, id, pay } = await begun()
  await prepare()
  await notify(token, id)
  const [[completed, sent] = []] = await pay(CARDS.otherWithMethod)
  equal(completed, 'N')
  ok(sent !== id)
})

test('data that are older than a minute are not used', async () => {
  const { notify, token, id, pay, clock } = await begun()
  await notify(token, id)
  await clock.advance(60_001)
  const [[completed, sent] = []] = await pay()
  equal(completed, 'N')
  ok(sent !== id)
})

test('the page is that of the version in which the card is authenticated; without one nothing is written', async () => {
  const { prepare, store } = open()
  equal(await prepare(CARDS.frictionless), null)
  equal(await prepare(CARDS.notEnrolled), null)
  equal(await open({ account: 'other' }).prepare(), null)
  deepEqual(await store.list('demo', { kind: 'device-data', limit: 1 }), [])
})

test('a process that starts anew knows the step, and the note has no card number', async () => {
  const { token, id, store, scheme, notify } = await begun()
  const after = openConnector(scheme, store, new TestClock())
  ok((await after.server.issuerPost('demo', token)) !== null)
  await notify(token, id)
  const bodies = (await store.list('demo', { kind: 'device-data', limit: 10 })).map(({ body }) => body).join()
  ok(!bodies.includes(CARDS.withMethod.number.reveal()), bodies)
  ok(bodies.includes('"phase":"done"'), bodies)
})
