// test/unit/acquirers/iso8583/formats.ts — message formats of the published vectors, described as dialects describe them.

import { BUILT_IN_DIALECTS } from '../../../../src/acquirers/iso8583/built-in.ts'
import { type Dialect, readDialect } from '../../../../src/acquirers/iso8583/dialect.ts'
import { codePageOf, fieldFormats } from '../../../../src/acquirers/iso8583/dialect-fields.ts'
import type { DialectDocument } from '../../../../src/acquirers/iso8583/dialect-schema.ts'
import { type Message, type MessageFormat, packMessage } from '../../../../src/acquirers/iso8583/message-codec.ts'
import { readStrictly } from '../../../../src/api/read/strict-document.ts'

type Form = Pick<DialectDocument, 'mti' | 'bitmap' | 'defaults'> &
  Partial<Pick<DialectDocument, 'standard' | 'fields' | 'codePage' | 'alwaysSecondary'>>

export const ASCII_DEFAULTS: DialectDocument['defaults'] = {
  n: { as: 'ascii' },
  text: { as: 'ascii' },
  z: { as: 'ascii' },
  b: { as: 'raw' },
  ll: { as: 'ascii', bytes: 2, counts: 'digits' },
  lll: { as: 'ascii', bytes: 3, counts: 'digits' },
  llll: { as: 'ascii', bytes: 4, counts: 'digits' },
  llllll: { as: 'ascii', bytes: 6, counts: 'digits' },
}
export const BCD_DEFAULTS: DialectDocument['defaults'] = {
  n: { as: 'bcd' },
  text: { as: 'ascii' },
  z: { as: 'bcd', odd: 'rightF' },
  b: { as: 'raw' },
  ll: { as: 'bcd', bytes: 1, counts: 'digits' },
  lll: { as: 'bcd', bytes: 2, counts: 'bytes' },
}
export const EBCDIC_DEFAULTS: DialectDocument['defaults'] = {
  n: { as: 'ebcdic' },
  text: { as: 'ebcdic' },
  z: { as: 'ebcdic' },
  b: { as: 'raw' },
  ll: { as: 'ebcdic', bytes: 2, counts: 'digits' },
  lll: { as: 'ebcdic', bytes: 3, counts: 'digits' },
}

export function formatFrom({ standard = '1987', fields = {}, ...form }: Form): MessageFormat {
  const document = { standard, fields, ...form } as DialectDocument
  const { fields: formats, problems } = fieldFormats(document)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const { mti, bitmap, alwaysSecondary = false } = form
  return { mti, bitmap, alwaysSecondary, codePage: codePageOf(form), fields: formats }
}

export const ASCII_HEX = formatFrom({ mti: 'ascii', bitmap: 'hex', defaults: ASCII_DEFAULTS })
export const ASCII_RAW = formatFrom({ mti: 'ascii', bitmap: 'raw', defaults: ASCII_DEFAULTS })
export const BCD_RAW = formatFrom({ mti: 'bcd', bitmap: 'raw', defaults: BCD_DEFAULTS })

export function builtIn(name: string): Dialect {
  const read = readDialect(BUILT_IN_DIALECTS[name], readStrictly)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.dialect
}

export function packedHex(format: MessageFormat, message: Message): string {
  return Buffer.from(packMessage(format, message)).toString('hex')
}

export function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex')
}
