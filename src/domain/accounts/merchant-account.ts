// src/domain/accounts/merchant-account.ts — the business being paid. It owns keys, terminals, tables and transactions.
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { TerminalCurrency } from '../money.ts'
import type { Refusal } from '../refusals.ts'

export type AccountStatus = 'enabled' | 'revoked'
type EventType = AccountEvent['type']

export const TRANSITIONS: Transitions<AccountStatus, EventType> = {
  enabled: { configured: 'enabled', merchant_hosts_set: 'enabled', revoked: 'revoked' },
  revoked: {},
}

/** Most hosts of an account: more than a shop has, and few enough for a header that lists them. */
export const MOST_MERCHANT_HOSTS = 20

/** Facts about the business, for receipts and routing. */
export interface AccountProfile {
  /** Shop name, the first line of a receipt. */
  readonly name: string
  readonly address: string
  /** Merchant number at the acquirer, digits; receipts show its last four. */
  readonly merchantNumber: string
  readonly currency: TerminalCurrency
  /** IANA time zone of the site: the zone of `transactionTime`. */
  readonly timeZone: string
  /** A shared account whose key is public. */
  readonly public: boolean
  /** Hosts of its web shops, in lower case. Absent in accounts that older versions created. */
  readonly merchantHosts?: readonly string[]
  /** Name of its acquirer; absent for the default. Never changes, because orders are reversed where they were placed. ADR 46. */
  readonly acquirer?: string
  /** Name of its directory server; absent for the gateway's default. */
  readonly directoryServer?: string
}

export interface MerchantAccount extends AccountProfile {
  readonly id: string
  /** API version for requests that name none; null for the gateway's setting. */
  readonly defaultVersion: string | null
  readonly status: AccountStatus
  readonly version: number
  readonly createdAt: number
}

export type AccountCommand =
  | { readonly type: 'create'; readonly id: string; readonly profile: AccountProfile }
  | { readonly type: 'configure'; readonly defaultVersion: string | null }
  | { readonly type: 'set_merchant_hosts'; readonly merchantHosts: readonly string[] }
  | { readonly type: 'revoke' }
export type AccountEvent =
  | { readonly type: 'created'; readonly id: string; readonly profile: AccountProfile }
  | { readonly type: 'configured'; readonly defaultVersion: string | null }
  | { readonly type: 'merchant_hosts_set'; readonly merchantHosts: readonly string[] }
  | { readonly type: 'revoked' }

/** Decides a command. Revoking twice changes nothing. */
export function decide(record: MerchantAccount | null, command: AccountCommand): Decision<AccountEvent, Refusal> {
  switch (command.type) {
    case 'create':
      if (record !== null) return { refused: { code: 'already_exists', field: command.id } }
      return { events: [{ type: 'created', id: command.id, profile: command.profile }] }
    case 'configure':
      if (record === null || !accepts(TRANSITIONS, record.status, 'configured'))
        return { refused: { code: 'account_unknown' } }
      return { events: [{ type: 'configured', defaultVersion: command.defaultVersion }] }
    case 'set_merchant_hosts':
      if (record === null || !accepts(TRANSITIONS, record.status, 'merchant_hosts_set'))
        return { refused: { code: 'account_unknown' } }
      return { events: [{ type: 'merchant_hosts_set', merchantHosts: command.merchantHosts }] }
    case 'revoke':
      if (record === null) return { refused: { code: 'account_unknown' } }
      return { events: accepts(TRANSITIONS, record.status, 'revoked') ? [{ type: 'revoked' }] : [] }
  }
}

/** Folds one event into the record. */
export function apply(record: MerchantAccount | null, envelope: EventEnvelope<AccountEvent>): MerchantAccount {
  const { event, at } = envelope
  if (event.type === 'created')
    return { ...event.profile, id: event.id, defaultVersion: null, status: 'enabled', version: 1, createdAt: at }
  if (record === null) throw new Error(`${event.type} before created`)
  return {
    ...record,
    defaultVersion: event.type === 'configured' ? event.defaultVersion : record.defaultVersion,
    ...(event.type === 'merchant_hosts_set' ? { merchantHosts: event.merchantHosts } : {}),
    status: next(TRANSITIONS, record.status, event.type),
    version: record.version + 1,
  }
}

/** Several words, or an address without a host: `hostIn` takes the first word, or the scheme. */
const NO_HOST = /\S\s+\S|^\s*[a-z][a-z0-9+.-]*:\/\/\s*(?:[/?#:]|$)/i

/** The lower-case host of a web shop, given as a name or an address; null when it is neither. */
export function merchantHostIn(text: string): string | null {
  return NO_HOST.test(text) ? null : hostIn(text)
}

/** Extracts the lower-case host from a `merchantUrl`, which may be a bare host or a URL; null when it has none. */
export function hostIn(text: string): string | null {
  const [, host = ''] = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@?#]*@)?([^/:?#\s]+)/i.exec(text) ?? []
  const plain = host.toLowerCase().replace(/\.$/, '')
  return /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?$/.test(plain) ? plain : null
}
