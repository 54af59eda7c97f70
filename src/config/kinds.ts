// src/config/kinds.ts — parsers for the values of settings.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Reads the text of a setting. */
export interface Kind<Value> {
  /** Completes the sentence "NAME must be …". */
  readonly allowed: string
  /** Parses `text`. Undefined when it is not allowed. */
  parse(text: string): Value | undefined
}

/** A whole number within limits, both included. */
export function integer(from: number, to: number): Kind<number> {
  return {
    allowed: `a whole number from ${from} to ${to}`,
    parse: text => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= from && value <= to ? value : undefined
    },
  }
}

/** An enumerated word. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    allowed: words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`,
    parse: text => words.find(word => word === text),
  }
}

/** `true` or `false`, or other words for them. */
export function toggle(yes = 'true', no = 'false'): Kind<boolean> {
  return {
    allowed: `${yes} or ${no}`,
    parse: text => (text === yes ? true : text === no ? false : undefined),
  }
}

export const HOST: Kind<string> = {
  allowed: 'a host name or an IP address',
  parse: text => (isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined),
}

/** An address by which other nodes reach this one. Port 0 takes any free one. */
export const NODE_ADDRESS: Kind<{ readonly host: string; readonly port: number }> = {
  allowed: 'host:port such as 10.0.0.5:4021 or [fd00::5]:4021, by which other nodes reach this one',
  parse: text => {
    const [, v6, name, digits = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/i.exec(text) ?? []
    const host = v6 ?? HOST.parse(name ?? '')
    const port = Number(digits)
    if (host === undefined || digits === '' || port > 65_535 || (v6 !== undefined && isIP(v6) !== 6)) return undefined
    // All addresses of a machine are none that another one could call.
    return isIP(host) !== 0 && /^[0:.]+$/.test(host) ? undefined : { host, port }
  },
}

export const PATH: Kind<string> = {
  allowed: 'a path in the file system',
  parse: text => (text === '' || text.includes('\0') ? undefined : text),
}

export const PATHS: Kind<readonly string[]> = {
  allowed: 'a path in the file system, or several separated by commas',
  parse: text => listOf(text, item => PATH.parse(item) !== undefined),
}

/** Base address of the gateway. Slashes at the end are removed, so that a path can be appended. */
export const BASE_URL: Kind<string> = {
  allowed: 'an http or https address without user name, query and fragment',
  parse: text => {
    const url = urlOf(text)
    if (url === undefined || url.username !== '' || url.password !== '') return undefined
    return /[?#]/.test(text) ? undefined : url.href.replace(/\/+$/, '')
  },
}

/** Addresses and networks of trusted proxies. `off` gives none. */
export const NETWORKS: Kind<readonly string[]> = {
  allowed: 'off, or a list of IP addresses and networks such as 10.0.0.0/8, separated by commas',
  parse: text => (text === 'off' ? [] : listOf(text, isNetwork)),
}

/** Origins of web pages that may call. `*` gives all, `off` none. */
export const ORIGINS: Kind<readonly string[] | '*'> = {
  allowed: '*, off, or a list of origins such as https://till.example, separated by commas',
  parse: text => {
    if (text === '*') return '*'
    return text === 'off' ? [] : listOf(text, item => urlOf(item)?.origin === item)
  },
}

export const TIME_ZONE: Kind<string> = {
  allowed: 'a time zone such as Europe/London',
  parse: text => {
    // Newer runtimes also accept offsets such as +01:00, which have no summer time.
    if (!/^[a-z]/i.test(text)) return undefined
    // The list takes a millisecond and a formatter twenty, at each command. It lacks second names, such as UTC.
    if (Intl.supportedValuesOf('timeZone').includes(text)) return text
    try {
      Intl.DateTimeFormat('en-GB', { timeZone: text })
      return text
    } catch {
      return undefined
    }
  },
}

/** A bearer token, long enough not to be guessed. */
export const TOKEN: Kind<string> = {
  allowed: '16 to 256 letters, digits or -._~+/= without spaces',
  parse: text => (/^[\w.~+/=-]{16,256}$/.test(text) ? text : undefined),
}

/** AES-256 keys, the current one first. */
export const KEYS: Kind<readonly Uint8Array[]> = {
  allowed: '32 bytes in base64, which is 44 characters; older keys follow behind commas',
  parse: text => {
    const parts = text.split(/[\s,]+/).filter(part => part !== '')
    if (parts.length === 0 || !parts.every(part => /^[A-Za-z0-9+/]{43}=$/.test(part))) return undefined
    return parts.map(part => Buffer.from(part, 'base64'))
  },
}

/** A list of names and values. Values may be percent-encoded. */
export const PAIRS: Kind<Readonly<Record<string, string>>> = {
  allowed: 'a list such as name=value,other=value, with special characters of values percent-encoded',
  parse: text => {
    const pairs = text.split(',').map(pair => /^\s*([\w.-]+)=([\x21-\x7e]*)\s*$/.exec(pair))
    if (pairs.includes(null)) return undefined
    try {
      return Object.fromEntries(pairs.map(found => [found?.[1] ?? '', printable(decodeURIComponent(found?.[2] ?? ''))]))
    } catch {
      return undefined
    }
  },
}

/** A number from 0 to 1. */
export const RATIO: Kind<number> = {
  allowed: 'a number from 0 to 1',
  parse: text => (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
}

export const SERVICE_NAME: Kind<string> = {
  allowed: '1 to 64 letters, digits or .-_ without spaces',
  parse: text => (/^[\w.-]{1,64}$/.test(text) ? text : undefined),
}

/** @throws Error for text that must not be in a header */
function printable(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new Error('not printable')
  return text
}

function urlOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined
}

function isNetwork(text: string): boolean {
  const { IPv4, IPv6 } = ipaddr
  // `IPv4.isValid` would also accept 127.1 and 0177.0.0.1.
  return text.includes('/')
    ? IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text)
    : IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text)
}

function listOf(text: string, fits: (item: string) => boolean): readonly string[] | undefined {
  const items = text.split(',').map(item => item.trim())
  return items.every(fits) ? items : undefined
}
