// test/api/socket/transactions.test.ts — a transaction over the socket, message by message.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { connectTill, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const SALE = { currency: 'GBP', amount: 1250 }
const TIMED_OUT =
  'Signature check not actioned before timeout. When required, signatures must be verified within 80 seconds.'

/** All received messages, shortened. */
function story(till: SocketTill): readonly string[] {
  return till.heard.map(({ method, params, result, error }) => {
    if (method === 'terminalNotification') return String(params?.['notificationValue'])
    if (method !== undefined) return `${method}?`
    if (error !== undefined) return `error ${error.code}`
    return result?.['cancelling'] === true ? 'cancelling' : `result ${result?.['transactionResult']}`
  })
}

async function till(terminal: string) {
  const shop = await openSocketShop({ terminal })
  return { shop, tid: terminal, till: await connectTill(shop) }
}

const START = ['TRANSACTION_STARTED', 'PRESENT_CARD']
const ONLINE = ['CONNECTING', 'CONNECTION_MADE']
const END = 'TRANSACTION_FINISHED'

describe('a sale', () => {
  test.each([
    ['VCMDEMOSIP0', [...START, 'PLEASE_WAIT', 'PIN_ENTRY', ...ONLINE, 'APPROVED', END, 'result SUCCESSFUL']],
    ['VCMDEMOSCD0', [...START, 'PLEASE_WAIT', ...ONLINE, 'APPROVED', END, 'result SUCCESSFUL']],
    ['VCMDEMODIP0', [...START, 'PLEASE_WAIT', 'PIN_ENTRY', ...ONLINE, 'DECLINED', END, 'result DECLINED']],
    [
      'VCMDEMOUIP0',
      [...START, 'PLEASE_WAIT', 'PIN_ENTRY', 'CONNECTING', 'RETRYING', 'PROCESSING_ERROR', END, 'result UNSUCCESSFUL'],
    ],
    ['VCMDEMOTIP0', [...START, 'PLEASE_WAIT', 'PIN_ENTRY', END, 'result TIMED_OUT']],
  ])('on %s sends its notifications in this order, and then the result', async (tid, wanted) => {
    const { till: socket } = await till(tid)
    const { result } = await socket.answerTo(socket.request('sale', { tid, ...SALE }, 41))
    deepEqual(story(socket), wanted)
    equal(result?.['tid'], tid)
    equal(result?.['transactionType'], 'SALE')
  })

  test('with cashback returns the amounts', async () => {
    const { till: socket, tid } = await till('VCMDEMOSIP0')
    const { result } = await socket.answerTo(socket.request('sale', { tid, ...SALE, amountCashback: 1000 }))
    const { amountBase, amountCashback, amountGratuity, amountTotal } = result ?? {}
    deepEqual([amountBase, amountCashback, amountGratuity, amountTotal], [1250, 1000, 0, 2250])
  })

  test('with unavailable cashback continues without it, and the userMessage says so', async () => {
    const { shop, till: socket, tid } = await till('VCMDEMOSIP0')
    await shop.gateway.provisioning.configureTerminal('demo', tid, { cashbackAllowed: false })
    const { result } = await socket.answerTo(socket.request('sale', { tid, ...SALE, amountCashback: 1000 }))
    equal(result?.['amountCashback'], 0)
    equal(result?.['userMessage'], 'Cashback is not available. The payment went on without it.')
  })

  test('without the card is keyed, without PRESENT_CARD', async () => {
    const { till: socket, tid } = await till('VCMDEMOSIP0')
    const { result } = await socket.answerTo(socket.request('sale', { tid, ...SALE, cardholderNotPresent: true }))
    equal(result?.['paymentMethod'], 'KEYED')
    ok(!socket.notifications().includes('PRESENT_CARD'))
  })

  test('without a presented card ends as CANCELLED', async () => {
    const { till: socket, tid } = await till('VCMDEMOCIP0')
    const { result } = await socket.answerTo(socket.request('sale', { tid, ...SALE }))
    equal(result?.['transactionResult'], 'CANCELLED')
    for (const name of ['authCode', 'cardSchemeName', 'primaryAccountNumber', 'dateOfExpiry', 'applicationId'])
      equal(typeof result?.[name], 'string', name)
    equal(result?.['amountBase'], 1250)
  })
})

test('each method starts its transaction type', async () => {
  const { till: socket, tid } = await till('VCMDEMOSIP0')
  const held = await socket.answerTo(socket.request('preAuth', { tid, currency: 'GBP', amount: 10_000 }))
  equal(held.result?.['transactionType'], 'PRE_AUTH')
  const taken = await socket.answerTo(
    socket.request('completion', { tid, currency: 'GBP', amount: 8_150, authCode: held.result?.['authCode'] }),
  )
  deepEqual([taken.result?.['transactionType'], taken.result?.['transactionResult']], ['COMPLETION', 'SUCCESSFUL'])
  for (const [method, type] of [
    ['refund', 'REFUND'],
    ['accountVerification', 'ACCOUNT_VERIFICATION'],
  ] as const) {
    const { result } = await socket.answerTo(socket.request(method, { tid, ...SALE }))
    equal(result?.['transactionType'], type)
  }
})

test('strictCompletion requires amountPreAuthorisedTotal', async () => {
  const shop = await openSocketShop({ settings: { strictCompletion: true } })
  const socket = await connectTill(shop)
  const { error } = await socket.ask('completion', { tid: 'VCMDEMOSIP0', ...SALE, authCode: 'A1' })
  equal(
    error?.data?.['userMessage'],
    'The field amountPreAuthorisedTotal is missing. It must be a whole number from 1 to 99999999 in minor units: 25.99 is 2599.',
  )
})

test('transactions at two terminals run side by side, and are answered in the order of their ends', async () => {
  const { shop, till: socket } = await till('VCMDEMOTIP0')
  const slow = socket.request('sale', { tid: 'VCMDEMOTIP0', ...SALE })
  const quick = socket.request('sale', { tid: 'VCMDEMOSCD0', ...SALE })
  equal((await socket.answerTo(quick)).result?.['tid'], 'VCMDEMOSCD0')
  equal(
    socket.heard.some(({ id, result }) => id === slow && result !== undefined),
    false,
  )
  await shop.clock.advance(200_000)
  equal((await socket.answerTo(slow)).result?.['transactionResult'], 'TIMED_OUT')
})

const QUESTION = 'signatureVerificationRequest?'
const ASKED = [
  ...START,
  'PLEASE_WAIT',
  ...ONLINE,
  'SIGNATURE_VERIFICATION',
  QUESTION,
  'SIGNATURE_VERIFICATION_IN_PROGRESS',
]

describe('a signature', () => {
  async function asked() {
    const { shop, till: socket, tid } = await till('VCMDEMOSIS0')
    const id = socket.request('sale', { tid, ...SALE }, 30)
    await socket.until('SIGNATURE_VERIFICATION_IN_PROGRESS')
    deepEqual(story(socket), ASKED)
    const [question] = socket.questions()
    return { shop, till: socket, tid, id, question: question! }
  }

  test('is requested with receipt and card data', async () => {
    const { tid, question } = await asked()
    equal(question.id, 1)
    const { receiptLines, authCode, ...rest } = question.params ?? {}
    match(String(authCode), /^\w+$/)
    deepEqual(Object.keys(receiptLines as object), ['MERCHANT'])
    deepEqual(rest, {
      timeout: 80,
      tid,
      transactionType: 'SALE',
      applicationId: 'A0000000031010',
      applicationLabel: 'VISA DEBIT',
      paymentMethod: 'ICC_CHIP',
      cardholderVerificationMethod: 'SIGNATURE',
      primaryAccountNumber: '************0000',
    })
  })

  test('that is accepted ends as SUCCESSFUL', async () => {
    const { till: socket, id, question } = await asked()
    socket.say({ jsonrpc: '2.0', id: question.id, result: { accepted: true } })
    const { result } = await socket.answerTo(id)
    deepEqual(story(socket), [
      ...ASKED,
      'SIGNATURE_VERIFICATION_PROCESS_COMPLETED',
      'APPROVED',
      END,
      'result SUCCESSFUL',
    ])
    equal('userMessage' in (result ?? {}), false)
  })

  test('that is refused ends as VOID', async () => {
    const { till: socket, id, question } = await asked()
    socket.say({ jsonrpc: '2.0', id: question.id, result: { accepted: false } })
    await socket.answerTo(id)
    deepEqual(story(socket), [...ASKED, 'SIGNATURE_VERIFICATION_PROCESS_COMPLETED', ...ONLINE, END, 'result VOID'])
  })

  test('without an answer counts as accepted after 80 seconds, and the userMessage says so', async () => {
    const { shop, till: socket, id } = await asked()
    await shop.clock.advance(79_000)
    await socket.settle()
    deepEqual(story(socket), ASKED)
    const { result } = await socket.answerTo(id)
    deepEqual(story(socket), [...ASKED, 'SIGNATURE_VERIFICATION_TIMEOUT', 'APPROVED', END, 'result SUCCESSFUL'])
    equal(result?.['userMessage'], TIMED_OUT)
  })

  test('can be answered under the id of the sale, as some tills do', async () => {
    const { till: socket, id } = await asked()
    socket.say({ jsonrpc: '2.0', id, result: { accepted: false } })
    equal((await socket.answerTo(id)).result?.['transactionResult'], 'VOID')
  })

  test('is decided once, and later answers are ignored', async () => {
    const { till: socket, id, question } = await asked()
    for (const accepted of [false, true, true]) socket.say({ jsonrpc: '2.0', id: question.id, result: { accepted } })
    equal((await socket.answerTo(id)).result?.['transactionResult'], 'VOID')
    ok(socket.heard.every(({ error }) => error === undefined))
  })

  test('is not decided by a late answer, which is ignored', async () => {
    const { shop, till: socket, id, question } = await asked()
    await shop.clock.advance(80_000)
    socket.say({ jsonrpc: '2.0', id: question.id, result: { accepted: false } })
    equal((await socket.answerTo(id)).result?.['transactionResult'], 'SUCCESSFUL')
    ok(socket.heard.every(({ error }) => error === undefined))
  })

  test.each<[string, object]>([
    ['an error', { error: { code: -1, message: 'no' } }],
    ['a word', { result: { accepted: 'true' } }],
    ['nothing', { result: {} }],
    ['null', { result: null }],
  ])('is not decided by %s, which is refused; the request stays open', async (_, reply) => {
    const { till: socket, id, question } = await asked()
    socket.say({ jsonrpc: '2.0', id: question.id, ...reply })
    await socket.settle()
    deepEqual(socket.heard.at(-1), {
      jsonrpc: '2.0',
      id: question.id,
      error: {
        code: -32602,
        message: 'Invalid parameter',
        data: { userMessage: 'The field accepted is missing or not a boolean. It must be true or false.' },
      },
    })
    socket.say({ jsonrpc: '2.0', id: question.id, result: { accepted: false } })
    equal((await socket.answerTo(id)).result?.['transactionResult'], 'VOID')
  })

  test('can be answered with additional members', async () => {
    const { till: socket, id, question } = await asked()
    socket.say({ jsonrpc: '2.0', id: question.id, result: { accepted: false, tid: 'VCMDEMOSIS0' } })
    equal((await socket.answerTo(id)).result?.['transactionResult'], 'VOID')
  })

  test('is not decided by an unknown id when two are open', async () => {
    const shop = await openSocketShop()
    await shop.gateway.provisioning.addTerminal({
      account: 'demo',
      tid: 'VCMOTHERSIS0',
      settings: (await settingsOf(shop))!,
    })
    const socket = await connectTill(shop)
    const ids = ['VCMDEMOSIS0', 'VCMOTHERSIS0'].map(tid => socket.request('sale', { tid, ...SALE }))
    for (let step = 0; socket.questions().length < 2; step += 1) {
      ok(step < 100)
      await shop.clock.advance(500)
      await socket.settle()
    }
    deepEqual(
      socket.questions().map(({ id }) => id),
      [1, 2],
    )
    socket.say({ jsonrpc: '2.0', id: 99, result: { accepted: false } })
    socket.say({ jsonrpc: '2.0', id: 2, result: { accepted: false } })
    await socket.settle()
    // One is left, so the unknown id can only mean that one.
    socket.say({ jsonrpc: '2.0', id: 99, result: { accepted: true } })
    const results = []
    for (const id of ids) results.push((await socket.answerTo(id)).result?.['transactionResult'])
    const first = socket.questions()[0]?.params?.['tid']
    deepEqual(results, first === 'VCMDEMOSIS0' ? ['SUCCESSFUL', 'VOID'] : ['VOID', 'SUCCESSFUL'])
  })
})

async function settingsOf(shop: Awaited<ReturnType<typeof openSocketShop>>) {
  return (await shop.gateway.transactions.connected('demo', 'VCMDEMOSIS0'))?.settings
}
