// src/api/api.ts — builds the API. Building is separate from listening, so tests need no socket.
import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { NO_LINK } from '../engine/ports/node-link.ts'
import { createSearch } from '../engine/search.ts'
import { createPeople } from '../services/people/people.ts'
import { hashOfKey } from '../services/provisioning/api-key-store.ts'
import { createAuthenticator } from './auth.ts'
import { openApiDocument } from './describe/openapi.ts'
import { createBaseUrls } from './http/base-url.ts'
import { createConnectionTracker } from './http/connection-tracker.ts'
import { createEventStreams } from './http/event-streams.ts'
import { createRepresentations } from './http/representation.ts'
import { createRequestIds } from './http/request-id.ts'
import { createHttp, type Tls } from './http/server.ts'
import { createWaiting } from './http/waiting.ts'
import { HTTP_LIMITS, type HttpLimits } from './limits.ts'
import { createJwtAuthenticator } from './merchant-jwt.ts'
import type { ApiContext, Operation } from './operation.ts'
import { operationsWith } from './operations/index.ts'
import type { ApiParts } from './parts.ts'
import { createRateLimiter, TokenBucket } from './rate-limiter.ts'
import { createRequestRecorder } from './requests/request-recorder.ts'
import { createSharedRates, type SharedRates } from './shared-rates.ts'
import { createRpc } from './socket/service.ts'
import { serveUpgrades } from './socket/upgrades.ts'
import { createChooser, createChooserByAccount } from './versions/select.ts'

export type { Tls } from './http/server.ts'
export type { ApiParts, ApiSettings } from './parts.ts'

/** Default time that `close` gives requests under way, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

export interface Api {
  /** Starts listening. Port 0 takes any free port. Resolves to the actual address. */
  listen(at: {
    readonly host: string
    readonly port: number
  }): Promise<{ readonly host: string; readonly port: number }>
  /**
   * Stops listening, answers waiting requests at once, and resolves when the last answer is sent or `limitMs` milliseconds
   * have passed.
   */
  close(limitMs?: number): Promise<void>
  /** Serves a request without a socket. */
  readonly inject: FastifyInstance['inject']
  /** Number of connected tills. */
  readonly tills: number
  readonly server: Server
  /** Uses another certificate for connections from now on; nothing without TLS. @throws Error when the two do not fit together */
  renewTls(tls: Tls): void
}

export interface ApiOptions {
  /** Null for plain HTTP. */
  readonly tls?: Tls | null
  readonly limits?: Partial<HttpLimits>
  /**
   * Operations of the simulator and the demo shop, added to the gateway's own. One with the name of a gateway operation
   * replaces it.
   */
  readonly operations?: readonly Operation[]
}

/** Builds the API. @throws Error when the default version of the settings does not exist. */
export function createApi(
  parts: ApiParts,
  { tls = null, limits: changed = {}, operations: more = [] }: ApiOptions = {},
): Api {
  const limits = { ...HTTP_LIMITS, ...changed }
  const operations = operationsWith(more)
  const authenticator = createAuthenticator(parts)
  const serving = { ...parts, requests: createRequestRecorder({ ...parts, limits }), people: createPeople(parts) }
  const rpc = createRpc({ api: serving, authenticator, limits, methods: operations.flatMap(each => each.rpc ?? []) })
  const rates = createSharedRates(parts.link ?? NO_LINK, parts.clock)
  let document: Uint8Array | null = null
  const context: ApiContext = {
    ...serving,
    limits,
    waiting: createWaiting({ feed: parts.feed, clock: parts.clock, limits }),
    streams: createEventStreams({ ...parts, limits }),
    representations: createRepresentations(),
    search: createSearch(parts.store),
    rpc,
    testAccounts: new TokenBucket({ limit: limits.testAccountsPerHour, windowMs: HOUR_MS }, parts.clock.now()),
    maySignIn: createRateLimiter(parts.clock, {
      ...{ limit: limits.signIns, windowMs: limits.signInsMs },
      shared: { by: rates, name: 'sign-ins' },
    }),
    openApiDocument() {
      document ??= Buffer.from(JSON.stringify(openApiDocument(operations, parts.settings)))
      return document
    },
  }
  const choose = createChooser(parts.settings.defaultVersion)
  const tracker = createConnectionTracker()
  const server = {
    api: context,
    tracker,
    mayCallAgain: createCallSpacing(parts, rates),
    mayCall: createRateLimiter(parts.clock, {
      ...{ limit: parts.settings.shopCallsPerSecond, windowMs: SECOND_MS },
      shared: { by: rates, name: 'shop calls' },
    }),
    authenticator,
    shops: createJwtAuthenticator(parts),
    baseUrlOf: createBaseUrls({ ...parts.settings, tls: tls !== null }),
    requestIds: createRequestIds(parts.random),
    choose,
    chooseFor: createChooserByAccount(choose),
  }
  const app = createHttp(server, operations, tls)
  parts.interceptor.serveBy?.(request => app.inject({ ...request, method: request.method as 'GET' }))
  serveUpgrades(server, app.server)
  let closed: Promise<void> | null = null
  const close = async (limitMs: number): Promise<void> => {
    tracker.stop()
    rates.stop()
    context.waiting.release()
    context.streams.release()
    await rpc.tills.close()
    const stopped = app.close()
    await tracker.drain(parts.clock, parts.clock.now() + limitMs)
    await stopped
    serving.requests.close()
  }

  return {
    async listen(at) {
      await app.listen({ ...at })
      const address = app.server.address()
      return typeof address === 'object' && address !== null ? { host: address.address, port: address.port } : at
    },
    close(limitMs = CLOSE_LIMIT_MS) {
      closed ??= close(limitMs)
      return closed
    },
    renewTls({ cert, key }) {
      if (app.server instanceof HttpsServer)
        app.server.setSecureContext({ cert: Buffer.from(cert), key: Buffer.from(key) })
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    get tills() {
      return rpc.tills.count
    },
    server: app.server as Server,
  }
}

/** Limits each API key to one request in `pauseMs` milliseconds; 0 sets no limit. */
function createCallSpacing(
  { clock, settings: { pauseMs } }: ApiParts,
  rates: SharedRates,
): (header: string) => boolean {
  if (pauseMs === 0) return () => true
  const mayCall = createRateLimiter(clock, { limit: 1, windowMs: pauseMs, shared: { by: rates, name: 'keys' } })
  // The limiter holds the hash, never the key itself.
  return header => mayCall(hashOfKey(header))
}
