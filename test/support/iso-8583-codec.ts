// test/support/iso-8583-codec.ts — the codec iso_8583 with the types of what the tests use. It packs ASCII with raw bitmaps.
// @ts-expect-error The package has no types.
import Iso8583 from 'iso_8583'
// @ts-expect-error The same.
import formats from 'iso_8583/lib/formats.js'

/** Type, name and lengths of a field. Bytes are counted as hexadecimal digits. */
export interface OtherFormat {
  readonly ContentType: string
  readonly Label: string
  readonly LenType: 'fixed' | 'llvar' | 'lllvar'
  readonly MaxLen: number
}

interface OtherCodec {
  /** A length of two bytes, type, both bitmaps, fields. An object with `error` when it refuses. */
  getBufferMessage(): Buffer | { readonly error: string }
  getIsoJSON(bytes: Buffer, options: { readonly lenHeader: boolean }): Readonly<Record<string, string>>
}

const OtherCodec = Iso8583 as new (
  message: Readonly<Record<number, unknown>>,
  formats: Readonly<Record<number, OtherFormat>>,
) => OtherCodec

/** @param message type as field 0 */
export function otherCodec(
  message: Readonly<Record<number, unknown>>,
  formats: Readonly<Record<number, OtherFormat>>,
): OtherCodec {
  return new OtherCodec(message, formats)
}

/** Its own table of the fields of 1987. */
export const otherFormats = formats as Readonly<Record<number, OtherFormat>>
