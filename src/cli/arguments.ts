// src/cli/arguments.ts — parses arguments of commands. Each parser throws InvalidArgumentError.
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { BASE_URL } from '../config/kinds.ts'
import { KEY_AREAS, type KeyArea, MOST_KEY_TERMINALS } from '../domain/accounts/key-limits.ts'
import { MOST_MERCHANT_HOSTS, merchantHostIn } from '../domain/accounts/merchant-account.ts'
import { TERMINAL_CURRENCIES } from '../domain/money.ts'
import { USER_NAME, USER_NAME_RULE } from '../domain/people/user.ts'
import { RECEIPT_COLUMNS } from '../domain/receipt.ts'
import { meaningOf } from './decimal-amount.ts'

/** Id of an account, which is part of addresses and record names. */
export function accountId(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 40 small letters, digits and hyphens, and not begin with a hyphen.')
}

/** Id of a terminal: eight digits for real ones, also letters for simulated ones. */
export function terminalId(text: string): string {
  if (/^[A-Za-z0-9]{1,20}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 20 letters and digits.')
}

/** Ids of terminals, separated by commas. */
export function terminalIds(text: string): readonly string[] {
  const ids = text.split(',').map(terminalId)
  if (ids.length <= MOST_KEY_TERMINALS) return ids
  throw new InvalidArgumentError(`It must be ${MOST_KEY_TERMINALS} terminals at most.`)
}

/** Areas of API keys, separated by commas. */
export function keyAreas(text: string): readonly KeyArea[] {
  const areas = text.split(',')
  const known = KEY_AREAS.filter(area => areas.includes(area))
  if (areas.every(area => known.some(each => each === area))) return known
  throw new InvalidArgumentError(`It must be one or more of ${KEY_AREAS.join(', ')}, separated by commas.`)
}

/** Name by which a user signs in. */
export function userName(text: string): string {
  const name = text.toLowerCase()
  if (USER_NAME.test(name)) return name
  throw new InvalidArgumentError(`It ${USER_NAME_RULE}`)
}

/** `kid` of a key. */
export function keyName(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits, dots, hyphens and underscores.')
}

/** Hosts of web shops, each given as a name or a URL, with one more. */
export function merchantHosts(text: string, before: readonly string[] = []): readonly string[] {
  const host = merchantHostIn(text)
  if (host === null) throw new InvalidArgumentError('It must be the name of a host, such as shop.example.')
  const hosts = [...new Set([...before, host])]
  if (hosts.length <= MOST_MERCHANT_HOSTS) return hosts
  throw new InvalidArgumentError(`It must be ${MOST_MERCHANT_HOSTS} hosts at most.`)
}

/** Reads a file with a JSON object. */
export function jsonFile(path: string): Readonly<Record<string, unknown>> {
  let content: unknown = null
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // The error may quote a secret, so it is dropped.
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
  throw new InvalidArgumentError('It must be a file that can be read and holds a JSON object.')
}

/** Text of one line, at most 100 characters. */
export function words(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length >= 1 && trimmed.length <= 100 && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new InvalidArgumentError('It must be 1 to 100 characters in one line.')
}

/** A line of a receipt. */
export function receiptLine(text: string): string {
  const line = words(text)
  if (line.length <= RECEIPT_COLUMNS) return line
  throw new InvalidArgumentError(`It must fit in a line of a receipt: ${RECEIPT_COLUMNS} characters.`)
}

export function timeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw new InvalidArgumentError('It must be a time zone such as Europe/London.')
  }
}

/** Base address of a gateway, without a slash at the end. */
export function baseUrl(text: string): string {
  const url = BASE_URL.parse(text)
  if (url !== undefined) return url
  throw new InvalidArgumentError(`It must be ${BASE_URL.allowed}.`)
}

/** Amount in minor units, as on the wire. A decimal point is refused with the number that was meant. */
export function amountMinor(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text)
  const meaning = meaningOf(text, TERMINAL_CURRENCIES)
  throw new InvalidArgumentError(
    meaning === null
      ? 'It must be a whole number of minor units, up to 99999999: 2599 is 25.99.'
      : `Amounts are minor units, without a decimal point: ${meaning}.`,
  )
}

/** `on` and `off`. */
export function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It must be on or off.')
}

/** Duration with its unit, in milliseconds. */
export function duration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})(ms|s|min|h|d)$/.exec(text) ?? []
  const ms = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? '']
  if (digits !== undefined && ms !== undefined) return Number(digits) * ms
  throw new InvalidArgumentError('It must be a number with ms, s, min, h or d, such as 80s.')
}

/** Longest life of a JWT: its key is replaced more often. */
const LONGEST_JWT_MS = 10 * 365 * 86_400_000

/** How long a JWT is valid, in milliseconds. */
export function jwtLife(text: string): number {
  const life = duration(text)
  if (life >= 60_000 && life <= LONGEST_JWT_MS) return life
  throw new InvalidArgumentError('It must be from 1min to 3650d.')
}

/** Milliseconds for each step of a simulated terminal. `default`, the setting of the gateway, gives null. */
export function pace(text: string): number | null {
  if (text === 'default') return null
  if (/^\d{1,5}$/.test(text) && Number(text) <= 60_000) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of milliseconds from 0 to 60000, or default.')
}
