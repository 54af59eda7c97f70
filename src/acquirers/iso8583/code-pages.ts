// src/acquirers/iso8583/code-pages.ts — text in ASCII and EBCDIC, one byte a character.

export const CODE_PAGES = ['037', '500', '1047'] as const
export type CodePage = (typeof CODE_PAGES)[number]
export type Charset = 'ascii' | CodePage

/** Characters of text fields: those of Latin-1 that are printed. Control characters would reach receipts and screens. */
const PRINTED = /^[\x20-\x7e\xa0-\xff]$/

/** Bytes 40 to FE of code page 037. */
const CODE_PAGE_037 =
  ' \u00a0âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@\'="Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®' +
  '^£¥·©§¶¼½¾[]¯¨´×{ABCDEFGHI\u00adôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ'
const FIRST_EBCDIC = 0x40

/** Where the other code pages differ from 037. */
const DIFFERENCES: Readonly<Record<CodePage, Readonly<Record<number, string>>>> = {
  '037': {},
  '500': { 74: '[', 79: '!', 90: ']', 95: '^', 176: '¢', 186: '¬', 187: '|' },
  '1047': { 95: '^', 173: '[', 176: '¬', 186: 'Ý', 187: '¨', 189: ']' },
}

const CHARACTERS: Readonly<Record<Charset, readonly (string | null)[]>> = {
  ascii: tableOf(byte => String.fromCharCode(byte)),
  '037': tableOf(byte => ebcdic('037', byte)),
  '500': tableOf(byte => ebcdic('500', byte)),
  '1047': tableOf(byte => ebcdic('1047', byte)),
}
const BYTES: Readonly<Record<Charset, ReadonlyMap<string, number>>> = {
  ascii: bytesOf('ascii'),
  '037': bytesOf('037'),
  '500': bytesOf('500'),
  '1047': bytesOf('1047'),
}

/** The text of bytes, or the index of the first byte that is no printed character. */
export function decodeText(charset: Charset, bytes: Uint8Array): string | { readonly wrongAt: number } {
  let text = ''
  for (const [index, byte] of bytes.entries()) {
    const character = CHARACTERS[charset][byte] ?? null
    if (character === null) return { wrongAt: index }
    text += character
  }
  return text
}

/** The bytes of a text, or the index of the first character that the charset does not have. */
export function encodeText(charset: Charset, text: string): Uint8Array | { readonly wrongAt: number } {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index += 1) {
    const byte = BYTES[charset].get(text.charAt(index))
    if (byte === undefined) return { wrongAt: index }
    bytes[index] = byte
  }
  return bytes
}

function ebcdic(page: CodePage, byte: number): string | null {
  return DIFFERENCES[page][byte] ?? (byte < FIRST_EBCDIC ? null : (CODE_PAGE_037[byte - FIRST_EBCDIC] ?? null))
}

function tableOf(characterOf: (byte: number) => string | null): readonly (string | null)[] {
  return Array.from({ length: 256 }, (_, byte) => {
    const character = characterOf(byte)
    return character !== null && PRINTED.test(character) ? character : null
  })
}

function bytesOf(charset: Charset): ReadonlyMap<string, number> {
  return new Map(
    CHARACTERS[charset].flatMap((character, byte) => (character === null ? [] : [[character, byte] as const])),
  )
}
