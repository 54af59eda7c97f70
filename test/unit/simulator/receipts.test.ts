// test/unit/simulator/receipts.test.ts — contents and width of receipts.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type CardDetails, NO_CARD } from '../../../src/domain/card.ts'
import { NO_RECEIPTS, RECEIPT_COLUMNS, type ReceiptLine } from '../../../src/domain/receipt.ts'
import { markedDuplicate, type Printout, receiptsOf } from '../../../src/simulator/terminals/receipt-printer.ts'
import { SHOP } from '../../support/simulated-shop.ts'
import { TEST_START } from '../../support/test-clock.ts'

const CARD: CardDetails = {
  paymentMethod: 'ICC_CHIP',
  cardholderVerificationMethod: 'PIN',
  primaryAccountNumber: '************4417',
  primaryAccountNumberSequence: '01',
  applicationId: 'A0000000041010',
  applicationLabel: 'MASTERCARD',
  cardSchemeName: 'MASTERCARD',
  dateOfExpiry: '12/49',
  dateOfStart: '01/24',
}

const SALE: Printout = {
  shop: SHOP,
  tid: '22160001',
  transactionType: 'SALE',
  currency: 'GBP',
  amounts: { baseMinor: 2599, cashbackMinor: 1000, gratuityMinor: 250 },
  card: CARD,
  result: 'SUCCESSFUL',
  pinRefused: false,
  authCode: 'AB12C3',
  transactionNumber: '0031',
  at: TEST_START,
  customerCopy: true,
}

const words = (lines: readonly ReceiptLine[]) =>
  lines.map(line => (line.type === 'TEXT' ? line.value : `<${line.type}>`))

test('a sale with all lines, both copies', () => {
  const { MERCHANT, CUSTOMER } = receiptsOf(SALE)
  deepEqual(words(CUSTOMER), [
    'Corner Shop',
    '1 Harbour Street',
    'CUSTOMER COPY',
    '06/05/2026      14:03:27',
    'TERMINAL        22160001',
    'MERCHANT        ****9872',
    '<LINE_SEPARATOR_SINGLE>',
    'MASTERCARD',
    'AID       A0000000041010',
    'CARD    ************4417',
    'ICC CHIP',
    '<LINE_SEPARATOR_SINGLE>',
    'SALE',
    'AMOUNT         GBP 25.99',
    'GRATUITY        GBP 2.50',
    'CASHBACK       GBP 10.00',
    'TOTAL          GBP 38.49',
    '<LINE_SEPARATOR_SINGLE>',
    'PIN VERIFIED',
    'APPROVED',
    'AUTH CODE         AB12C3',
    'TXN                 0031',
    'PLEASE RETAIN RECEIPT',
    '<TICKET_FEED>',
  ])
  equal(words(MERCHANT)[2], 'MERCHANT COPY')
  deepEqual(CUSTOMER[0]?.format, ['BOLD'])
  deepEqual(CUSTOMER.find(line => line.value.startsWith('TOTAL'))?.format, ['BOLD', 'DOUBLE_HEIGHT'])
})

test('the time is local to the shop', () => {
  const inNewYork = { ...SALE, shop: { ...SHOP, timeZone: 'America/New_York' } }
  ok(words(receiptsOf(inNewYork).MERCHANT).includes('06/05/2026      09:03:27'))
})

test('the signature slip is a merchant copy only, with a signature line', () => {
  const signed = { ...CARD, cardholderVerificationMethod: 'SIGNATURE' } as const
  const slip = receiptsOf({ ...SALE, card: signed, result: null })
  deepEqual(slip.CUSTOMER, [])
  ok(words(slip.MERCHANT).includes('SIGN BELOW'))
  const end = receiptsOf({ ...SALE, card: signed })
  ok(words(end.CUSTOMER).includes('VERIFIED BY SIGNATURE'))
})

test.each([
  ['PIN', false, 'PIN VERIFIED'],
  ['PIN', true, 'PIN NOT VERIFIED'],
  ['DEVICE', false, 'VERIFIED ON DEVICE'],
  ['NONE', false, 'NO VERIFICATION'],
  ['SIGNATURE', false, 'NO VERIFICATION'],
] as const)('a declined payment with verification %s, refused: %s, has the line %s', (method, pinRefused, line) => {
  const card = { ...CARD, cardholderVerificationMethod: method }
  const { MERCHANT, CUSTOMER } = receiptsOf({ ...SALE, card, pinRefused, result: 'DECLINED', authCode: '' })
  for (const lines of [words(MERCHANT), words(CUSTOMER)]) {
    equal(lines[lines.indexOf('<BOX_DECLINE>') - 1], line)
    ok(!lines.includes('SIGN BELOW'))
  }
})

test('declined and void receipts have a box', () => {
  const boxes = (['DECLINED', 'VOID', 'SUCCESSFUL', 'UNSUCCESSFUL'] as const).map(result => {
    const { MERCHANT, CUSTOMER } = receiptsOf({ ...SALE, result })
    const boxOf = (lines: readonly ReceiptLine[]) =>
      lines.filter(line => line.type.startsWith('BOX')).map(line => line.type)
    deepEqual(boxOf(CUSTOMER), boxOf(MERCHANT))
    return boxOf(MERCHANT).join()
  })
  deepEqual(boxes, ['BOX_DECLINE', 'BOX_VOID', '', ''])
})

test('without a card nothing is printed, and without a customer copy only the merchant’s', () => {
  deepEqual(receiptsOf({ ...SALE, card: NO_CARD }), NO_RECEIPTS)
  const merchantOnly = receiptsOf({ ...SALE, customerCopy: false })
  deepEqual([merchantOnly.MERCHANT.length > 0, merchantOnly.CUSTOMER], [true, []])
})

test('a second print is marked on each copy that was printed', () => {
  const marked = markedDuplicate(receiptsOf({ ...SALE, customerCopy: false }))
  equal(marked.MERCHANT[0]?.value, '** DUPLICATE **')
  deepEqual(marked.CUSTOMER, [])
})

const printouts = fc.record<Printout>({
  shop: fc.record({
    name: fc.string({ maxLength: 80 }),
    address: fc.string({ maxLength: 120 }),
    merchantNumber: fc.stringMatching(/^\d{0,40}$/),
    timeZone: fc.constantFrom('Europe/London', 'Pacific/Auckland'),
  }),
  tid: fc.stringMatching(/^[A-Za-z0-9]{1,40}$/),
  transactionType: fc.constantFrom('SALE', 'REFUND', 'PRE_AUTH', 'COMPLETION', 'ACCOUNT_VERIFICATION'),
  currency: fc.constantFrom('GBP', 'EUR'),
  pinRefused: fc.boolean(),
  amounts: fc.record({
    baseMinor: fc.integer({ min: 0, max: 99_999_999 }),
    cashbackMinor: fc.integer({ min: 0, max: 10_000 }),
    gratuityMinor: fc.integer({ min: 0, max: 99_999_999 }),
  }),
  card: fc.record({
    paymentMethod: fc.constantFrom('KEYED', 'SWIPED', 'ICC_CHIP', 'CONTACTLESS'),
    cardholderVerificationMethod: fc.constantFrom('NONE', 'PIN', 'SIGNATURE', 'DEVICE'),
    primaryAccountNumber: fc.constant('************4417'),
    primaryAccountNumberSequence: fc.constant('01'),
    applicationId: fc.stringMatching(/^[0-9A-F]{0,32}$/),
    applicationLabel: fc.constant(''),
    cardSchemeName: fc.constantFrom('VISA', 'AMERICAN EXPRESS INTERNATIONAL'),
    dateOfExpiry: fc.constant('12/49'),
    dateOfStart: fc.constant(''),
  }),
  result: fc.constantFrom(null, 'SUCCESSFUL', 'DECLINED', 'VOID', 'UNSUCCESSFUL', 'CANCELLED', 'TIMED_OUT'),
  authCode: fc.stringMatching(/^[0-9A-Z]{0,20}$/),
  transactionNumber: fc.stringMatching(/^\d{4}$/),
  at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  customerCopy: fc.boolean(),
})

test('no line is wider than the paper, separators and feeds are empty, and the last line cuts', () => {
  fc.assert(
    fc.property(printouts, printout => {
      const receipts = receiptsOf(printout)
      for (const lines of [receipts.MERCHANT, receipts.CUSTOMER]) {
        if (lines.length > 0) equal(lines.at(-1)?.type, 'TICKET_FEED')
        for (const { value, type, format } of lines) {
          const columns = format?.includes('DOUBLE_WIDTH') ? RECEIPT_COLUMNS / 2 : RECEIPT_COLUMNS
          ok(value.length <= columns, value)
          if (type !== 'TEXT' && !type.startsWith('BOX')) equal(value, '')
        }
      }
    }),
  )
})
