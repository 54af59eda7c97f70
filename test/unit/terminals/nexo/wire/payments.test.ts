// test/unit/terminals/nexo/wire/payments.test.ts — what a terminal answers to a payment becomes the ending of a transaction.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { NO_AMOUNTS } from '../../../../../src/domain/money.ts'
import { RECEIPT_COLUMNS } from '../../../../../src/domain/receipt.ts'
import type { Members } from '../../../../../src/terminals/nexo/wire/lenient.ts'
import { endWithoutPayment, paymentEndOf } from '../../../../../src/terminals/nexo/wire/payments.ts'
import { duplicated, receiptsOf } from '../../../../../src/terminals/nexo/wire/receipts.ts'
import { verdictOf } from '../../../../../src/terminals/nexo/wire/results.ts'
import { SALE } from '../../../../support/records.ts'

const FACTS = { request: SALE, number: 7 }
const APPROVED = { verdict: 'ended', result: 'SUCCESSFUL', shown: 'APPROVED' } as const

function approvedWith(amounts: object, additional = ''): Members {
  return {
    Response: { Result: 'Success', AdditionalResponse: additional },
    PaymentResult: { AmountsResp: { Currency: 'GBP', ...amounts } },
  }
}

describe('38: cashback', () => {
  const request = { ...SALE, amountMinor: 2000, cashbackMinor: 500 }
  test.each([
    ['granted', { AuthorizedAmount: 25, CashBackAmount: 5 }, { baseMinor: 2000, cashbackMinor: 500 }, []],
    ['refused', { AuthorizedAmount: 20 }, { baseMinor: 2000, cashbackMinor: 0 }, ['cashback_refused']],
    [
      'refused, with an amount of 0',
      { AuthorizedAmount: 20, CashBackAmount: 0 },
      { baseMinor: 2000, cashbackMinor: 0 },
      ['cashback_refused'],
    ],
    ['in the whole sum only', { AuthorizedAmount: '25.00' }, { baseMinor: 2000, cashbackMinor: 500 }, []],
  ])('%s', (_, amounts, expected, messages) => {
    const { ending } = paymentEndOf(approvedWith(amounts), APPROVED, { request, number: 1 })
    deepEqual(ending.amounts, { gratuityMinor: 0, ...expected })
    deepEqual(ending.messages, messages)
  })
})

describe('39: gratuity', () => {
  test('given at the terminal', () => {
    const { ending } = paymentEndOf(approvedWith({ AuthorizedAmount: 28.99, TipAmount: 3 }), APPROVED, FACTS)
    deepEqual(ending.amounts, { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 300 })
  })
  test('agreed at the table', () => {
    const table = { tableId: 't', paymentId: 'p', waiterId: 'w', gratuityMinor: 401 }
    const facts = { request: { ...SALE, table }, number: 1 }
    const { ending } = paymentEndOf(approvedWith({ AuthorizedAmount: 30 }), APPROVED, facts)
    deepEqual(ending.amounts, { baseMinor: 2599, cashbackMinor: 0, gratuityMinor: 401 })
  })
})

test('40: of a partial approval the approved amount counts, and an operator sees it', () => {
  const response = { Response: { Result: 'Partial' }, PaymentResult: { AmountsResp: { AuthorizedAmount: 10 } } }
  deepEqual(verdictOf(response.Response), APPROVED)
  const { ending, remarks } = paymentEndOf(response, APPROVED, FACTS)
  deepEqual([ending.result, ending.amounts], ['SUCCESSFUL', { ...NO_AMOUNTS, baseMinor: 1000 }])
  deepEqual(remarks, ['a part of the amount was approved'])
})

test('an approval without a readable amount counts as asked for, and an operator sees it', () => {
  const { ending, remarks } = paymentEndOf(approvedWith({ AuthorizedAmount: 12.345 }), APPROVED, FACTS)
  deepEqual([ending.amounts.baseMinor, remarks.length], [2599, 1])
  const known = paymentEndOf(approvedWith({}, 'posAuthAmountValue=1000'), APPROVED, FACTS)
  deepEqual([known.ending.amounts.baseMinor, known.remarks], [1000, []])
  const differs = paymentEndOf(approvedWith({ AuthorizedAmount: 25.99 }, 'posAuthAmountValue=1000'), APPROVED, FACTS)
  deepEqual([differs.ending.amounts.baseMinor, differs.remarks.length], [2599, 1])
})

describe('41: each ErrorCondition', () => {
  const failed = (ErrorCondition: unknown, AdditionalResponse = '') =>
    verdictOf({ Result: 'Failure', ErrorCondition, AdditionalResponse })
  test.each<readonly [string, string, string | null]>([
    ['Refusal', 'DECLINED', 'DECLINED'],
    ['WrongPIN', 'DECLINED', 'DECLINED'],
    ['InvalidCard', 'DECLINED', 'CARD_ERROR'],
    ['PaymentRestriction', 'DECLINED', 'CARD_NOT_SUPPORTED'],
    ['Aborted', 'CANCELLED', null],
    ['Cancel', 'CANCELLED', null],
    ...['UnreachableHost', 'DeviceOut', 'UnavailableDevice', 'UnavailableService', 'NotAllowed'].map(
      each => [each, 'UNSUCCESSFUL', 'PROCESSING_ERROR'] as const,
    ),
    ...['InsertedCard', 'LoggedOut', 'MessageFormat'].map(each => [each, 'UNSUCCESSFUL', 'PROCESSING_ERROR'] as const),
  ])('%s ends %s and shows %s', (condition, result, shown) => {
    deepEqual(failed(condition), { verdict: 'ended', result, shown })
  })
  test.each(['InProgress', 'NotFound', 'SomethingNew', 'constructor'])('%s is doubtful', condition => {
    deepEqual(failed(condition), { verdict: 'doubtful', condition })
  })
  test('none is doubtful, no result is nothing, and busy names what runs', () => {
    deepEqual(failed(undefined), { verdict: 'doubtful', condition: '' })
    for (const response of [undefined, {}, { Result: 'Maybe' }, 'Success'])
      deepEqual(verdictOf(response), { verdict: 'none' })
    deepEqual(failed('Busy', 'serviceId=ABC1'), { verdict: 'busy', serviceId: 'ABC1' })
    deepEqual(failed('Busy'), { verdict: 'busy', serviceId: '' })
  })
  test('an expired card is shown as one', () => {
    for (const additional of ['message=CARD_EXPIRED', 'refusalReason=228%20Card%20expired'])
      deepEqual(failed('Refusal', additional), { verdict: 'ended', result: 'DECLINED', shown: 'CARD_EXPIRED' })
  })
})

test('42: a silent issuer is a decline that shows a processing error', () => {
  const verdict = verdictOf({ Result: 'Failure', ErrorCondition: 'Communication timeout' })
  deepEqual(verdict, { verdict: 'ended', result: 'DECLINED', shown: 'PROCESSING_ERROR' })
})

test('21 of the recovery table: an offline approval counts, and an operator sees it', () => {
  const response = {
    ...approvedWith({ AuthorizedAmount: 25.99 }),
    PaymentResult: { OnlineFlag: 'false', AmountsResp: { AuthorizedAmount: 25.99 } },
  }
  const { ending, remarks } = paymentEndOf(response, APPROVED, FACTS)
  deepEqual([ending.result, remarks.length], ['SUCCESSFUL', 1])
})

test('references and the code of the authorisation come from the response', () => {
  const response = {
    ...approvedWith({ AuthorizedAmount: 25.99 }, 'authCode=654321'),
    POIData: {
      POITransactionID: {
        TransactionID: '4r7i001556529591000.8515565295894301',
        TimeStamp: '2026-05-06T13:03:27.000Z',
      },
    },
  }
  const { ending, reference } = paymentEndOf(response, APPROVED, FACTS)
  deepEqual([ending.transactionId, ending.transactionNumber, ending.authCode], ['001556529591000', '0007', '654321'])
  deepEqual(reference, { transactionId: '4r7i001556529591000.8515565295894301', timeStamp: '2026-05-06T13:03:27.000Z' })
  equal(paymentEndOf(approvedWith({}), APPROVED, FACTS).ending.transactionId, '7')
  deepEqual(endWithoutPayment(FACTS, 'CANCELLED', ['forgotten']).ending.messages, ['forgotten'])
})

const line = (Text: string, more: object = {}) => ({ Text, EndOfLineFlag: true, ...more })
const copyOf = (DocumentQualifier: string, ...OutputText: object[]) => ({
  ...{ DocumentQualifier, IntegratedPrintFlag: 'false', RequiredSignatureFlag: 'false' },
  OutputContent: { OutputFormat: 'Text', OutputText },
})

test('46: receipts come as lines of 24 columns, with bold, the euro sign and a feed', () => {
  const copy = copyOf(
    'CashierReceipt',
    line('key=header1'),
    line('name=MERCHANT%20COPY&key=merchantTitle', { CharacterStyle: 'Bold', Alignment: 'Centred' }),
    line('name=Date&value=29%2f04%2f19&key=txdate'),
    line('name=Pref.%20name&value=MCC%20351%20v1%202%20with%20a%20long%20name&key=preferredName'),
    line('name=TOTAL&value=%e2%82%ac%c2%a010.99&key=totalAmount', { CharacterStyle: 'Bold' }),
    line('value=THANK%20YOU&key=thanks', { CharacterWidth: 'DoubleWidth', CharacterHeight: 'DoubleHeight' }),
    line('key=filler'),
  )
  const { MERCHANT, CUSTOMER } = receiptsOf([copy], 'SUCCESSFUL')
  deepEqual(MERCHANT, [
    { value: '', type: 'CARRIAGE_RETURN' },
    { value: '     MERCHANT COPY', type: 'TEXT', format: ['BOLD'] },
    { value: 'Date            29/04/19', type: 'TEXT' },
    { value: 'Pref. name', type: 'TEXT' },
    { value: 'MCC 351 v1 2 with a long', type: 'TEXT' },
    { value: '                    name', type: 'TEXT' },
    { value: 'TOTAL            € 10.99', type: 'TEXT', format: ['BOLD'] },
    { value: 'THANK YOU', type: 'TEXT', format: ['DOUBLE_HEIGHT', 'DOUBLE_WIDTH'] },
    { value: '', type: 'CARRIAGE_RETURN' },
    { value: '', type: 'TICKET_FEED' },
  ])
  deepEqual(CUSTOMER, [])
  ok(MERCHANT.every(({ value }) => value.length <= RECEIPT_COLUMNS))
})

describe('47: receipts of other kinds', () => {
  const other = (content: object) => ({ DocumentQualifier: 'CustomerReceipt', OutputContent: content })
  const values = (...copies: unknown[]) => receiptsOf(copies, 'SUCCESSFUL').CUSTOMER.map(({ value }) => value)
  test('XHTML becomes a line for each block', () => {
    const page = '<html><p>THANK <b>YOU</b></p><div>Come again</div></html>'
    deepEqual(values(other({ OutputFormat: 'XHTML', OutputXHTML: Buffer.from(page).toString('base64') })), [
      ...['THANK YOU', 'Come again', ''],
    ])
  })
  test('bar codes, unknown qualifiers and unknown formats have no line', () => {
    deepEqual(values(other({ OutputFormat: 'BarCode', OutputBarcode: { BarcodeValue: '1' } })), [])
    deepEqual(values(copyOf('Journal', line('name=A&key=a')), { DocumentQualifier: 5 }, null, 'text'), [])
  })
  test('a line that does not end is joined with the next', () => {
    const copy = copyOf(
      'CustomerReceipt',
      line('AB', { EndOfLineFlag: 'false' }),
      line('CD'),
      line('EF', { EndOfLineFlag: false }),
    )
    deepEqual(values(copy), ['ABCD', 'EF', ''])
  })
  test('the box follows the result, and a copy is marked as one', () => {
    const copy = copyOf('CustomerReceipt', line('name=DECLINED&key=state'))
    deepEqual(
      receiptsOf(copy, 'DECLINED').CUSTOMER.map(({ type }) => type),
      ['TEXT', 'BOX_DECLINE', 'TICKET_FEED'],
    )
    match(duplicated(receiptsOf(copy, 'DECLINED')).CUSTOMER[0]?.value ?? '', /\*\* DUPLICATE \*\*/)
    deepEqual(duplicated(receiptsOf([], 'DECLINED')), { MERCHANT: [], CUSTOMER: [] })
  })
  test('45: a card number on a receipt is masked, and the name of a notification does not get there', () => {
    const copy = copyOf(
      'CustomerReceipt',
      line('name=4111111111111111&key=x'),
      line('name=SIGNATURE%20VERIFICATION&key=y'),
    )
    deepEqual(values(copy), ['****************', 'SIGNATURE', ''])
  })
})

test('48: a signature that the terminal takes itself ends as a success with that method', () => {
  const response = {
    ...approvedWith({ AuthorizedAmount: 25.99 }),
    PaymentResult: {
      AuthenticationMethod: ['SignatureCapture'],
      AmountsResp: { AuthorizedAmount: 25.99 },
      CapturedSignature: { SignaturePoint: [{ X: '1', Y: '2' }] },
    },
    PaymentReceipt: [
      { ...copyOf('CashierReceipt', line('name=Sign%20here&key=signature')), RequiredSignatureFlag: true },
    ],
  }
  const { ending } = paymentEndOf(response, APPROVED, FACTS)
  deepEqual([ending.result, ending.card.cardholderVerificationMethod], ['SUCCESSFUL', 'SIGNATURE'])
  equal(ending.receipts.MERCHANT[0]?.value, 'Sign here')
  equal(JSON.stringify(ending).includes('SignaturePoint'), false)
})
