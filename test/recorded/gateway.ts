// test/recorded/gateway.ts — opens a gateway for recorded exchanges. The only file here that imports its internals.

import type { AddressInfo } from 'node:net'
import { publish } from '../../src/api/describe/published-messages.ts'
import { NO_INTERCEPTOR } from '../../src/api/interceptor.ts'
import { API_VERSIONS, addressesOf } from '../../src/api/versions/select.ts'
import { SOCKET_VERSIONS, schemasOf } from '../../src/api/versions/socket-versions.ts'
import { testAccountsOf } from '../../src/cli/test-accounts.ts'
import { REFUSALS } from '../../src/domain/refusals.ts'
import { API_KEY } from '../../src/engine/machines.ts'
import type { Wallets } from '../../src/engine/ports/wallets.ts'
import { createWebhookSender } from '../../src/platform/webhook-sender.ts'
import { ONLINE_TEST_CARDS } from '../../src/simulator/cards/online-test-cards.ts'
import { jwtFor, signJwtOf } from '../support/merchant-jwts.ts'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { openShop, type ShopOptions } from '../support/shop.ts'

/** Settings of the gateway. Everything else is as in a new sandbox. */
export interface Setup {
  readonly live?: true
  readonly corsOrigins?: readonly string[]
  readonly metricsToken?: string
  readonly trustedProxies?: readonly string[]
  readonly defaultVersion?: string
  readonly partnerHeaders?: 'accept'
  /** Minimum interval between two requests of a key. */
  readonly pauseMs?: number
  readonly shopCallsPerSecond?: number
  readonly bodyLimitBytes?: number
  readonly testAccountsPerHour?: number
  readonly socketsPerAccount?: number
  readonly messagesPerSecond?: number
  readonly messageBytes?: number
  readonly requestsAtOnce?: number
  readonly eventStreamsPerAccount?: number
  /** Retention of finished transactions, milliseconds. */
  readonly retentionMs?: number
  /** A wallet with real keys, and whether its provider answers. */
  readonly wallet?: 'answers' | 'silent'
}

export interface GatewayRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}

export interface GatewayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

type Claims = Readonly<Record<string, unknown>>

export interface Gateway {
  /** Injects a request without a socket. */
  send(request: GatewayRequest): Promise<GatewayAnswer>
  /** Port on 127.0.0.1. The first call starts listening. */
  port(): Promise<number>
  /** Advances the clock. */
  advance(ms: number): Promise<void>
  /** Resolves when all work that needs no time is done. */
  settle(): Promise<void>
  /** A JWT of the account `demo`. */
  jwt(uniqueKeys?: Claims, header?: Claims): string
  /** Revokes the account `demo`, as the command line does. */
  revokeAccount(): Promise<void>
  /** Stops the gateway. Requests in progress are still answered. */
  stop(): Promise<void>
}

/** Opens a gateway on a frozen clock, and closes it at the end of the test. `seed`: of all random values. */
export async function openGateway(setup: Setup, seed: number): Promise<Gateway> {
  const late = { apiKey: '' }
  const jwt: Gateway['jwt'] = (uniqueKeys = {}, header = {}) =>
    jwtFor(late.apiKey, { uniqueKeys: { aud: 'http://pay.example', ...uniqueKeys }, header })
  let webhookSender: ReturnType<typeof createWebhookSender> | null = null
  const options = optionsOf(setup)
  const shop = await openShop({
    ...options,
    seed,
    webhookSender: {
      post(message) {
        webhookSender ??= createWebhookSender({ privateAllowed: true, clock: shop.clock })
        return webhookSender.post(message)
      },
    },
    parts: {
      ...options.parts,
      demo: { cards: ONLINE_TEST_CARDS, jwt: async audience => jwt({ aud: audience }) },
      openTestAccount: requested =>
        testAccountsOf({
          provisioning: shop.gateway.provisioning,
          random: new SeededRandom(seed),
          defaultZone: 'Europe/London',
          signJwt: signJwtOf(shop.store),
        })(requested),
    },
  })
  const [key] = await shop.store.list('demo', { kind: API_KEY.kind, limit: 1 })
  late.apiKey = key?.id ?? ''
  return {
    async send({ method, url, headers, payload }) {
      const answer = await shop.api.inject({
        ...{ method: method as 'GET', url, headers: { ...headers } },
        ...(payload === undefined ? {} : { payload: Buffer.from(payload) }),
      })
      return { status: answer.statusCode, headers: answer.headers, text: answer.payload }
    },
    async port() {
      const address = shop.api.server.address() as AddressInfo | null
      return address?.port ?? (await shop.api.listen({ host: '127.0.0.1', port: 0 })).port
    },
    advance: ms => shop.clock.advance(ms),
    settle: shop.settle,
    jwt,
    revokeAccount: async () => void (await shop.gateway.provisioning.revokeAccount('demo')),
    stop: () => shop.api.close(),
  }
}

function optionsOf(setup: Setup): ShopOptions {
  const { corsOrigins, metricsToken, trustedProxies, defaultVersion, partnerHeaders, pauseMs, retentionMs } = setup
  const { shopCallsPerSecond, bodyLimitBytes } = setup
  const settings = {
    ...(setup.live ? { mode: 'live', publicKey: null, publicUrl: 'http://pay.example' } : {}),
    ...{ corsOrigins, metricsToken, trustedProxies, defaultVersion, partnerHeaders, pauseMs, retentionMs },
    ...{ shopCallsPerSecond, bodyLimitBytes },
  }
  const limits = {
    // The clock stands still while a till sends many messages.
    messagesPerSecond: setup.messagesPerSecond ?? 1_000_000,
    testAccountsPerHour: setup.testAccountsPerHour,
    tillsPerAccount: setup.socketsPerAccount,
    messageBytes: setup.messageBytes,
    inFlight: setup.requestsAtOnce,
    streamsPerAccount: setup.eventStreamsPerAccount,
  }
  const parts = {
    ...(setup.live ? { interceptor: NO_INTERCEPTOR } : {}),
    ...(setup.wallet === undefined ? {} : { wallets: walletsOf(setup.wallet) }),
  }
  return {
    settings: given(settings) as NonNullable<ShopOptions['settings']>,
    limits: given(limits) as NonNullable<ShopOptions['limits']>,
    parts,
  }
}

/** A wallet without its provider: calls to it would leave the machine. */
function walletsOf(wallet: NonNullable<Setup['wallet']>): Wallets {
  return {
    testSheet: false,
    offered: () => ['APPLE_PAY'],
    sheets: () => ({ googlePay: null, applePay: { displayName: 'Harbour', countryCode: 'GB' } }),
    open: async () => ({ refused: 'not_configured' }),
    merchantSession: async () =>
      wallet === 'answers' ? { session: { nonce: 'n' } } : { refused: 'no_session', reason: 'No answer.' },
  }
}

function given(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** An operation, as callers see it. */
export interface KnownOperation {
  readonly name: string
  /** Whether it is answered in the caller's version of the terminal interface. */
  readonly versioned: boolean
  readonly method: string
  /** All its paths, as patterns. */
  readonly paths: readonly string[]
  readonly statuses: readonly number[]
}

/** All operations of the gateway. */
export function knownOperations(): readonly KnownOperation[] {
  return ALL_OPERATIONS.map(({ name, area, method, path, responses }) => ({
    ...{ name, method, versioned: area === 'connect', paths: addressesOf(path) },
    statuses: Object.keys(responses).map(Number),
  }))
}

/** HTTP versions of the terminal interface. */
export function knownVersions(): readonly string[] {
  return API_VERSIONS.map(({ version }) => version)
}

/** WebSocket messages by version: methods that tills call, and requests and notifications that the gateway sends. */
export function knownMessages(): readonly {
  readonly version: string
  readonly methods: readonly string[]
  readonly pushes: readonly string[]
}[] {
  const methods = ALL_OPERATIONS.flatMap(({ rpc }) => rpc ?? [])
  return SOCKET_VERSIONS.map(apiVersion => {
    const published = publish(apiVersion.version, schemasOf(apiVersion, methods))
    const names = (list: readonly { readonly form: { readonly name: string } }[]) => list.map(({ form }) => form.name)
    return {
      version: apiVersion.version,
      methods: names(published.methods),
      pushes: [...names(published.pushes), ...names(published.tables)],
    }
  })
}

/** All refusals with their texts. Placeholders are in braces. */
export function knownRefusals(): readonly { readonly code: string; readonly text: string }[] {
  return Object.entries(REFUSALS).map(([code, { text }]) => ({ code, text }))
}
