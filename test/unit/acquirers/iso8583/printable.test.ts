// test/unit/acquirers/iso8583/printable.test.ts — case 20: a message is shown without the data of the card.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Message, packMessage, unpackMessage } from '../../../../src/acquirers/iso8583/message-codec.ts'
import { printable } from '../../../../src/acquirers/iso8583/printable.ts'
import { ASCII_DEFAULTS, BCD_DEFAULTS, builtIn, formatFrom } from './formats.ts'

const CARD = '4761739001010119'
const TRACK = `${CARD}=30122011234567`
const PIN_BLOCK = 'AC0708A3C923D34D'
const SECURITY_CODE = '917'

function shown(format: Parameters<typeof packMessage>[0], fields: Message['fields']) {
  return printable(format, unpackMessage(format, packMessage(format, { mti: '0200', fields })))
}

describe('case 20: card number, tracks, PIN block and security code are never shown', () => {
  const format = formatFrom({
    ...{ mti: 'bcd', bitmap: 'raw', defaults: BCD_DEFAULTS },
    fields: {
      '63': {
        ...{ type: 'b', max: 999, show: 'plain', secret: ['02'] },
        tlv: { tag: { as: 'bcd', bytes: 1 }, length: { as: 'bcd', bytes: 2 }, values: 'ascii' },
      },
      '127': {
        ...{ type: 'b', max: 999, show: 'plain', secret: ['4'] },
        nested: { bitmap: 'raw', fields: { '3': { type: 'ans', max: 99 }, '4': { type: 'ans', max: 99 } } },
      },
    },
  })
  const fields: Message['fields'] = {
    ...{ 2: CARD, 3: '000000', 34: CARD, 35: TRACK, 36: `${CARD}=5`, 37: '633309000002', 41: '29110001' },
    ...{ 44: `see ${CARD}`, 45: `B${CARD}`, 48: `92${SECURITY_CODE}`, 52: PIN_BLOCK, 53: '1234567890123456' },
    55: [
      ...[
        { id: '9F26', value: '1122334455667788' },
        { id: '57', value: `${CARD}D30122` },
        { id: '5A', value: CARD },
      ],
      ...[
        { id: '70', value: `5A08${CARD}` },
        { id: '5F20', value: '5445535420' },
      ],
    ],
    63: [
      { id: '02', value: SECURITY_CODE },
      { id: '04', value: '05' },
      { id: '16', value: CARD },
    ],
    ...{ 102: CARD, 103: CARD },
    127: [
      { id: '3', value: CARD },
      { id: '4', value: SECURITY_CODE },
    ],
  }
  const all = shown(format, fields)

  test('wherever they stand', () => {
    const text = JSON.stringify(all)
    for (const secret of [
      CARD,
      CARD.slice(6, 12),
      TRACK.slice(17),
      PIN_BLOCK,
      SECURITY_CODE,
      '5445535420',
      '1234567890123456',
    ])
      ok(!text.includes(secret), secret)
    equal(all.length, Object.keys(fields).length)
  })

  test('and what is no secret stays readable', () => {
    const value = (field: number) => all.find(each => each.field === field)?.value
    deepEqual([2, 3, 34, 35, 37, 41, 48, 52, 55].map(value), [
      ...['476173******0119', '000000', '476173******0119', '(hidden, 31 characters)', '633309000002', '29110001'],
      ...['(hidden, 5 characters)', '(hidden, 8 bytes)', '5 sub-fields'],
    ])
    match(value(44) ?? '', /^see \*{16} *$/)
    const parts = (field: number) =>
      all.find(each => each.field === field)?.parts.map(({ id, value }) => `${id} ${value}`)
    deepEqual(parts(55), [
      ...['9F26 1122334455667788', '57 (hidden, 11 bytes)', '5A (hidden, 8 bytes)', '70 (hidden, 10 bytes)'],
      '5F20 (hidden, 5 bytes)',
    ])
    deepEqual(parts(63), ['02 (hidden, 3 characters)', '04 05', `16 ${'*'.repeat(16)}`])
    deepEqual(parts(127), [`3 ${'*'.repeat(16)}`, '4 (hidden, 3 characters)'])
  })

  test('a short number is masked whole', () => {
    equal(shown(format, { 2: '123456789012' })[0]?.value, '*'.repeat(12))
  })

  test('hidden fields of a document hide their sub-fields', () => {
    const hidden = formatFrom({
      ...{ mti: 'ascii', bitmap: 'hex', defaults: ASCII_DEFAULTS },
      fields: { '55': { type: 'b', max: 255, show: 'hidden', tlv: 'ber' }, '90': { show: 'hidden' } },
    })
    const [chip, original] = shown(hidden, { 55: [{ id: '9C', value: '01' }], 90: '1'.repeat(42) })
    deepEqual(
      [chip?.parts[0]?.value, original?.value, original?.parts],
      ['(hidden, 1 bytes)', '(hidden, 42 characters)', []],
    )
  })
})

describe('a field is shown with its name, format, bytes and parts', () => {
  const { format } = builtIn('plain-87-ascii')

  test('54 by blocks, 90 by parts', () => {
    const [amounts, original] = shown(format, {
      54: '0040826D0000000010000041826D000000001599',
      90: '020000331609080645190000000020000000000000',
    })
    deepEqual(
      { ...amounts, parts: amounts?.parts.map(({ id, value }) => `${id} ${value}`) },
      {
        ...{ field: 54, name: 'additional amounts', format: 'an..120', bytes: 43 },
        value: '0040826D0000000010000041826D000000001599',
        parts: [
          ...['1.account 00', '1.kind 40', '1.currency 826', '1.sign D', '1.amount 000000001000'],
          ...['2.account 00', '2.kind 41', '2.currency 826', '2.sign D', '2.amount 000000001599'],
        ],
      },
    )
    deepEqual(
      original?.parts.map(({ id }) => id),
      ['mti', 'stan', 'transmission', 'acquirer', 'forwarder'],
    )
  })

  test('a text that does not divide into its parts is shown as it is', () => {
    deepEqual(
      shown(format, { 54: '0040826D' }).map(({ value, parts }) => [value, parts]),
      [['0040826D', []]],
    )
  })
})

test('chip data that is not read by its tags is hidden whole', () => {
  const format = formatFrom({
    ...{ mti: 'ascii', bitmap: 'hex', defaults: ASCII_DEFAULTS },
    fields: { '55': { type: 'ans', max: 255, show: 'plain' } },
  })
  equal(shown(format, { 55: `5A08${CARD}` })[0]?.value, '(hidden, 20 characters)')
})
