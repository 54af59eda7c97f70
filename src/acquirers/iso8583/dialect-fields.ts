// src/acquirers/iso8583/dialect-fields.ts — makes the formats of all fields from a dialect document and the standard.
import { BASE_FIELDS, type BaseField } from './base-fields.ts'
import type { Charset } from './code-pages.ts'
import type { DialectDocument, FieldDocument, LengthName } from './dialect-schema.ts'
import type { FieldFormat, FieldType, LengthPrefix, Packing, Part, Structure } from './field-format.ts'

/** A problem of a document: its place, and a text that completes the sentence "<at> …". */
export interface DialectProblem {
  readonly at: string
  readonly says: string
}

const PACKINGS_OF: Readonly<Record<FieldType, readonly Packing[]>> = {
  ...{ n: ['ascii', 'ebcdic', 'bcd'], z: ['ascii', 'ebcdic', 'bcd'], 'x+n': ['ascii', 'ebcdic', 'bcd'] },
  ...{ a: ['ascii', 'ebcdic'], an: ['ascii', 'ebcdic'], ans: ['ascii', 'ebcdic'], ns: ['ascii', 'ebcdic'] },
  b: ['raw', 'hex', 'hex-ebcdic'],
}
/** Card numbers, tracks, PIN block and accounts: no document may open them. */
const CARD_FIELDS: readonly number[] = [2, 34, 35, 36, 45, 52, 102, 103]
const CHIP_DATA = '55'
const NO_FIELD: BaseField = ['ans..999', 'no field of the standard', 'hidden']
/** Who may see a sub-field is decided by its field, unless it says so itself. */
const SUB_FIELD: BaseField = ['ans..999', 'sub-field']
const DEFAULT_CODE_PAGE = '037'

/** Formats of fields 2 to 128, and what is wrong with those of the document. */
export function fieldFormats(document: DialectDocument): {
  readonly fields: ReadonlyMap<number, FieldFormat>
  readonly problems: readonly DialectProblem[]
} {
  const problems: DialectProblem[] = []
  const fields = new Map<number, FieldFormat>()
  const base = BASE_FIELDS[document.standard]
  for (const number of numbersOf(base, document.fields)) {
    const own = document.fields[`${number}`]
    if (own === null) continue
    const maker = { document, id: String(number), at: `fields.${number}`, problems }
    if (CARD_FIELDS.includes(number) && own?.show === 'plain')
      problems.push({ at: `fields.${number}.show`, says: 'must not be plain: the field holds data of the card' })
    fields.set(number, formatOf(maker, base[number] ?? NO_FIELD, own ?? {}))
  }
  return { fields, problems }
}

/** Charset of text that is packed as EBCDIC. */
export function codePageOf({ codePage = DEFAULT_CODE_PAGE }: Pick<DialectDocument, 'codePage'>): Charset {
  return codePage
}

interface Maker {
  readonly document: DialectDocument
  readonly id: string
  /** Place in the document. */
  readonly at: string
  readonly problems: DialectProblem[]
}

function numbersOf(...tables: readonly object[]): readonly number[] {
  const numbers = new Set(tables.flatMap(table => Object.keys(table).map(Number)))
  return [...numbers].sort((one, other) => one - other)
}

function formatOf(maker: Maker, [notation, name, show, base]: BaseField, own: FieldDocument): FieldFormat {
  const { document, id, at, problems } = maker
  const [, baseType = '', dots = '', digits = ''] = /^([a-z+]+)( |\.\.)(\d+)$/.exec(notation) ?? []
  const type = own.type ?? (baseType as FieldType)
  const baseLength = Number(digits) + (baseType === 'x+n' ? 1 : 0)
  if (own.length !== undefined && own.max !== undefined)
    problems.push({ at, says: 'has both length and max; a fixed field has the one, a variable field the other' })
  const isVariable = own.max !== undefined || (own.length === undefined && dots === '..')
  const length = own.max ?? (own.length === undefined ? baseLength : own.length + (type === 'x+n' ? 1 : 0))
  const as = own.as ?? defaultPacking(document, type)
  if (!PACKINGS_OF[type].includes(as))
    problems.push({
      at: `${at}.as`,
      says: `must be one of ${PACKINGS_OF[type].join(', ')} for type ${type}, not ${as}`,
    })
  if (type === 'x+n' && isVariable) problems.push({ at, says: 'must have a length: a field of type x+n is fixed' })
  if (!isVariable && own.prefix !== undefined)
    problems.push({ at: `${at}.prefix`, says: 'belongs to fields with max; this one has a fixed length' })
  const { n, z } = document.defaults
  const oddOfN = isVariable ? (n.oddVariable ?? n.odd) : n.odd
  const structure = structureOf(maker, isOtherContent(own) ? own : { ...base, ...own }, { type, isVariable })
  return {
    ...{ id, name: own.name ?? name, type, length, as },
    prefix: isVariable ? prefixOf(maker, own, length) : null,
    odd: own.odd ?? (type === 'z' ? z.odd : oddOfN) ?? 'left0',
    separator: own.separator ?? z.separator ?? '=',
    codePage: codePageOf(document),
    signCharset: document.defaults.text.as === 'ascii' ? 'ascii' : codePageOf(document),
    // Without its tags nothing tells the card number in chip data from the rest.
    show: id === CHIP_DATA && structure?.kind !== 'ber' ? 'hidden' : (own.show ?? show ?? 'plain'),
    secret: own.secret ?? [],
    structure,
  }
}

/** Whether the document gives the field a content of its own, to which the parts of the standard do not apply. */
function isOtherContent({ type, parts, tlv, nested }: FieldDocument): boolean {
  return type !== undefined || parts !== undefined || tlv !== undefined || nested !== undefined
}

function defaultPacking({ defaults }: DialectDocument, type: FieldType): Packing {
  switch (type) {
    case 'n':
    case 'x+n':
      return defaults.n.as
    case 'z':
      return defaults.z.as
    case 'b':
      return defaults.b.as
    case 'a':
    case 'an':
    case 'ans':
    case 'ns':
      return defaults.text.as
  }
}

function prefixOf({ document, at, problems }: Maker, own: FieldDocument, max: number): LengthPrefix {
  const { defaults } = document
  if (typeof own.prefix === 'object') return own.prefix
  const name: LengthName = own.prefix ?? (max <= 99 ? 'll' : max <= 999 ? 'lll' : 'llll')
  const prefix = defaults[name]
  if (prefix !== undefined) return prefix
  problems.push({ at, says: `needs a length of the kind ${name}, which defaults.${name} does not describe` })
  return defaults.lll
}

function structureOf(
  maker: Maker,
  { parts, repeated = false, tlv, nested }: FieldDocument,
  { type, isVariable }: { readonly type: FieldType; readonly isVariable: boolean },
): Structure | null {
  const { document, id, at, problems } = maker
  if ([parts, tlv, nested].filter(each => each !== undefined).length > 1)
    problems.push({ at, says: 'has more than one of parts, tlv and nested' })
  if (parts !== undefined) return { kind: 'parts', parts: parts.map(partIn), repeated }
  if (repeated) problems.push({ at: `${at}.repeated`, says: 'belongs to fields with parts' })
  if (tlv === undefined && nested === undefined) return null
  if (type !== 'b' || !isVariable) problems.push({ at, says: 'must be of type b with max, because it has sub-fields' })
  if (tlv === 'ber') return { kind: 'ber' }
  if (tlv !== undefined) return { kind: 'tlv', ...tlv }
  const fields = new Map<number, FieldFormat>()
  for (const [number, own] of Object.entries(nested?.fields ?? {})) {
    const inner = { document, id: `${id}.${number}`, at: `${at}.nested.fields.${number}`, problems }
    if (own?.type === undefined || (own.length === undefined && own.max === undefined))
      problems.push({ at: inner.at, says: 'must have a type, and length or max: the standard has no such field' })
    if (own !== undefined) fields.set(Number(number), formatOf(inner, SUB_FIELD, own))
  }
  return { kind: 'bitmap', bitmap: nested?.bitmap ?? 'raw', fields }
}

function partIn(text: string): Part {
  const [name = '', size = ''] = text.split(':')
  return { name, length: Number(size.replace('LL', '')), prefixed: size.startsWith('LL') }
}
