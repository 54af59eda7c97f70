// test/unit/domain/currency.test.ts — the currency table agrees with ISO 4217, as a package and Node publish it.
import { deepEqual, equal, ok } from 'node:assert/strict'
import codes from 'currency-codes'
import { test } from 'vitest'
import { amountText, CURRENCY_LIST, currencies, currencyOf } from '../../../src/domain/currency.ts'

/** Units of account, metals and test codes: not used for payments. */
const NO_MONEY = /^(?:BOV|CHE|CHW|CLF|COU|MXV|USN|UYI|UYW|X(?:AD|AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX))$/

/** Differences between the package (June 2024) and the standard, with reasons. */
const CHANGED_SINCE: Readonly<Record<string, string>> = {
  ANG: 'XCG has taken its place and its number: amendment 176, since 2025-03-31.',
  BGN: 'Withdrawn: amendment 180, since 2026-01-01.',
  CUC: 'Withdrawn: amendment 178, since 2021-06-30.',
}

/** Currencies that Node lists and the table does not, except units of account. */
const NOT_PAID_IN: Readonly<Record<string, string>> = {
  ANG: 'See above.',
  HRK: 'Croatia pays in euros since 2023.',
  SLL: 'SLE has taken its place, with another number.',
  ZWL: 'ZWG has taken its place, with another number.',
}

/** Currencies that Node does not list: the standard has two codes for the bolívar. */
const NOT_IN_NODE = ['VED']

/** Node gives the decimals in everyday use; the standard has two, and three for IQD. Some depend on the Node version. */
const DECIMALS_NOT_PAID = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR RSD SOS SYP YER'.split(' ')

/** The newest Unicode data that this test knows. Later data may list newer currencies. */
const NEWEST_ICU = 78

test('numbers and decimals agree with the package, except for known changes', () => {
  const published = codes.codes().filter(code => !NO_MONEY.test(code))
  ok(published.length > 140)
  for (const code of published.filter(each => !Object.hasOwn(CHANGED_SINCE, each))) {
    const { number = '', digits } = codes.code(code) ?? {}
    deepEqual(currencyOf(number), { numeric: number, code, decimals: digits, withdrawn: false }, code)
  }
  const unknown = currencies().filter(({ code }) => !published.includes(code))
  deepEqual(unknown, [{ numeric: '532', code: 'XCG', decimals: 2, withdrawn: false }])
  deepEqual(
    currencies().filter(({ withdrawn }) => withdrawn),
    [
      { numeric: '931', code: 'CUC', decimals: 2, withdrawn: true },
      { numeric: '975', code: 'BGN', decimals: 2, withdrawn: true },
    ],
  )
})

test('the number of currencies with 0, 2 and 3 decimals agrees with the published list', () => {
  const counts = [0, 2, 3].map(
    decimals => currencies().filter(each => each.decimals === decimals && !each.withdrawn).length,
  )
  // The list of 2026-09-17 has 17, 139 and 7. Units of account: UYI; BOV, CHE, CHW, COU, MXV, USN and XAD.
  deepEqual(counts, [17 - 1, 139 - 7, 7])
  equal(CURRENCY_LIST.publishedOn, '2026-09-17')
})

test('Node lists the same currencies and decimals, with known exceptions', () => {
  const listed = Intl.supportedValuesOf('currency')
  const codesOfOurs = currencies().map(({ code }) => code)
  const decimalsInNode = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  for (const code of ['GBP', 'EUR', 'USD', 'JPY', 'KRW', 'KWD', 'BHD', 'CLP', 'ISK', 'TND'])
    equal(currencies().find(each => each.code === code)?.decimals, decimalsInNode(code), code)
  if (Number.parseInt(process.versions['icu'] ?? '', 10) > NEWEST_ICU) return
  deepEqual(
    {
      onlyOurs: codesOfOurs.filter(code => !listed.includes(code)),
      onlyNode: listed.filter(code => !codesOfOurs.includes(code) && !NO_MONEY.test(code)),
      otherDecimals: currencies()
        .filter(({ code }) => listed.includes(code) && !DECIMALS_NOT_PAID.includes(code))
        .filter(({ code, decimals }) => decimals !== decimalsInNode(code)),
    },
    { onlyOurs: NOT_IN_NODE, onlyNode: Object.keys(NOT_PAID_IN), otherDecimals: [] },
  )
})

test('malformed or reserved numbers and names of object members are no currency', () => {
  for (const numeric of ['000', '999', '963', '', '82', '8260', 'GBP', 'constructor', '__proto__'])
    equal(currencyOf(numeric), null, numeric)
})

test('amounts are formatted with the decimals of their currency', () => {
  deepEqual(
    [
      [1_999, 2],
      [5, 2],
      [0, 2],
      [-5, 2],
      [1_999, 0],
      [0, 0],
      [1_999, 3],
      [7, 3],
    ].map(([minor = 0, decimals = 0]) => amountText(minor, { decimals })),
    ['19.99', '0.05', '0.00', '-0.05', '1999', '0', '1.999', '0.007'],
  )
})
