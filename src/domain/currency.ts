// src/domain/currency.ts — ISO 4217 currencies by number, with their decimals. A test compares the table with an
// independently published list.

import { type Money, money } from './money.ts'

/**
 * Edition of the standard that the table has. Compare it with the list of the maintenance agency (SIX, "List One") and its
 * amendments before each release; `tollgate doctor` warns when `comparedOn` is more than a year ago.
 */
export const CURRENCY_LIST = {
  /** The newest amendment that changes a currency of the table: Bulgaria pays in euros. */
  amendment: 180,
  /** The date on the list. */
  publishedOn: '2026-09-17',
  comparedOn: '2026-11-29',
} as const

/** Alphabetic code by numeric code. Funds codes, metals and test codes are left out: no shop is paid in them. */
const CURRENT: Readonly<Record<string, string>> = {
  '784': 'AED',
  '971': 'AFN',
  '008': 'ALL',
  '051': 'AMD',
  '532': 'XCG',
  '973': 'AOA',
  '032': 'ARS',
  '036': 'AUD',
  '533': 'AWG',
  '944': 'AZN',
  '977': 'BAM',
  '052': 'BBD',
  '050': 'BDT',
  '048': 'BHD',
  '108': 'BIF',
  '060': 'BMD',
  '096': 'BND',
  '068': 'BOB',
  '986': 'BRL',
  '044': 'BSD',
  '064': 'BTN',
  '072': 'BWP',
  '933': 'BYN',
  '084': 'BZD',
  '124': 'CAD',
  '976': 'CDF',
  '756': 'CHF',
  '152': 'CLP',
  '156': 'CNY',
  '170': 'COP',
  '188': 'CRC',
  '192': 'CUP',
  '132': 'CVE',
  '203': 'CZK',
  '262': 'DJF',
  '208': 'DKK',
  '214': 'DOP',
  '012': 'DZD',
  '818': 'EGP',
  '232': 'ERN',
  '230': 'ETB',
  '978': 'EUR',
  '242': 'FJD',
  '238': 'FKP',
  '826': 'GBP',
  '981': 'GEL',
  '936': 'GHS',
  '292': 'GIP',
  '270': 'GMD',
  '324': 'GNF',
  '320': 'GTQ',
  '328': 'GYD',
  '344': 'HKD',
  '340': 'HNL',
  '332': 'HTG',
  '348': 'HUF',
  '360': 'IDR',
  '376': 'ILS',
  '356': 'INR',
  '368': 'IQD',
  '364': 'IRR',
  '352': 'ISK',
  '388': 'JMD',
  '400': 'JOD',
  '392': 'JPY',
  '404': 'KES',
  '417': 'KGS',
  '116': 'KHR',
  '174': 'KMF',
  '408': 'KPW',
  '410': 'KRW',
  '414': 'KWD',
  '136': 'KYD',
  '398': 'KZT',
  '418': 'LAK',
  '422': 'LBP',
  '144': 'LKR',
  '430': 'LRD',
  '426': 'LSL',
  '434': 'LYD',
  '504': 'MAD',
  '498': 'MDL',
  '969': 'MGA',
  '807': 'MKD',
  '104': 'MMK',
  '496': 'MNT',
  '446': 'MOP',
  '929': 'MRU',
  '480': 'MUR',
  '462': 'MVR',
  '454': 'MWK',
  '484': 'MXN',
  '458': 'MYR',
  '943': 'MZN',
  '516': 'NAD',
  '566': 'NGN',
  '558': 'NIO',
  '578': 'NOK',
  '524': 'NPR',
  '554': 'NZD',
  '512': 'OMR',
  '590': 'PAB',
  '604': 'PEN',
  '598': 'PGK',
  '608': 'PHP',
  '586': 'PKR',
  '985': 'PLN',
  '600': 'PYG',
  '634': 'QAR',
  '946': 'RON',
  '941': 'RSD',
  '643': 'RUB',
  '646': 'RWF',
  '682': 'SAR',
  '090': 'SBD',
  '690': 'SCR',
  '938': 'SDG',
  '752': 'SEK',
  '702': 'SGD',
  '654': 'SHP',
  '925': 'SLE',
  '706': 'SOS',
  '968': 'SRD',
  '728': 'SSP',
  '930': 'STN',
  '222': 'SVC',
  '760': 'SYP',
  '748': 'SZL',
  '764': 'THB',
  '972': 'TJS',
  '934': 'TMT',
  '788': 'TND',
  '776': 'TOP',
  '949': 'TRY',
  '780': 'TTD',
  '901': 'TWD',
  '834': 'TZS',
  '980': 'UAH',
  '800': 'UGX',
  '840': 'USD',
  '858': 'UYU',
  '860': 'UZS',
  '926': 'VED',
  '928': 'VES',
  '704': 'VND',
  '548': 'VUV',
  '882': 'WST',
  '950': 'XAF',
  '951': 'XCD',
  '952': 'XOF',
  '953': 'XPF',
  '886': 'YER',
  '710': 'ZAR',
  '967': 'ZMW',
  '924': 'ZWG',
}

/** Withdrawn currencies, for orders that were paid in them. New orders are refused. */
const WITHDRAWN: Readonly<Record<string, string>> = {
  /** Since 2021-06-30, amendment 178. */
  '931': 'CUC',
  /** Since 2026-01-01, amendment 180. */
  '975': 'BGN',
}

const LETTERS = { ...CURRENT, ...WITHDRAWN }

/** Decimals of currencies that do not have two. */
const DECIMALS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
}

export interface Currency {
  /** Three digits, as in the online API. */
  readonly numeric: string
  /** Three letters, as used by acquirers and people. */
  readonly code: string
  /** Decimals of the minor unit. */
  readonly decimals: number
  /** No longer legal tender: money of earlier orders still moves, new orders are refused. */
  readonly withdrawn: boolean
}

/** The currency with this number, or null. */
export function currencyOf(numeric: string): Currency | null {
  const code = Object.hasOwn(LETTERS, numeric) ? LETTERS[numeric] : undefined
  if (code === undefined) return null
  return { numeric, code, decimals: decimalsOf(code), withdrawn: Object.hasOwn(WITHDRAWN, numeric) }
}

/** The amount of an online order, whose currency is a number. A currency that is not in the table keeps its number. */
export function onlineAmountOf(order: { readonly amountMinor: number; readonly currencyCode: string }): Money {
  return money(order.amountMinor, currencyOf(order.currencyCode)?.code ?? order.currencyCode)
}

/** All currencies, withdrawn ones too, by number. */
export function currencies(): readonly Currency[] {
  return Object.keys(LETTERS).flatMap(numeric => currencyOf(numeric) ?? [])
}

/** Decimals of a currency, by its letters. */
export function decimalsOf(code: string): number {
  return DECIMALS[code] ?? 2
}

/** An amount as people read it: `GBP 25.99`. */
export function moneyText({ minor, currency }: Money): string {
  return `${currency} ${amountText(minor, { decimals: decimalsOf(currency) })}`
}

/** `2599` of a currency with two decimals → `25.99`; with none → `2599`. */
export function amountText(amountMinor: number, { decimals }: Pick<Currency, 'decimals'>): string {
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0')
  const sign = amountMinor < 0 ? '-' : ''
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
