// test/unit/domain/chip-data.test.ts — chip data and PIN blocks never print.
import { deepEqual, equal, throws } from 'node:assert/strict'
import { inspect } from 'node:util'
import { describe, test } from 'vitest'
import { ChipData, PinBlock } from '../../../src/domain/chip-data.ts'

const HEX = '5A0847618800000000279F2608A1B2C3D4E5F60718'
const BLOCK = '0412AC89ABCDEF67'
const SERIAL = 'FFFF9876543210E00001'

describe.each([
  ['chip data', new ChipData(HEX)],
  ['a PIN block', new PinBlock(BLOCK, SERIAL)],
])('%s', (_, secret) => {
  test.each<[string, () => string]>([
    ['JSON', () => JSON.stringify({ secret })],
    ['the inspector', () => inspect({ secret }, { showHidden: true, depth: 9, getters: true })],
    ['a template', () => `${secret}`],
    ['String', () => String(secret)],
    ['an error', () => new Error(`failed: ${secret}`).message],
    ['its members', () => JSON.stringify([Object.entries(secret), { ...secret }, structuredClone({ ...secret })])],
  ])('does not show in %s', (_where, printed) => {
    const text = printed()
    for (const hidden of [HEX, BLOCK, SERIAL]) equal(text.includes(hidden), false, text)
  })

  test('prints as [redacted]', () => {
    deepEqual([String(secret), JSON.stringify(secret), inspect(secret)], ['[redacted]', '"[redacted]"', '[redacted]'])
  })
})

test('reveal returns the plain value', () => {
  equal(new ChipData(HEX).reveal(), HEX)
  deepEqual(new PinBlock(BLOCK, SERIAL).reveal(), { block: BLOCK, keySerialNumber: SERIAL })
})

test('invalid values are refused, and the error does not contain them', () => {
  const chipData = { message: 'chip data are 1 to 999 bytes in capital hexadecimal digits' }
  throws(() => new ChipData(`${HEX}5`), chipData)
  throws(() => new ChipData(HEX.toLowerCase()), chipData)
  throws(() => new PinBlock(HEX, SERIAL), { message: 'a PIN block has 8 or 16 bytes in capital hexadecimal digits' })
  throws(() => new PinBlock(BLOCK, BLOCK), { message: 'a key serial number has 10 or 12 bytes' })
})
