// test/unit/three-d-secure/emv/request-values.test.ts — values of browsers, names, purchases and versions fit an AReq.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  addressState,
  browserHeader,
  browserLanguage,
  cardholderName,
  colourDepth,
  purchaseMembers,
} from '../../../../src/three-d-secure/emv/request-values.ts'
import { chooseVersion, compareVersions, versionsBetween } from '../../../../src/three-d-secure/emv/versions.ts'

describe('case 5: the browser', () => {
  test.each([
    [30, '24'],
    [12, '8'],
    [3, '1'],
    [64, '48'],
    [24, '24'],
    [0, '1'],
  ])('a colour depth of %i is %s', (bits, depth) => {
    equal(colourDepth(bits), depth)
  })

  test.each([
    ['zh-Hant-TW', 'zh-Hant'],
    ['en', 'en'],
    ['de-CH-1901', 'de-CH'],
    ['de-Latn-CH', 'de-Latn'],
    ['abcdefghij', null],
    ['', null],
  ])('the language %s is %s', (tag, language) => {
    equal(browserLanguage(tag), language)
  })

  test('a header of 3000 characters is cut to 2048', () => {
    equal(browserHeader('a'.repeat(3000)).length, 2048)
    equal(browserHeader('text/html'), 'text/html')
  })
})

describe('case 6: names', () => {
  test.each([
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Jürgen Strauß', 'Jurgen Strauss'],
    ['Ann  \t O’Hara ', "Ann O'Hara"],
    ['Ann 💳', null],
    ['王小明', null],
    ['A', null],
    ['', null],
  ])('%s is %s', (name, plain) => {
    equal(cardholderName(name), plain)
  })

  test('sixty letters are cut to 45, and any name fits or is left out', () => {
    equal(cardholderName('a'.repeat(60)), 'a'.repeat(45))
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), name => {
        const plain = cardholderName(name)
        if (plain !== null) match(plain, /^[\x20-\x7e]{2,45}$/)
      }),
    )
  })
})

describe('cases 7 and 8: the purchase', () => {
  test.each([
    [500, '392', '500', '0'],
    [1234, '048', '1234', '3'],
    [1, '978', '1', '2'],
    [150_000, '348', '150000', '2'],
  ])('%i of %s is %s with exponent %s', (amount, currency, purchaseAmount, purchaseExponent) => {
    const members = purchaseMembers(amount, currency, 0)
    deepEqual(
      [members?.purchaseAmount, members?.purchaseCurrency, members?.purchaseExponent],
      [purchaseAmount, currency, purchaseExponent],
    )
  })

  test('what is no amount or currency has no members', () => {
    for (const [amount, currency] of [
      [1, '999'],
      [-1, '978'],
      [1.5, '978'],
    ] as const)
      equal(purchaseMembers(amount, currency, 0), null)
  })

  test('the date is that of UTC', () => {
    equal(purchaseMembers(1, '978', Date.parse('2026-12-01T00:30:05.999+02:00'))?.purchaseDate, '20261130223005')
  })

  test.each([
    ['CA', '840', 'CA'],
    ['US-CA', '840', 'CA'],
    ['CA', undefined, null],
    ['California', '840', null],
  ])('the state %s in %s is %s', (state, country, expected) => {
    equal(addressState(state, country), expected)
  })
})

describe('case 12: versions', () => {
  const OURS = ['2.1.0', '2.2.0'] as const

  test.each([
    [['2.1.0', '2.2.0', '2.3.1'], ['2.2.0', '2.3.1'], '2.2.0'],
    [['2.1.0', '2.2.0', '2.3.1'], ['2.3.1'], null],
    [['2.1.0'], ['2.1.0', '2.2.0'], '2.1.0'],
    [['2.1.0', '2.2.0'], [], null],
  ])('a directory server with %j and an issuer with %j take %s', (directoryServer, acs, version) => {
    equal(chooseVersion(OURS, directoryServer, acs), version)
  })

  test('a range has the known versions between its ends', () => {
    deepEqual(versionsBetween('2.1.0', '2.3.1'), ['2.1.0', '2.2.0', '2.3.1'])
    deepEqual(versionsBetween('2.0.1', '2.2.1'), ['2.0.1', '2.1.0', '2.2.0', '2.2.1'])
    deepEqual(versionsBetween('2.2.0', '2.2.0'), ['2.2.0'])
  })

  test('versions are in order of their numbers', () => {
    ok(compareVersions('2.10.0', '2.9.0') > 0)
    ok(compareVersions('2.1.0', '2.2.0') < 0)
    equal(compareVersions('2.2.0', '2.2.0'), 0)
  })
})
