// test/unit/peers/acquirer-host/chip-data.test.ts — the tags of chip data: published contents, long forms, and faults.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { chipFault, chipTags } from '../../../../src/peers/acquirer-host/chip-data.ts'

test('chip data of a request', () => {
  const tags = chipTags(
    '9f260811223344556677889f2701809f100706010a03a000009f3704deadbeef9f36020001950500000000009a032611289c01009f020600000000' +
      '25995f2a020826820219809f1a0208269f0306000000000000',
  )
  deepEqual(Object.fromEntries(tags ?? []), {
    ...{ '9F26': '1122334455667788', '9F27': '80', '9F10': '06010A03A00000', '9F37': 'DEADBEEF', '9F36': '0001' },
    ...{ '95': '0000000000', '9A': '261128', '9C': '00', '9F02': '000000002599', '5F2A': '0826', '82': '1980' },
    ...{ '9F1A': '0826', '9F03': '000000000000' },
  })
})

test('the first tags of a published test of moov', () => {
  const tags = chipTags(
    '4f07a00000000410105f2a0208405f2d047275656e82021980950500000000009a032410029c01009f0206000000000100',
  )
  deepEqual(Object.fromEntries(tags ?? []), {
    ...{ '4F': 'A0000000041010', '5F2A': '0840', '5F2D': '7275656E', '82': '1980', '95': '0000000000' },
    ...{ '9A': '241002', '9C': '00', '9F02': '000000000100' },
  })
})

test('tags of three bytes and lengths in the long forms', () => {
  const long = 'AB'.repeat(130)
  deepEqual(
    [...(chipTags(`DF81290100${'71'}8182${long}`) ?? [])],
    [
      ['DF8129', '00'],
      ['71', long],
    ],
  )
  deepEqual([...(chipTags('91820002AABB') ?? [])], [['91', 'AABB']])
})

test.each(['9F', '9F02', '9F0206', '9F02060000', '71830000', '9A032611289A03261128', '9182'])('%s is refused', hex => {
  equal(chipTags(hex), null)
  equal(chipFault({ 4: '000000000100', 55: hex }), 'cannot be read')
})

test('the amount of the chip is that of the message', () => {
  equal(chipFault({ 4: '000000000100', 55: '9F0206000000000100' }), null)
  equal(chipFault({ 4: '000000000101', 55: '9F0206000000000100' }), 'has another amount')
  equal(chipFault({ 4: '000000000101' }), null)
})

test('the cash of a chip is that of the message', () => {
  const chip = { 4: '000000003599', 55: '9F02060000000035999F0306000000001000' }
  equal(chipFault(chip, '000000001000'), null)
  equal(chipFault(chip, '000000001001'), 'has another amount of cash')
  equal(chipFault(chip), 'has another amount of cash')
  equal(chipFault({ 4: '000000003599', 55: '9F0306000000000000' }), null)
})
