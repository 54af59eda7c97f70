// src/api/parts.ts — dependencies and settings of the API, passed in by the composition root.

import type { CardRules } from '../domain/card-number.ts'
import type { TerminalCurrency } from '../domain/money.ts'
import type { PasswordHash } from '../domain/people/user.ts'
import type { Refusal, RefusalCode } from '../domain/refusals.ts'
import type { Engine } from '../engine/engine.ts'
import type { Feed } from '../engine/feed.ts'
import type { Clock, Clocks } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { NodeLink } from '../engine/ports/node-link.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { Tracing } from '../engine/ports/tracing.ts'
import type { Vault } from '../engine/ports/vault.ts'
import type { Wallets } from '../engine/ports/wallets.ts'
import type { Reports } from '../services/counter/reports.ts'
import type { Transactions } from '../services/counter/transactions.ts'
import type { OnlinePayments } from '../services/online/payments.ts'
import type { People } from '../services/people/people.ts'
import type { PosConnections } from '../services/tables/pos-connections.ts'
import type { Tables } from '../services/tables/tables.ts'
import type { Webhooks } from '../services/webhooks/webhooks.ts'
import type { Interceptor } from './interceptor.ts'
import type { GatewayKey } from './merchant-jwt.ts'
import type { RequestRecorder } from './requests/recording.ts'

export interface ApiParts {
  readonly engine: Engine
  readonly store: Store
  readonly feed: Feed
  readonly clock: Clock
  /** Clock of each account. Record times and limits use it. ADR 13. */
  readonly clocks: Clocks
  readonly random: Random
  readonly log: Log
  readonly transactions: Transactions
  readonly reports: Reports
  readonly tables: Tables
  /** Connections of POS table providers (tills that store their own tables). */
  readonly posConnections: PosConnections
  readonly webhooks: Webhooks
  readonly online: OnlinePayments
  readonly vault: Vault
  /** Null disables wallets. */
  readonly wallets: Wallets | null
  readonly cardRules: CardRules
  /** Public keys that verify the gateway's own JWTs. */
  readonly gatewayKeys: readonly GatewayKey[]
  readonly metrics: HttpMetrics
  /** Null when tracing is off. */
  readonly tracing: Tracing | null
  /** Calls to other nodes of the gateway. Default: there is no other. */
  readonly link?: NodeLink
  /** The simulator's hook around requests; NO_INTERCEPTOR in live mode. */
  readonly interceptor: Interceptor
  /** Dependencies of the demo shop; absent in live mode. */
  readonly demo?: DemoParts
  /** Opens a private test account; null in live mode. */
  readonly openTestAccount: OpenTestAccount | null
  /** Cost of new passwords. Default: the usual one, which takes a fifth of a second. */
  readonly passwordCost?: PasswordHash['cost']
  readonly settings: ApiSettings
  /**
   * Base addresses by which other machines of its networks reach the gateway. Default, and when it listens to this machine only: none.
   */
  readonly networkUrls?: () => readonly string[]
  /** Reasons why the gateway is not ready, one sentence each. Empty when it is ready. */
  ready(): readonly string[]
}

/** The parts with what the API itself adds for both transports. */
export interface ServingParts extends ApiParts {
  readonly requests: RequestRecorder
  /** Users of accounts, their sessions and the audit log. */
  readonly people: People
}

export interface ApiSettings {
  readonly mode: 'sandbox' | 'live'
  /** Base of all addresses in answers, without a slash at the end. Null uses the host of the request. */
  readonly publicUrl: string | null
  /** Address of the console, when it has a host of its own. Null: any address of the gateway. */
  readonly consoleUrl: string | null
  /** Addresses and networks whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** API version for requests that name none. */
  readonly defaultVersion: string
  /** Whether requests that name a version with partner headers must have them. */
  readonly partnerHeaders: 'require' | 'accept'
  /** Whether a COMPLETION must have `amountPreAuthorisedTotal`. */
  readonly strictCompletion: boolean
  /** How long finished records can be read on the connect interface, in milliseconds after their end. */
  readonly retentionMs: number
  /** Shortest time between two connect requests of one API key, in milliseconds. 0 sets no limit. */
  readonly pauseMs: number
  /** Calls of an account's web shop per second. 0 sets no limit. */
  readonly shopCallsPerSecond: number
  /** Origins of web pages that may call. */
  readonly corsOrigins: readonly string[] | '*'
  readonly bodyLimitBytes: number
  /** Whether the latest requests of accounts are kept in memory for /api/requests. */
  readonly recordRequests: boolean
  /** Bearer token of /metrics. Null: open in a sandbox, absent in live mode. */
  readonly metricsToken: string | null
  /** Key of the command line beside the gateway, for what no API key may do. Null when API keys may do it. */
  readonly closingKey: string | null
  readonly programVersion: string
  /** The public test account and its key, for the examples on the pages. Null when there is none. */
  readonly publicKey: { readonly account: string; readonly key: string } | null
}

/** A test card shown by the demo shop. */
export interface DemoCard {
  readonly number: string
  /** Null when any expiry date works. */
  readonly expiry: string | null
  readonly securityCode: string
  /** Name on the card; null when any name works. Of two cards with one number it decides. */
  readonly holder: string | null
  /** Status code of a payment with the card. */
  readonly expected: number
  readonly mode: string
  /** Password for the issuer's page; null when it asks for none. */
  readonly password: string | null
}

/** Dependencies of the demo shop, which authenticates like any merchant. */
export interface DemoParts {
  /** Test cards shown on its page. */
  readonly cards: readonly DemoCard[]
  /** Returns a JWT for the gateway at the address `audience`. */
  jwt(audience: string): Promise<string>
  /** Where it keeps its orders; absent for memory only. */
  readonly orders?: {
    read(): Promise<string | null>
    write(text: string): Promise<void>
  }
}

/** Metrics of HTTP requests. */
export interface HttpMetrics {
  /** Records a request. `operation` is an operation's name, never a path. */
  observe(operation: string, status: number, seconds: number): void
  /** Counts a refused request whose log line was left out. */
  refusalLineDropped(): void
  /** Counts a refusal, over HTTP or a socket. */
  refused(code: RefusalCode): void
  text(): Promise<string>
  readonly contentType: string
}

export interface TestAccountRequest {
  readonly name: string
  readonly currency: TerminalCurrency
  readonly timeZone: string | null
  /** Hosts of its web shops, in lower case. Null for the sandbox's. */
  readonly merchantHosts: readonly string[] | null
  /** Address of the gateway, which the JWT names. */
  readonly audience: string
}

export interface TestAccount {
  readonly account: string
  /** The API key, returned only here. */
  readonly key: string
  /** Id of the API key, which JWTs name. */
  readonly keyId: string
  /** JWT of its web shop. */
  readonly jwt: string
  readonly merchantHosts: readonly string[]
  readonly terminals: readonly string[]
}

export type OpenTestAccount = (requested: TestAccountRequest) => Promise<TestAccount | { readonly refused: Refusal }>
