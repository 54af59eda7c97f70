// src/api/parts.ts — what the API gets from the composition root.

import type { CardRules } from '../domain/card-number.ts'
import type { TerminalCurrency } from '../domain/money.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { Engine } from '../engine/engine.ts'
import type { Feed } from '../engine/feed.ts'
import type { Clock, Clocks } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { Vault } from '../engine/ports/vault.ts'
import type { Wallets } from '../engine/ports/wallets.ts'
import type { Reports } from '../services/counter/reports.ts'
import type { Transactions } from '../services/counter/transactions.ts'
import type { OnlinePayments } from '../services/online/payments.ts'
import type { PosConnections } from '../services/tables/pos-connections.ts'
import type { Tables } from '../services/tables/tables.ts'
import type { Webhooks } from '../services/webhooks/webhooks.ts'
import type { Interceptor } from './interceptor.ts'
import type { GatewayKey } from './merchant-jwt.ts'

export interface ApiParts {
  readonly engine: Engine
  readonly store: Store
  readonly feed: Feed
  readonly clock: Clock
  /** Which clock an account lives by: what its records and limits are told by. */
  readonly clocks: Clocks
  readonly random: Random
  readonly log: Log
  readonly transactions: Transactions
  readonly reports: Reports
  readonly tables: Tables
  /** Tills that keep their tables themselves. */
  readonly posConnections: PosConnections
  readonly webhooks: Webhooks
  readonly online: OnlinePayments
  readonly vault: Vault
  /** Null: none can be set up. */
  readonly wallets: Wallets | null
  readonly cardRules: CardRules
  /** Public keys by which the JWTs are known that the gateway itself has made. */
  readonly gatewayKeys: readonly GatewayKey[]
  readonly metrics: HttpMetrics
  /** Between callers and the gateway: the simulator, or nothing. */
  readonly interceptor: Interceptor
  /** What the demo shop works with; absent in live mode. */
  readonly demo?: DemoParts
  /** Opens a private test account; null in live mode. */
  readonly openTestAccount: OpenTestAccount | null
  readonly settings: ApiSettings
  /** What keeps the gateway from taking work, a sentence each; empty when it is ready. */
  ready(): readonly string[]
}

export interface ApiSettings {
  readonly mode: 'sandbox' | 'live'
  /** Base of every address in an answer, without a slash at the end; null: the host of the request. */
  readonly publicUrl: string | null
  /** Addresses and networks whose X-Forwarded headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Answers where a request names no version. */
  readonly defaultVersion: string
  /** Whether a request that names v2 must say who made and who installed the till. */
  readonly partnerHeaders: 'require' | 'accept'
  /** Whether a COMPLETION must bear `amountPreAuthorisedTotal`. */
  readonly strictCompletion: boolean
  /** How long what has finished can be read on the connect interface, in milliseconds after its end. */
  readonly retentionMs: number
  /** Shortest time between two requests of one key there, in milliseconds; 0: any. */
  readonly pauseMs: number
  /** Calls that one account's web shop may make in a second; 0: any number. */
  readonly shopCallsPerSecond: number
  /** Web pages whose scripts may call. */
  readonly corsOrigins: readonly string[] | '*'
  readonly bodyLimitBytes: number
  /** What /metrics asks for; null: open in sandbox, absent in live mode. */
  readonly metricsToken: string | null
  readonly programVersion: string
  /** A public test account and its key, for the examples on the pages; null where there is none. */
  readonly publicKey: { readonly account: string; readonly key: string } | null
}

/** A test card on the page of the demo shop. */
export interface DemoCard {
  readonly number: string
  /** Null: any. */
  readonly expiry: string | null
  readonly securityCode: string
  /** The status code of a payment with it. */
  readonly expected: number
  readonly mode: string
  /** What its payer types in on the bank's page, or null. */
  readonly password: string | null
}

/** The demo shop is a merchant: it has a JWT like any other. */
export interface DemoParts {
  /** Shown on its page: number, and what its issuer answers. */
  readonly cards: readonly DemoCard[]
  /** For a gateway under this address. */
  jwt(audience: string): Promise<string>
}

/** Figures about requests. */
export interface HttpMetrics {
  /** `operation` is an operation's name, never a path. */
  observe(operation: string, status: number, seconds: number): void
  text(): Promise<string>
  readonly contentType: string
}

export interface TestAccountRequest {
  readonly name: string
  readonly currency: TerminalCurrency
  readonly timeZone: string | null
}

export interface TestAccount {
  readonly account: string
  /** Shown once. */
  readonly key: string
  readonly terminals: readonly string[]
}

export type OpenTestAccount = (requested: TestAccountRequest) => Promise<TestAccount | { readonly refused: Refusal }>
