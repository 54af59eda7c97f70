// src/three-d-secure/emv/request-values.ts — brings what is known of browser, payer and purchase into the form of an AReq.
import { currencyOf } from '../../domain/currency.ts'

const COLOUR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48] as const

/** The highest colour depth of the specification that is not above that of the browser. */
export function colourDepth(bits: number): string {
  return String(COLOUR_DEPTHS.findLast(depth => depth <= bits) ?? 1)
}

const LONGEST_LANGUAGE = 8

/** A language tag, cut at a hyphen to eight characters: `zh-Hant-TW` is `zh-Hant`. Null when its first part is longer. */
export function browserLanguage(tag: string): string | null {
  const parts = tag.split('-')
  const fitting = parts
    .map((_, index) => parts.slice(0, index + 1).join('-'))
    .filter(cut => cut.length <= LONGEST_LANGUAGE)
  return fitting.at(-1) || null
}

const LONGEST_HEADER = 2048

/** A header of the browser, cut to the length that an AReq has room for. */
export function browserHeader(value: string): string {
  return value.slice(0, LONGEST_HEADER)
}

/** Letters that are not a plain letter with marks. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ß: 'ss', æ: 'ae', Æ: 'AE' },
  ...{ œ: 'oe', Œ: 'OE', ı: 'i', ħ: 'h', Ħ: 'H', ŋ: 'n', Ŋ: 'N', '’': "'", '‘': "'", '–': '-', '—': '-' },
}
const SHORTEST_NAME = 2
const LONGEST_NAME = 45

/** A name in printable ASCII, at most 45 characters; null when letters of it have none: the member is then left out. */
export function cardholderName(name: string): string | null {
  const plain = [...name.normalize('NFD').replace(/\p{M}/gu, '')]
    .map(letter => PLAIN_LETTERS[letter] ?? letter)
    .join('')
  const whole = plain.replace(/\s+/g, ' ').trim()
  if (!/^[\x20-\x7e]+$/.test(whole)) return null
  const cut = whole.slice(0, LONGEST_NAME).trim()
  return cut.length >= SHORTEST_NAME ? cut : null
}

/** Amount, currency, exponent and time of a purchase. */
export interface PurchaseMembers {
  readonly purchaseAmount: string
  readonly purchaseCurrency: string
  readonly purchaseExponent: string
  readonly purchaseDate: string
}

/**
 * @param amountMinor minor units, as ISO 4217 counts them
 * @param currencyNumeric three digits; null is returned for one that the currency table lacks
 * @param at epoch milliseconds
 */
export function purchaseMembers(amountMinor: number, currencyNumeric: string, at: number): PurchaseMembers | null {
  const currency = currencyOf(currencyNumeric)
  if (currency === null || !Number.isSafeInteger(amountMinor) || amountMinor < 0) return null
  return {
    purchaseAmount: String(amountMinor),
    purchaseCurrency: currencyNumeric,
    purchaseExponent: String(currency.decimals),
    purchaseDate: new Date(at)
      .toISOString()
      .replace(/\.\d+Z$/, '')
      .replace(/\D/g, ''),
  }
}

/** A state as in an address: the part of ISO 3166-2 behind the country. Null without a country: it says nothing then. */
export function addressState(state: string, country: string | undefined): string | null {
  const code = state.replace(/^[A-Z]{2}-/, '')
  return country !== undefined && /^[\dA-Z]{1,3}$/i.test(code) ? code : null
}
