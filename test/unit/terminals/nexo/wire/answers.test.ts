// test/unit/terminals/nexo/wire/answers.test.ts — what comes back from a terminal is told apart: a response, a refusal, or nothing
// that is known.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { REPORT_TYPES } from '../../../../../src/domain/reports/report.ts'
import { NO_TOTALS } from '../../../../../src/domain/reports/totals.ts'
import { deriveKey, encode } from '../../../../../src/terminals/nexo/codec.ts'
import { type Answer, answerTo, statusOf } from '../../../../../src/terminals/nexo/wire/answers.ts'
import { healthOf } from '../../../../../src/terminals/nexo/wire/diagnosis.ts'
import {
  abortBody,
  endsPeriod,
  lastPaymentBody,
  loginBody,
  type Names,
  paymentBody,
  previousReconciliationBody,
  reconciliationBody,
  requestOf,
  statusBody,
  totalsBody,
} from '../../../../../src/terminals/nexo/wire/messages.ts'
import {
  differenceFrom,
  otherCurrencies,
  reportLines,
  totalsOf,
} from '../../../../../src/terminals/nexo/wire/totals.ts'
import { SALE } from '../../../../support/records.ts'

const KEY = deriveKey({ identifier: 'shop', version: 1, passphrase: 'Tollgate-Nexo-Test-1' })
const NAMES: Names = { saleId: 'till', poiId: 'V400m-123456789', serviceId: 'ABC1' }
const NONCE = new Uint8Array(16)
const HEADER = { ServiceID: 'ABC1', SaleID: 'till', POIID: 'V400m-123456789', MessageCategory: 'Payment' }
const PAID = { Response: { Result: 'Success' } }

const authentic = (
  body: object,
  header = {},
  envelope: 'SaleToPOIResponse' | 'SaleToPOIRequest' = 'SaleToPOIResponse',
) => encode({ envelope, header: { ...HEADER, ...header }, body: { ...body } }, KEY, NONCE)
const clear = (body: object, envelope = 'SaleToPOIResponse') =>
  JSON.stringify({ [envelope]: { MessageHeader: HEADER, ...body } })
const read = (text: string, status = 200): Answer =>
  answerTo('Payment', NAMES, { status, text }, { transport: 'local', keys: [KEY] })
const told = (answer: Answer) => (answer.answer === 'refused' ? `refused ${answer.because}` : answer.answer)

describe('an answer to a payment', () => {
  test('is its response when it is authentic and ours', () => {
    deepEqual(read(authentic({ PaymentResponse: PAID })), { answer: 'response', response: PAID })
  })
  test.each([
    ['23: one to another request', authentic({ PaymentResponse: PAID }, { ServiceID: 'ABC2' })],
    ['one to another till', authentic({ PaymentResponse: PAID }, { SaleID: 'other' })],
    ['one of another terminal', authentic({ PaymentResponse: PAID }, { POIID: 'V400m-1' })],
    ['one of another kind', authentic({ DiagnosisResponse: PAID })],
    ['7: a success in clear text', clear({ PaymentResponse: PAID })],
    ['7: a partial success in clear text', clear({ PaymentResponse: { Response: { Result: 'Partial' } } })],
    [
      'a decline in clear text',
      clear({ PaymentResponse: { Response: { Result: 'Failure', ErrorCondition: 'Refusal' } } }),
    ],
    [
      '20: a notification that the terminal did not respond',
      clear(
        {
          EventNotification: {
            EventToNotify: 'Reject',
            EventDetails: 'message=Did+not+receive+a+response+from+the+POI.',
          },
        },
        'SaleToPOIRequest',
      ),
    ],
    [
      '31: a notification of an unknown kind',
      clear({ EventNotification: { EventToNotify: 'New' } }, 'SaleToPOIRequest'),
    ],
    ['text', 'I am a terminal'],
    ['half of a message', authentic({ PaymentResponse: PAID }).slice(0, 100)],
  ])('proves nothing: %s', (_, text) => {
    equal(told(read(text)), 'none')
  })
  test.each([500, 502, 504, 408, 404, 302])('proves nothing: HTTP %s', status => {
    equal(told(read('', status)), 'none')
    equal(told(read('{"errors":["later"]}', status)), 'none')
  })
  test.each([
    ['refused key', 401, ''],
    ['refused key', 403, 'no'],
    ['refused key', 400, '{"errors":["Nexo Service: crypto error (3)"],"ServiceID":"-NULL-"}'],
    ['refused key', 500, '{"errors":["Nexo Service: crypto error (9)"],"ServiceID":"-NULL-"}'],
    ['refused message', 400, '{"errors":["At toplevel: Missing"]}'],
    ['refused message', 400, 'Bad JSON at line 1'],
    [
      'refused key',
      200,
      clear({
        PaymentResponse: {
          Response: {
            ...{ Result: 'Failure', ErrorCondition: 'MessageFormat' },
            AdditionalResponse: 'errors=At%20SaleToPOIRequest&warnings=NexoBlob%3a%20Unexpected',
          },
        },
      }),
    ],
    [
      'refused message',
      200,
      clear(
        { EventNotification: { EventToNotify: 'Reject', EventDetails: 'message=Input+is+not+a+JSONObject' } },
        'SaleToPOIRequest',
      ),
    ],
  ])('is a refusal (%s): HTTP %s %s', (expected, status, text) => {
    equal(told(read(text, status)), expected)
  })
  test('without a word is an acceptance', () => {
    for (const text of ['', ' \n', 'ok']) equal(told(read(text)), 'accepted')
  })
  test('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 100, max: 599 }), (text, status) => told(read(text, status)) !== ''),
    )
    fc.assert(fc.property(fc.json(), text => told(read(`{"SaleToPOIResponse":${text}}`)) !== ''))
  })
})

describe('a question for the state of a payment', () => {
  const status = (response: object, serviceId: string | null = 'ABC1') =>
    statusOf({ answer: 'response', response: { ...response } }, serviceId)
  const repeated = (ServiceID: string, inside: object) =>
    status({
      Response: { Result: 'Success' },
      RepeatedMessageResponse: { MessageHeader: { ServiceID }, ...inside },
    })
  test('is answered by the payment', () => {
    const answered = { status: 'answered', header: { ServiceID: 'ABC1' }, payment: PAID }
    deepEqual(repeated('ABC1', { RepeatedResponseMessageBody: { PaymentResponse: PAID } }), answered)
    // The other dialect has no body around it.
    deepEqual(repeated('ABC1', { PaymentResponse: PAID }), answered)
  })
  test('is answered by progress, or by not knowing it', () => {
    const failed = (ErrorCondition: string) => status({ Response: { Result: 'Failure', ErrorCondition } }).status
    deepEqual(['InProgress', 'NotFound', 'Busy', 'Whatever'].map(failed), [
      ...['in_progress', 'not_found', 'no_statement', 'no_statement'],
    ])
  })
  test('is not answered by another payment, by none, or without a response', () => {
    equal(repeated('ABC2', { RepeatedResponseMessageBody: { PaymentResponse: PAID } }).status, 'no_statement')
    equal(repeated('ABC1', {}).status, 'no_statement')
    equal(status({ Response: { Result: 'Success' } }).status, 'no_statement')
    equal(statusOf({ answer: 'none', because: 'lost' }, 'ABC1').status, 'no_statement')
    equal(statusOf({ answer: 'accepted' }, null).status, 'no_statement')
  })
})

test('56: totals add up with reversals, in one currency', () => {
  const totals = [
    {
      ...{ CardBrand: 'visa', PaymentCurrency: 'GBP' },
      PaymentTotals: [
        { TransactionType: 'Debit', TransactionCount: 3, TransactionAmount: 30.1 },
        { TransactionType: 'ReverseDebit', TransactionCount: 1, TransactionAmount: 10 },
        { TransactionType: 'Declined', TransactionCount: 9, TransactionAmount: 99 },
      ],
    },
    {
      ...{ CardBrand: 'mc', PaymentCurrency: 'GBP' },
      PaymentTotals: [
        { TransactionType: 'CompletedDeffered', TransactionCount: '1', TransactionAmount: '5.05' },
        { TransactionType: 'Credit', TransactionCount: 1, TransactionAmount: 2 },
      ],
    },
    {
      PaymentCurrency: 'EUR',
      PaymentTotals: [{ TransactionType: 'Debit', TransactionCount: 1, TransactionAmount: 7 }],
    },
  ]
  const noted = { ...NO_TOTALS.session, ...{ salesMinor: 2500, cashbackMinor: 100, cashbackCount: 1 } }
  const read = totalsOf(totals, 'GBP', noted)
  const { salesMinor, salesCount, refundsMinor, refundsCount, byIssuer } = read.balances ?? {}
  deepEqual(
    { salesMinor, salesCount, refundsMinor, refundsCount },
    { salesMinor: 2515, salesCount: 3, refundsMinor: 200, refundsCount: 1 },
  )
  deepEqual(byIssuer?.['visa'], { salesMinor: 2010, salesCount: 2, refundsMinor: 0, refundsCount: 0 })
  deepEqual(otherCurrencies(totals, 'GBP'), ['EUR'])
  deepEqual([read.balances?.cashbackMinor, differenceFrom(noted, read)], [100, 2515 - 200 - 2500])
  const lines = reportLines('Z_BALANCE', '22160001', read, -185).map(({ value }) => value)
  deepEqual(lines.slice(0, 2), ['Z BALANCE', 'TERMINAL        22160001'])
  for (const line of [
    'SALES 3            25.15',
    'CASHBACK 1          1.00',
    'DIFFERENCE         -1.85',
    'REPORT COMPLETE',
  ])
    ok(lines.includes(line), line)
  const plain = reportLines('Z_BALANCE', '22160001', totalsOf(totals, 'GBP', NO_TOTALS.session), 0).map(
    ({ value }) => value,
  )
  deepEqual(
    plain.filter(line => /CASHBACK|GRATUITY|DIFFERENCE/.test(line)),
    [],
  )
})

test('57: a diagnosis says whether a terminal is usable, and what it lacks', () => {
  const health = (POIStatus: object, AdditionalResponse = '') =>
    healthOf({ Response: { Result: 'Success', AdditionalResponse }, POIStatus })
  const { usable, paperOut } = health({ GlobalStatus: 'OK', PrinterStatus: 'NoPaper' })
  deepEqual({ usable, paperOut }, { usable: true, paperOut: true })
  deepEqual(
    ['OK', 'Busy', 'Maintenance', 'Unreachable'].map(GlobalStatus => health({ GlobalStatus }).usable),
    [true, true, false, false],
  )
  equal(health({ GlobalStatus: 'Busy' }).busy, true)
  equal(health({ GlobalStatus: 'OK', CardReaderOKFlag: 'false' }).usable, false)
  deepEqual(health({ GlobalStatus: 'OK', CommunicationOKFlag: false }).faults, ['connection to the host'])
  const { battery, unsent } = health({}, 'batteryLevel=55&unconfirmedBatchCount=2')
  deepEqual({ battery, unsent }, { battery: 55, unsent: 2 })
})

describe('requests', () => {
  const order = { saleTransactionId: 'r1', startedAt: 0, gratuity: false, printing: true }
  const AT = { TransactionID: 'r1', TimeStamp: '1970-01-01T00:00:00.000Z' }
  test('a sale has its amount and its reference, and nothing else', () => {
    deepEqual(requestOf('Payment', NAMES, paymentBody({ ...order, request: SALE })), {
      envelope: 'SaleToPOIRequest',
      header: {
        ...{ ProtocolVersion: '3.0', MessageClass: 'Service', MessageCategory: 'Payment', MessageType: 'Request' },
        ...{ ServiceID: 'ABC1', SaleID: 'till', POIID: 'V400m-123456789' },
      },
      body: {
        PaymentRequest: {
          SaleData: { SaleTransactionID: AT },
          PaymentTransaction: { AmountsReq: { Currency: 'GBP', RequestedAmount: 25.99 } },
        },
      },
    })
  })
  test('cashback and the tip of a table are in the amount', () => {
    const table = { tableId: 't', paymentId: 'p', waiterId: '7', gratuityMinor: 100 }
    const body = paymentBody({ ...order, gratuity: true, request: { ...SALE, cashbackMinor: 500, table } })
    deepEqual(body, {
      SaleData: { SaleTransactionID: AT, OperatorID: '7' },
      PaymentTransaction: { AmountsReq: { Currency: 'GBP', RequestedAmount: 31.99, CashBackAmount: 5 } },
    })
  })
  test.each<readonly [string, object, Partial<typeof SALE>, string | undefined]>([
    ['a terminal without a printer', { printing: false }, {}, 'tenderOption=ReceiptHandler'],
    ['a tip at the terminal', { gratuity: true }, {}, 'tenderOption=AskGratuity'],
    ['no tip on a refund', { gratuity: true }, { transactionType: 'REFUND' }, undefined],
    ['an absent cardholder', { printing: false }, { cardholderNotPresent: true }, 'tenderOption=ReceiptHandler,MOTO'],
    ['a pre-authorisation', {}, { transactionType: 'PRE_AUTH' }, 'authorisationType=PreAuth'],
  ])('%s', (_, options, request, expected) => {
    const body = paymentBody({ ...order, ...options, request: { ...SALE, ...request } })
    equal((body['SaleData'] as Record<string, unknown>)['SaleToAcquirerData'], expected)
    const type = request.transactionType === 'REFUND' ? { PaymentType: 'Refund' } : undefined
    deepEqual(body['PaymentData'], type)
  })
  test('an abort and a question name the request that they are about', () => {
    const reference = { MessageCategory: 'Payment', ServiceID: 'ABC1', SaleID: 'till', POIID: 'V400m-123456789' }
    deepEqual(abortBody(NAMES)['MessageReference'], reference)
    deepEqual(statusBody(NAMES)['MessageReference'], reference)
  })
  test('totals need a login; only Z and the end of the day end a period', () => {
    const { DateTime, OperatorLanguage } = loginBody(0, { name: 'Tollgate', version: '1' })
    deepEqual({ DateTime, OperatorLanguage }, { DateTime: '1970-01-01T00:00:00.000Z', OperatorLanguage: 'en' })
    deepEqual(totalsBody('till'), { TotalFilter: { SaleID: 'till' } })
    deepEqual(reconciliationBody(), { ReconciliationType: 'SaleReconciliation' })
    deepEqual(previousReconciliationBody('1000'), {
      ...{ ReconciliationType: 'PreviousReconciliation', POIReconciliationID: '1000' },
    })
    deepEqual(REPORT_TYPES.filter(endsPeriod), ['END_OF_DAY', 'Z_BALANCE'])
  })
  test('the last payment is asked for without a reference', () => {
    const { ReceiptReprintFlag, MessageReference } = lastPaymentBody()
    deepEqual(
      { ReceiptReprintFlag, MessageReference },
      {
        ...{ ReceiptReprintFlag: true, MessageReference: { MessageCategory: 'Payment' } },
      },
    )
  })
})

describe('through the cloud', () => {
  const over = (keys: readonly (typeof KEY)[], text: string, status = 200) =>
    answerTo('Payment', NAMES, { status, text }, { transport: 'cloud', keys })
  const failed = (condition: string) => ({
    PaymentResponse: { Response: { Result: 'Failure', ErrorCondition: condition } },
  })

  test('an answer in clear text counts when there is no key, and not when there is one', () => {
    deepEqual(over([], clear({ PaymentResponse: PAID })), { answer: 'response', response: PAID })
    equal(over([KEY], clear({ PaymentResponse: PAID })).answer, 'none')
    deepEqual(over([KEY], authentic({ PaymentResponse: PAID })), { answer: 'response', response: PAID })
  })
  test('a terminal that it cannot reach is told apart from one that cannot reach its host', () => {
    for (const keys of [[], [KEY]]) equal(over(keys, clear(failed('UnreachableHost'))).answer, 'undelivered')
    equal(over([KEY], authentic(failed('UnreachableHost'))).answer, 'response')
    const foreign = clear(failed('UnreachableHost')).replace('ABC1', 'ABC2')
    equal(over([], foreign).answer, 'none')
    equal(over([], clear(failed('Refusal'))).answer, 'response')
    equal(read(clear(failed('UnreachableHost'))).answer, 'none')
  })
  test.each([
    [401, {}, 'refused key'],
    [403, {}, 'refused key'],
    [404, { status: 404, title: 'Not found' }, 'refused message'],
    [422, { status: 422, title: 'Invalid' }, 'refused message'],
    [429, { status: 429, title: 'Too many requests' }, 'refused message'],
    [422, { status: 500 }, 'none'],
    [404, {}, 'none'],
    [408, { status: 408 }, 'none'],
    [500, { status: 500 }, 'none'],
    [504, { status: 504 }, 'none'],
  ])('HTTP %i with %j is %s', (status, problem, expected) => {
    equal(told(over([], JSON.stringify(problem), status)), expected)
  })
})
