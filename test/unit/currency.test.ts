// test/unit/currency.test.ts — our table of currencies against the standard's list, as two others publish it.
import { deepEqual, equal, ok } from 'node:assert/strict'
import codes from 'currency-codes'
import { test } from 'vitest'
import { amountText, currencies, currencyOf } from '../../src/domain/currency.ts'

/** Units of account, metals and test codes, which no shop is paid in. */
const NO_MONEY = /^(?:BOV|CHE|CHW|CLF|COU|MXV|USN|UYI|UYW|X(?:AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX))$/

test('numbers and decimals are those of the published list, and none is missing', () => {
  const published = codes.codes().filter(code => !NO_MONEY.test(code))
  ok(published.length > 140)
  for (const code of published) {
    const { number = '', digits } = codes.code(code) ?? {}
    deepEqual(currencyOf(number), { numeric: number, code, decimals: digits }, code)
  }
  equal(currencies().length, published.length)
})

test('the platform knows each of them, and the decimals of those that people pay with', () => {
  const known = new Set(Intl.supportedValuesOf('currency'))
  for (const { code } of currencies().filter(each => known.has(each.code))) ok(/^[A-Z]{3}$/.test(code))
  for (const code of ['GBP', 'EUR', 'USD', 'JPY', 'KRW', 'KWD', 'BHD', 'CLP', 'ISK', 'TND']) {
    const found = currencies().find(each => each.code === code)
    const options = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    equal(found?.decimals, options.maximumFractionDigits, code)
  }
})

test('numbers that are none, are reserved, or are only a property of an object, are no currency', () => {
  for (const numeric of ['000', '999', '963', '', '82', '8260', 'GBP', 'constructor', '__proto__'])
    equal(currencyOf(numeric), null, numeric)
})

test('amounts are written with the decimals of their currency', () => {
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
