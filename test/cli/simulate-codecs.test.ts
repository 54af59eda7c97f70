// test/cli/simulate-codecs.test.ts — what the simulated acquirer packs is read by the gateway's own codec, in another process.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import host93 from '../../src/acquirers/iso8583/dialects/host-93.json' with { type: 'json' }
import plain87 from '../../src/acquirers/iso8583/dialects/plain-87-ascii.json' with { type: 'json' }
import pos87 from '../../src/acquirers/iso8583/dialects/pos-87-bcd.json' with { type: 'json' }
import { type Fields, pack } from '../../src/peers/acquirer-host/codec.ts'
import { type FieldPacking, type Packing, packingIn } from '../../src/peers/acquirer-host/packing.ts'
import { emptyDirectory, runJson } from './tollgate.ts'

const EBCDIC = {
  ...plain87,
  ...{ name: 'plain-87-ebcdic', mti: 'ebcdic', bitmap: 'hex-ebcdic', examples: [] },
  defaults: {
    ...{ n: { as: 'ebcdic' }, text: { as: 'ebcdic' }, z: { as: 'ebcdic', separator: '=' }, b: { as: 'hex-ebcdic' } },
    ll: { as: 'ebcdic', bytes: 2, counts: 'digits' },
    lll: { as: 'ebcdic', bytes: 3, counts: 'digits' },
  },
}
const ALL_CHARACTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 33)).join('')
/** Values that must make sense: a card, tracks, chip data, all characters. */
const GIVEN: Fields = {
  ...{ 2: '4761739001010119', 34: '4761739001010119', 35: '4761739001010119=30122011234567890' },
  ...{ 36: '014761739001010119=30122011234567890', 55: '9F0206000000002599', 104: ALL_CHARACTERS },
}
/** Has tags in host-93, of which the gateway shows no value. */
const LEFT_OUT: Readonly<Record<string, readonly number[]>> = { '1987': [], '1993': [63] }

interface Shown {
  readonly mti: string
  readonly fields: readonly { readonly field: number; readonly value: string }[]
}

test.concurrent.each([
  ['plain-87-ascii', plain87],
  ['pos-87-bcd', pos87],
  ['host-93', host93],
  ['the first of them in EBCDIC', EBCDIC],
])('every field up to 128: %s', async (_, document) => {
  const packing = packingIn(document)
  const folder = emptyDirectory()
  const [dialect, message] = [join(folder, 'dialect.json'), join(folder, 'message')]
  const mti = document.standard === '1987' ? '0200' : '1200'
  const fields = samples(packing)
  writeFileSync(dialect, JSON.stringify(document))
  writeFileSync(message, pack({ mti, fields }, packing).toString('hex'))
  const shown = await runJson<Shown>(['iso8583', 'show', dialect, message])
  equal(shown.mti, mti)
  deepEqual(
    shown.fields.map(({ field }) => field),
    Object.keys(fields).map(Number),
  )
  let compared = 0
  for (const { field, value } of shown.fields) {
    const sent = fields[field] ?? ''
    if (value.startsWith('(hidden'))
      ok(value.includes(`${sizeOf(sent, packing.fields.get(field))} `), `${field} ${value}`)
    else if (field !== 2 && field !== 34 && field !== 55) {
      equal(value, sent.trimEnd(), `field ${field}`)
      compared += 1
    }
  }
  ok(compared > 60, `${compared} values were compared`)
})

function samples({ fields, standard }: Packing): Fields {
  const numbers = [...fields.keys()].filter(number => LEFT_OUT[standard]?.includes(number) === false)
  return Object.fromEntries(
    numbers
      .toSorted((one, other) => one - other)
      .map(number => [number, GIVEN[number] ?? sample(number, fields.get(number))]),
  )
}

/** Digits or letters that begin anew with each field, as long as it is, or short behind a length. */
function sample(number: number, format: FieldPacking | undefined): string {
  if (format === undefined) throw new Error(`no field ${number}`)
  const { kind, size, length } = format
  // An even number: where lengths count bytes, nothing tells the digit that fills up an odd one.
  const count = length === null ? size : Math.min(size, 4 + 2 * (number % 4))
  const digits = Array.from({ length: count }, (_, index) => String((index + number) % 10)).join('')
  if (kind === 'text') return digits.replace(/\d/g, digit => String.fromCharCode(65 + Number(digit)))
  if (kind === 'b') return digits.replace(/\d/g, digit => `${digit}A`)
  return kind === 'x' ? `C${digits}` : digits
}

/** As the gateway counts what it hides: bytes of bytes, else characters. */
function sizeOf(value: string, format: FieldPacking | undefined): number {
  return format?.kind === 'b' ? value.length / 2 : value.length
}
