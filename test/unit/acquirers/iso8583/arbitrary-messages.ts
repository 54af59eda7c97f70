// test/unit/acquirers/iso8583/arbitrary-messages.ts — random messages of a dialect, each value as its field allows.
import fc from 'fast-check'
import type { FieldFormat, FieldValue } from '../../../../src/acquirers/iso8583/field-format.ts'
import type { Message, MessageFormat } from '../../../../src/acquirers/iso8583/message-codec.ts'

/** Fields of a message at most, so that a long one stays readable in a report. */
const MOST_FIELDS = 24
/** Characters of a variable field at most. */
const MOST_CHARACTERS = 60
const TAGS = ['9F26', '9F27', '95', '9C', '84', 'DF8129', '70', '5F34'] as const
const LETTERS = [...'ABCXYZabcxyz ']
const DIGITS = [...'0123456789']
const SPECIAL = [...' !#$%&*()-/.;@_~']

export function messagesOf({ fields }: MessageFormat): fc.Arbitrary<Message> {
  const mti = fc.constantFrom('0100', '0210', '0421', '0800', '1100', '1430')
  return fc
    .tuple(mti, fc.subarray([...fields.keys()], { maxLength: MOST_FIELDS }))
    .chain(([mti, numbers]) =>
      fc
        .tuple(...numbers.map(number => valuesOf(fields.get(number) as FieldFormat)))
        .map(values => ({ mti, fields: Object.fromEntries(numbers.map((number, at) => [number, values[at]!])) })),
    )
}

function valuesOf(format: FieldFormat): fc.Arbitrary<FieldValue> {
  const { type, structure } = format
  switch (structure?.kind) {
    case 'ber':
      return fc
        .subarray([...TAGS])
        .chain(tags => fc.tuple(...tags.map(id => hex(0, 8).map(value => ({ id: id as string, value })))))
    case 'tlv':
      return fc
        .subarray(['04', '12', '16', '99'])
        .chain(tags => fc.tuple(...tags.map(id => hex(0, 8).map(value => ({ id: id as string, value })))))
    case 'bitmap':
    case 'parts':
    case undefined:
  }
  const [fewest, most] = lengthsOf(format)
  switch (type) {
    case 'b':
      return hex(fewest, most)
    case 'x+n':
      return fc.tuple(fc.constantFrom('C', 'D'), text(DIGITS, most - 1, most - 1)).map(parts => parts.join(''))
    case 'n':
      return text(DIGITS, fewest, most).map(digits =>
        (countsBytes(format) && digits.length % 2 === 1 ? `1${digits}` : digits).slice(0, evenMost(format)),
      )
    case 'z':
      return text([...DIGITS, '='], fewest, most)
    case 'a':
      return text(LETTERS, fewest, most)
    case 'an':
      return text([...LETTERS, ...DIGITS], fewest, most)
    case 'ns':
      return text([...DIGITS, ...SPECIAL], fewest, most)
    case 'ans':
      return text([...LETTERS, ...DIGITS, ...SPECIAL], fewest, most)
  }
}

function lengthsOf({ length, prefix }: FieldFormat): readonly [number, number] {
  return prefix === null ? [length, length] : [0, Math.min(length, MOST_CHARACTERS)]
}

/** Of an odd number of digits the reader cannot tell a filler 0 from a digit when only bytes are counted. */
function countsBytes({ as, prefix, odd }: FieldFormat): boolean {
  return as === 'bcd' && prefix?.counts === 'bytes' && odd !== 'rightF'
}

function evenMost(format: FieldFormat): number {
  return countsBytes(format) ? format.length - (format.length % 2) : format.length
}

function hex(fewestBytes: number, mostBytes: number): fc.Arbitrary<string> {
  return fc
    .uint8Array({ minLength: fewestBytes, maxLength: mostBytes })
    .map(bytes => Buffer.from(bytes).toString('hex').toUpperCase())
}

function text(characters: readonly string[], fewest: number, most: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters), minLength: fewest, maxLength: most })
}
