// src/cli/context.ts — starts the gateway: wires the parts, recovers, and opens the port.
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { type Api, type ApiParts, createApi } from '../api/api.ts'
import type { HttpLimits } from '../api/limits.ts'
import type { DemoParts } from '../api/parts.ts'
import type { Config } from '../config.ts'
import { CONSOLE_OPERATIONS } from '../console/operations.ts'
import { DEMO_OPERATIONS } from '../demo-shop/operations.ts'
import { orderFileAt } from '../demo-shop/order-file.ts'
import { TERMINAL_TRANSACTION } from '../engine/machines.ts'
import type { Store } from '../engine/ports/store.ts'
import { WEBHOOK_DELIVERY } from '../engine/webhook-machines.ts'
import { lookAtCard } from '../platform/card-rules.ts'
import { networkAddresses } from '../platform/network-addresses.ts'
import { SIMULATOR_OPERATIONS } from '../simulator/operations/index.ts'
import { seedSandbox } from '../simulator/seed.ts'
import { type Gateway, wire } from '../wire.ts'
import { baseUrlOf, localUrl, networkUrls } from './configured-url.ts'
import { Failure } from './failure.ts'
import { activeKeyOf, merchantJwt } from './jwt-signing.ts'
import type { OpenParts } from './parts.ts'
import { noteRun } from './run-file.ts'
import { refuseSandboxRemains } from './sandbox-remains.ts'
import { publicKeyOf } from './signing-key.ts'
import { demoAccounts, type SummaryAccount } from './summary.ts'
import { type TestAccountParts, testAccountsOf } from './test-accounts.ts'
import { watchTls } from './tls-renewal.ts'
import { programVersion } from './version.ts'

/** No limit for closing the API. The shutdown limits the whole close and exits the process. */
const UNLIMITED_MS = Number.MAX_SAFE_INTEGER / 2

const STOPPING = 'The gateway is stopping; send requests to another node.'

export interface Context {
  readonly gateway: Gateway
  /** Base address of the gateway. */
  readonly url: string
  /** Listening address on this machine. */
  readonly listening: string
  /** Addresses by which other machines reach it now; none when it listens to this machine only. */
  networkUrls(): readonly string[]
  /**
   * Says that it is not ready, gives the work to other nodes, and serves requests for `drainMs` more. Then stops accepting them,
   * answers those under way, and closes all parts in reverse order.
   * @param drainMs milliseconds; default 0
   */
  close(drainMs?: number): Promise<void>
}

/**
 * Starts the gateway. On a failure it closes everything again, including the given parts.
 * @param limits those that differ from the usual ones
 * @throws Failure when it cannot listen, or when live mode finds data of a sandbox
 */
export async function openContext(config: Config, open: OpenParts, limits: Partial<HttpLimits> = {}): Promise<Context> {
  const closers: (() => Promise<void>)[] = [open.close]
  const close = async () => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer()
  }
  try {
    const gateway = wire(open.parts)
    if (config.mode === 'live') await refuseSandboxRemains(gateway.store)
    else await seedSandbox(gateway.provisioning, config.timeZone)
    const { store } = gateway
    open.metrics.countBy({
      runningTransactions: () => store.countLive(TERMINAL_TRANSACTION.kind),
      openWebhooks: () => store.countLive(WEBHOOK_DELIVERY.kind),
    })
    open.metrics.announceJwtEndsBy(gateway.jwtEnds.coming)
    closers.push(() => gateway.stop())
    await gateway.start()
    if (open.directoryServer !== null) {
      const { start, stop } = open.directoryServer
      closers.push(stop)
      await start()
    }
    const [demo = null] = config.mode === 'sandbox' ? await demoAccounts(gateway.store) : []
    const closingKey = closingKeyOf(config, open)
    const gatewayKeys = [publicKeyOf(open.signingKey)]
    let draining = false
    let port = config.port
    const inNetworks = () => networkUrls(config, port, networkAddresses())
    const ready = () => (draining ? [STOPPING, ...open.problems()] : open.problems())
    const api = createApi(
      { ...apiPartsOf(config, open, gateway, { demo, gatewayKeys, closingKey }), ready, networkUrls: inNetworks },
      {
        tls: config.tls,
        limits,
        operations: [
          ...CONSOLE_OPERATIONS,
          ...(gateway.sandbox === null ? [] : [...SIMULATOR_OPERATIONS, ...DEMO_OPERATIONS]),
        ],
      },
    )
    closers.push(() => api.close(UNLIMITED_MS))
    const unwatch = watchTls(config, open.parts.log, tls => api.renewTls(tls))
    closers.push(async () => unwatch())
    port = await listen(api, config)
    const listening = localUrl(config, port)
    const forget = noteRun(config.dataDirectory, listening, closingKey)
    closers.push(async () => forget())
    const drain = async (ms: number) => {
      draining = true
      const served = new Promise<void>(resolve => open.parts.clock.alarm(open.parts.clock.now() + ms, resolve))
      await Promise.all([gateway.leave(), ms === 0 ? undefined : served])
    }
    const url = baseUrlOf(config, port)
    return { gateway, url, listening, networkUrls: inNetworks, close: (ms = 0) => drain(ms).finally(close) }
  } catch (error) {
    await close()
    throw error
  }
}

interface Keys {
  readonly demo: SummaryAccount | null
  readonly gatewayKeys: ApiParts['gatewayKeys']
  readonly closingKey: string | null
}

/** A fresh key for the command line, when no API key may close payments. */
function closingKeyOf({ closePayments }: Config, { parts: { random } }: OpenParts): string | null {
  return closePayments === 'api' ? null : Buffer.from(random.bytes(32)).toString('base64url')
}

function apiPartsOf(
  config: Config,
  { parts, metrics, signingKey }: OpenParts,
  gateway: Gateway,
  { demo, gatewayKeys, closingKey }: Keys,
): Omit<ApiParts, 'ready' | 'networkUrls'> {
  const { clock, random, log } = parts
  const { provisioning, ...of } = gateway
  const simulated = config.mode === 'sandbox'
  return {
    ...{ engine: of.engine, store: of.store, feed: of.feed, clock, clocks: of.clocks, random, log },
    ...{ transactions: of.transactions, reports: of.reports, tables: of.tables, posConnections: of.posConnections },
    ...{ online: of.online, vault: of.vault, wallets: of.wallets, webhooks: of.webhooks, interceptor: of.interceptor },
    cardRules: lookAtCard,
    tracing: parts.tracing ?? null,
    ...(parts.link === undefined ? {} : { link: parts.link }),
    gatewayKeys,
    metrics: {
      observe: metrics.observeRequest,
      refused: metrics.refused,
      refusalLineDropped: metrics.refusalLineDropped,
      text: metrics.text,
      contentType: metrics.contentType,
    },
    ...(of.sandbox === null ? {} : { demo: demoParts(config, of.store, signingKey, of.sandbox.onlineCards) }),
    openTestAccount: simulated
      ? testAccountsOf({ provisioning, random, defaultZone: config.timeZone, signJwt: jwtsOf(signingKey, of.store) })
      : null,
    settings: {
      mode: config.mode,
      publicUrl: config.publicUrl,
      consoleUrl: config.consoleUrl,
      trustedProxies: config.trustedProxies,
      defaultVersion: config.defaultVersion,
      partnerHeaders: config.partnerHeaders,
      strictCompletion: config.strictCompletion,
      retentionMs: config.retentionMs,
      pauseMs: config.pauseMs,
      shopCallsPerSecond: config.shopCallsPerSecond,
      corsOrigins: config.corsOrigins,
      bodyLimitBytes: config.bodyLimitBytes,
      recordRequests: config.recordRequests,
      metricsToken: config.metricsToken,
      closingKey,
      programVersion: programVersion(),
      publicKey: demo === null ? null : { account: demo.account, key: demo.apiKey },
    },
  }
}

function demoParts(config: Config, store: Store, signingKey: KeyObject, cards: DemoParts['cards']): DemoParts {
  const sign = jwtsOf(signingKey, store)
  return {
    cards,
    jwt: async audience => (await sign('demo', audience)).jwt,
    orders: orderFileAt(join(config.dataDirectory, 'demo-shop.json')),
  }
}

/** Signs JWTs of the oldest active API key of an account. */
function jwtsOf(signingKey: KeyObject, store: Store): TestAccountParts['signJwt'] {
  return async (account, audience) => {
    const apiKey = await activeKeyOf(store, account)
    const jwt = await merchantJwt({ apiKey, audience, signingKey })
    return { jwt, keyId: apiKey.id }
  }
}

async function listen(api: Api, { host, port }: Config): Promise<number> {
  try {
    return (await api.listen({ host, port })).port
  } catch (error) {
    throw new Failure(sentenceOf(error, host, port), { cause: error })
  }
}

function sentenceOf(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; stop the program that uses it, or choose another with PORT or --port.`
    case 'EACCES':
      return `This user may not listen on port ${port}; choose one above 1023 with PORT or --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with HOST or --host.`
    default:
      return `Cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}.`
  }
}
