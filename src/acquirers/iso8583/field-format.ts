// src/acquirers/iso8583/field-format.ts — the format of a field as the codec uses it.
import type { Charset } from './code-pages.ts'

/** n digits; a letters; an, ans and ns text; z a track; b bytes; x+n a sign (C or D) before digits. */
export const FIELD_TYPES = ['n', 'a', 'an', 'ans', 'ns', 'z', 'b', 'x+n'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** How the content stands in the message. `hex` and `hex-ebcdic` are two characters for each byte. */
export const PACKINGS = ['ascii', 'ebcdic', 'bcd', 'raw', 'hex', 'hex-ebcdic'] as const
export type Packing = (typeof PACKINGS)[number]

/** What fills the last half byte of an odd number of BCD digits, and on which side. */
export const ODD_FILLERS = ['left0', 'right0', 'rightF'] as const
export type OddFiller = (typeof ODD_FILLERS)[number]

/** The length before a field of variable length. */
export interface LengthPrefix {
  readonly as: 'ascii' | 'ebcdic' | 'bcd' | 'binary'
  readonly bytes: number
  /** `digits`: digits, characters, or bytes of type b. `bytes`: bytes of the content in the message. */
  readonly counts: 'digits' | 'bytes'
}

/** Who may see the value: as it is, a card number by its first six and last four digits, or only its length. */
export const SHOWN = ['plain', 'masked', 'hidden'] as const
export type Shown = (typeof SHOWN)[number]

/** A part of a text by its place. A part with its own length has two digits before it, such as the acquirer in 1993's field 56. */
export interface Part {
  readonly name: string
  readonly length: number
  readonly prefixed: boolean
}

export type Structure =
  | { readonly kind: 'parts'; readonly parts: readonly Part[]; readonly repeated: boolean }
  | { readonly kind: 'ber' }
  | {
      readonly kind: 'tlv'
      readonly tag: FixedNumber
      readonly length: FixedNumber
      readonly values: 'hex' | 'ascii' | 'ebcdic'
    }
  | {
      readonly kind: 'bitmap'
      readonly bitmap: BitmapPacking
      readonly fields: ReadonlyMap<number, FieldFormat>
    }

/** Tag or length of a private TLV: digits of text, BCD digits or a binary number in so many bytes. */
export interface FixedNumber {
  readonly as: LengthPrefix['as']
  readonly bytes: number
}

export const BITMAP_PACKINGS = ['raw', 'hex', 'hex-ebcdic'] as const
export type BitmapPacking = (typeof BITMAP_PACKINGS)[number]

export interface FieldFormat {
  /** Number of the field, with that of the sub-field after a dot. */
  readonly id: string
  readonly name: string
  readonly type: FieldType
  /** Length of a fixed field, else the maximum: in digits or characters, sign included; for type b in bytes. */
  readonly length: number
  readonly prefix: LengthPrefix | null
  readonly as: Packing
  readonly odd: OddFiller
  /** Between the parts of a track in text; in BCD it is always the half byte D. */
  readonly separator: '=' | 'D'
  /** Code page of `ebcdic`, also of the sign of x+n beside BCD digits. */
  readonly codePage: Charset
  /** Charset of the sign of x+n beside BCD digits. */
  readonly signCharset: Charset
  readonly show: Shown
  /** Parts or tags that are hidden. */
  readonly secret: readonly string[]
  readonly structure: Structure | null
}

/** A tag, or a sub-field of a nested field, with its value: hexadecimal for bytes. */
export interface SubField {
  readonly id: string
  readonly value: string
}

/**
 * Value of a field. Digits and text are as written; a track has `=` as separator; bytes are hexadecimal in capitals. Fields with
 * tags or a bitmap of their own are lists.
 */
export type FieldValue = string | readonly SubField[]

/** The format as it is usually written: `n..19`, `an 12`. */
export function formatText({ type, length, prefix }: FieldFormat): string {
  if (prefix !== null) return `${type}..${length}`
  return `${type} ${type === 'x+n' ? length - 1 : length}`
}
