// test/unit/acquirers/iso8583/random-messages.test.ts — random and damaged messages, with our codec and with another one.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../../../src/acquirers/iso8583/built-in.ts'
import type { FieldFormat } from '../../../../src/acquirers/iso8583/field-format.ts'
import { type Message, packMessage, unpackMessage } from '../../../../src/acquirers/iso8583/message-codec.ts'
import { printable } from '../../../../src/acquirers/iso8583/printable.ts'
import { Refused } from '../../../../src/acquirers/iso8583/refused.ts'
import { type OtherFormat, otherCodec } from '../../../support/iso-8583-codec.ts'
import { messagesOf } from './arbitrary-messages.ts'
import { damaged } from './damage.ts'
import { ASCII_DEFAULTS, builtIn, EBCDIC_DEFAULTS, formatFrom } from './formats.ts'

const RUNS = 100
const FORMATS = [
  ...Object.keys(BUILT_IN_DIALECTS).map(name => [name, builtIn(name).format] as const),
  [
    'EBCDIC with hexadecimal bytes',
    formatFrom({
      ...{ mti: 'ebcdic', bitmap: 'hex-ebcdic', codePage: '1047' },
      defaults: { ...EBCDIC_DEFAULTS, b: { as: 'hex-ebcdic' } },
    }),
  ] as const,
]

describe.each(FORMATS)('%s', (_, format) => {
  test('case 4: what was packed is read again, and packs to the same bytes', () => {
    fc.assert(
      fc.property(messagesOf(format), message => {
        const packed = packMessage(format, message)
        const { mti, fields } = unpackMessage(format, packed)
        deepEqual({ mti, fields }, message)
        deepEqual(packMessage(format, { mti, fields }), packed)
      }),
      { numRuns: RUNS },
    )
  })

  test('case 21: a damaged message is read or refused, and nothing else', () => {
    const bytes = fc.tuple(messagesOf(format), fc.nat(), fc.infiniteStream(fc.nat(0xffff)))
    let refused = 0
    fc.assert(
      fc.property(bytes, ([message, , numbers]) => {
        const wire = damaged(packMessage(format, message), () => Number(numbers.next().value))
        try {
          printable(format, unpackMessage(format, wire))
        } catch (error) {
          ok(error instanceof Refused, String(error))
          refused += 1
        }
      }),
      { numRuns: RUNS },
    )
    ok(refused > RUNS / 4, `${refused} of ${RUNS} were refused`)
  })
})

describe('case 22: the codec iso_8583, which knows ASCII with raw bitmaps', () => {
  const format = formatFrom({
    ...{ mti: 'ascii', bitmap: 'raw', alwaysSecondary: true },
    defaults: ASCII_DEFAULTS,
    // It has another opinion of these, or a structure of its own.
    fields: Object.fromEntries([28, 29, 30, 31, 55, 97, 123, 125, 126, 127].map(number => [number, null])),
  })
  const theirs = theirFormats(format.fields)
  const messages = messagesOf(format).map(({ fields }) => ({ mti: '0200', fields: understood(fields, format.fields) }))

  test('reads what we pack', () => {
    fc.assert(
      fc.property(messages, message => {
        const read = otherCodec({}, theirs).getIsoJSON(Buffer.from(packMessage(format, message)), { lenHeader: false })
        deepEqual(inCapitals(read, format.fields), { 0: message.mti, ...message.fields })
      }),
      { numRuns: RUNS },
    )
  })

  test('packs what we read', () => {
    fc.assert(
      fc.property(messages, message => {
        const packed = otherCodec({ 0: message.mti, ...message.fields }, theirs).getBufferMessage()
        ok(Buffer.isBuffer(packed), JSON.stringify(packed))
        equal(packed.readUInt16BE(0), packed.length - 2)
        const { mti, fields } = unpackMessage(format, packed.subarray(2))
        deepEqual({ mti, fields }, message)
      }),
      { numRuns: RUNS },
    )
  })
})

/** It writes bytes in small letters. */
function inCapitals(fields: Readonly<Record<string, string>>, formats: ReadonlyMap<number, FieldFormat>) {
  return Object.fromEntries(
    Object.entries(fields).map(([number, value]) => [
      number,
      formats.get(Number(number))?.type === 'b' ? value.toUpperCase() : value,
    ]),
  )
}

/** It knows no blank in letters, no # and @ in text, and takes an empty value for none. */
function understood(fields: Message['fields'], formats: ReadonlyMap<number, FieldFormat>): Message['fields'] {
  const values = Object.entries(fields).flatMap(([number, value]) => {
    if (typeof value !== 'string' || value === '') return []
    return [[number, value.replace(/[ #@]/g, formats.get(Number(number))?.type === 'a' ? 'A' : '0')]]
  })
  return Object.fromEntries(values)
}

/** Our formats in its words, because some of its own are not those of the standard. */
function theirFormats(fields: ReadonlyMap<number, FieldFormat>): Readonly<Record<number, OtherFormat>> {
  return Object.fromEntries(
    [...fields].map(([number, { name, type, length, prefix }]) => [
      number,
      {
        ...{ ContentType: type, Label: name, MaxLen: type === 'b' ? 2 * length : length },
        LenType: prefix === null ? 'fixed' : prefix.bytes === 2 ? 'llvar' : 'lllvar',
      },
    ]),
  )
}
