// src/peers/acquirer-host/packing.ts — reads from a dialect document how its messages are packed.
import type { OddDigits, TextCode } from './characters.ts'
import { arrayOf, numberOf, oneOf, optional, recordOf, textIn } from './document-members.ts'
import { FIELD_TABLES, type Standard } from './field-tables.ts'

export type Code = TextCode | 'bcd'

/** Bytes as they are, or as hexadecimal digits in ASCII or EBCDIC. */
export type Bytes = (typeof BYTES)[number]

export interface LengthPacking {
  readonly as: Code | 'binary'
  /** Of the length itself: bytes, which are its digits in ASCII and EBCDIC. */
  readonly bytes: number
  /** `digits`: characters of the value. `bytes`: bytes that follow. */
  readonly counts: 'digits' | 'bytes'
}

export interface FieldPacking {
  readonly kind: 'n' | 'text' | 'z' | 'b' | 'x'
  readonly as: Code | Bytes
  /** Characters of the value, of `b` bytes: all of them, or the most behind a length. */
  readonly size: number
  /** Null for a fixed size. */
  readonly length: LengthPacking | null
  readonly odd: OddDigits
  /** Between number and date of a track, when the track is text. */
  readonly separator: '=' | 'D'
  /** Code of the sign of `x`. */
  readonly sign: TextCode
}

export interface Packing {
  readonly standard: Standard
  readonly mti: Code
  readonly bitmap: Bytes
  /** The second bitmap is always sent. */
  readonly alwaysSecondary: boolean
  readonly fields: ReadonlyMap<number, FieldPacking>
}

/** What a field's entry may say that does not change its bytes. */
const SILENT = ['name', 'show', 'tlv', 'secret', 'parts', 'repeated', 'nested']
const PACKS = ['type', 'max', 'length', 'prefix', 'as', 'odd', 'separator']
const KINDS = ['n', 'a', 'an', 'ans', 'ns', 'z', 'b', 'x+n'] as const
/** Longest value behind a length of two digits. */
const MOST_OF_LL = 99

interface Defaults {
  readonly n: { readonly as: Code; readonly odd: OddDigits; readonly oddVariable: OddDigits }
  readonly text: TextCode
  readonly z: { readonly as: Code; readonly odd: OddDigits; readonly separator: '=' | 'D' }
  readonly b: Bytes
  readonly ll: LengthPacking
  readonly lll: LengthPacking
}

/** Reads the packing of a dialect. @throws Error with the place of what cannot be read */
export function packingIn(document: unknown): Packing {
  const dialect = recordOf(document, '')
  const standard = oneOf(dialect, 'standard', ['1987', '1993'], '')
  const defaults = defaultsIn(dialect['defaults'])
  const entries = recordOf(dialect['fields'] ?? {}, 'fields')
  const base = FIELD_TABLES[standard]
  for (const number of Object.keys(entries))
    if (!/^\d+$/.test(number) || Number(number) < 2 || Number(number) > 128 || number === '65')
      throw new Error(`fields.${number} is no field from 2 to 128.`)
  const numbers = [...new Set([...Object.keys(base), ...Object.keys(entries)])].map(Number)
  return {
    standard,
    mti: oneOf(dialect, 'mti', ['ascii', 'bcd', 'ebcdic'], ''),
    bitmap: oneOf(dialect, 'bitmap', BYTES, ''),
    alwaysSecondary: dialect['alwaysSecondary'] === true,
    fields: new Map(
      numbers.map(number => [number, fieldIn(base[number], entries[number], defaults, `fields.${number}`)]),
    ),
  }
}

function defaultsIn(document: unknown): Defaults {
  const defaults = recordOf(document, 'defaults')
  const at = (name: string) => recordOf(defaults[name], `defaults.${name}`)
  const odd = oddIn(at('n'), 'defaults.n') ?? 'left0'
  return {
    n: {
      as: codeIn(at('n'), 'defaults.n'),
      odd,
      oddVariable: optional(at('n'), 'oddVariable', ODD, 'defaults.n') ?? odd,
    },
    text: oneOf(at('text'), 'as', ['ascii', 'ebcdic'], 'defaults.text'),
    z: {
      as: codeIn(at('z'), 'defaults.z'),
      odd: oddIn(at('z'), 'defaults.z') ?? 'rightF',
      separator: optional(at('z'), 'separator', ['=', 'D'], 'defaults.z') ?? '=',
    },
    b: oneOf(at('b'), 'as', BYTES, 'defaults.b'),
    ll: lengthIn(at('ll'), 'defaults.ll'),
    lll: lengthIn(at('lll'), 'defaults.lll'),
  }
}

const BYTES = ['raw', 'hex', 'hex-ebcdic'] as const
const ODD = ['left0', 'right0', 'rightF'] as const

function oddIn(entry: Readonly<Record<string, unknown>>, at: string): OddDigits | null {
  return optional(entry, 'odd', ODD, at)
}

function codeIn(entry: Readonly<Record<string, unknown>>, at: string): Code {
  return oneOf(entry, 'as', ['ascii', 'bcd', 'ebcdic'], at)
}

function lengthIn(entry: Readonly<Record<string, unknown>>, at: string): LengthPacking {
  return {
    as: oneOf(entry, 'as', ['ascii', 'bcd', 'ebcdic', 'binary'], at),
    bytes: numberOf(entry, 'bytes', at),
    counts: oneOf(entry, 'counts', ['digits', 'bytes'], at),
  }
}

function fieldIn(base: string | undefined, document: unknown, defaults: Defaults, at: string): FieldPacking {
  const entry = recordOf(document ?? {}, at)
  const unknown = Object.keys(entry).find(name => !SILENT.includes(name) && !PACKS.includes(name))
  if (unknown !== undefined)
    throw new Error(`${at}.${unknown} is unknown; known are ${[...PACKS, ...SILENT].join(', ')}.`)
  const [, baseKind = 'ans', dots, baseSize = '999'] = /^(\w+?)(\.\.| )(\d+)$/.exec(base ?? 'ans..999') ?? []
  const kind = kindOf(optional(entry, 'type', KINDS, at) ?? baseKind)
  const fixed = entry['length'] === undefined ? null : numberOf(entry, 'length', at)
  const most = entry['max'] === undefined ? null : numberOf(entry, 'max', at)
  const isFixed = fixed !== null || (most === null && dots === ' ')
  const size = fixed ?? most ?? Number(baseSize)
  const length = prefixIn(entry['prefix'], size, defaults, `${at}.prefix`)
  const odd = { n: isFixed ? defaults.n.odd : defaults.n.oddVariable, x: defaults.n.odd, z: defaults.z.odd }
  const code = { n: defaults.n.as, x: defaults.n.as, text: defaults.text, z: defaults.z.as, b: defaults.b }
  const allowed = kind === 'b' ? BYTES : (['ascii', 'bcd', 'ebcdic'] as const)
  const as = optional(entry, 'as', allowed, at) ?? code[kind]
  if (kind === 'text' && as === 'bcd') throw new Error(`${at}.as is bcd, but the field holds text.`)
  return {
    ...{ kind, as, size, length: isFixed && entry['prefix'] === undefined ? null : length, sign: defaults.text },
    odd: oddIn(entry, at) ?? (kind === 'text' || kind === 'b' ? 'left0' : odd[kind]),
    separator: optional(entry, 'separator', ['=', 'D'], at) ?? defaults.z.separator,
  }
}

function kindOf(type: string): FieldPacking['kind'] {
  if (type === 'x+n' || type === 'x') return 'x'
  return type === 'n' || type === 'z' || type === 'b' ? type : 'text'
}

/** Digits of the lengths that are longer than those with defaults. */
const LONG_PREFIXES = { llll: 4, llllll: 6 } as const

/** The length before a field: a name of one, one described, or that of its size. */
function prefixIn(document: unknown, size: number, { ll, lll }: Defaults, at: string): LengthPacking {
  if (document === undefined) return size > MOST_OF_LL ? lll : ll
  if (typeof document !== 'string') return lengthIn(recordOf(document, at), at)
  const name = oneOf({ prefix: document }, 'prefix', ['ll', 'lll', 'llll', 'llllll'], at.replace(/\.prefix$/, ''))
  if (name === 'll' || name === 'lll') return name === 'll' ? ll : lll
  const digits = LONG_PREFIXES[name]
  return { ...lll, bytes: lll.as === 'ascii' || lll.as === 'ebcdic' ? digits : digits / 2 }
}

/** Names of fields in a list such as `2|35 3 14?`. */
export interface ListedField {
  /** One of these must be there. */
  readonly oneOf: readonly number[]
  readonly isOptional: boolean
}

/** Reads the fields of a message: a text with blanks, or a list. */
export function listedFields(document: unknown, at: string): readonly ListedField[] {
  const words = typeof document === 'string' ? document.split(' ').filter(Boolean) : arrayOf(document, at).map(String)
  return words.map(word => {
    const [, numbers = '', mark] = /^(\d+(?:\|\d+)*)(\??)$/.exec(word) ?? []
    if (numbers === '') throw new Error(`${at} has ${textIn(word)}, which is no field.`)
    return { oneOf: numbers.split('|').map(Number), isOptional: mark === '?' }
  })
}
