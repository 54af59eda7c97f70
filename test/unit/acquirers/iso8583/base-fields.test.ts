// test/unit/acquirers/iso8583/base-fields.test.ts — the table of 1987 against that of another codec.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { BASE_FIELDS } from '../../../../src/acquirers/iso8583/base-fields.ts'
import { otherFormats } from '../../../support/iso-8583-codec.ts'
import { ASCII_DEFAULTS, formatFrom } from './formats.ts'

const OURS = formatFrom({ mti: 'ascii', bitmap: 'raw', defaults: ASCII_DEFAULTS }).fields

/** Field, our length, and its own. Bytes are counted as hexadecimal digits. */
const DIFFERENCES = [
  // Of 1993.
  '53: fixed 16, fixed 96',
  // Both are in use.
  '55: lllvar 255, lllvar 999',
  // Of 1993.
  '58: lllvar 999, llvar 11',
  '59: lllvar 999, lllvar 255',
  // Eight bytes in the standard; it takes the number for digits.
  '64: fixed 16, fixed 8',
  '96: fixed 16, fixed 8',
  // Fields under a bitmap of their own, as one maker has them.
  '127: lllvar 999, llllllvar 999999',
  '128: fixed 16, fixed 8',
]

test('lengths of 1987 are those of iso_8583, with the differences listed', () => {
  const different = [...OURS].flatMap(([number, { type, length, prefix }]) => {
    const other = otherFormats[number]
    const theirs = other === undefined ? 'none' : `${other.LenType} ${other.MaxLen}`
    const kind = prefix === null ? 'fixed' : prefix.bytes === 2 ? 'llvar' : 'lllvar'
    const ours = `${kind} ${type === 'b' && kind === 'fixed' ? 2 * length : length}`
    return ours === theirs ? [] : [`${number}: ${ours}, ${theirs}`]
  })
  deepEqual(different, DIFFERENCES)
})

test('both tables have fields 2 to 128 but for 65, which would announce a third bitmap', () => {
  for (const [standard, table] of Object.entries(BASE_FIELDS)) {
    const numbers = Object.keys(table).map(Number)
    deepEqual(
      Array.from({ length: 127 }, (_, index) => index + 2).filter(number => !numbers.includes(number)),
      [65],
      standard,
    )
    equal(numbers.length, 126)
  }
})
