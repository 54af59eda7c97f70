// src/api/http/server.ts — a loop over the operations: each becomes a route.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import type { Operation } from '../operation.ts'
import { areaOf } from '../socket/till-address.ts'
import { GatewayRequest } from '../socket/upgrades.ts'
import { addressesOf } from '../versions/select.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { serve } from './serve.ts'
import type { ServerContext } from './server-context.ts'
import { unroutedHandlers } from './unrouted.ts'

/** Longer than any name in an address, access tokens included. */
const LONGEST_PARAMETER = 256

export interface Tls {
  readonly cert: string | Uint8Array
  readonly key: string | Uint8Array
}

/** Builds the server. It does not listen yet. */
export function createHttp(
  serverContext: ServerContext,
  operations: readonly Operation[],
  tls: Tls | null,
): FastifyInstance {
  const { limits } = serverContext.context
  const { unrouted, badUrl } = unroutedHandlers(serverContext, operations)
  const timing = {
    IncomingMessage: GatewayRequest,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  }
  const options = {
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Said by `serve`, in the form of each area.
    return503OnClosing: false,
    // Made by `serve`.
    genReqId: () => '',
    rewriteUrl: (request: IncomingMessage) => pathOf(request.url ?? '/'),
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) =>
      answerBrokenRequest(serverContext, error, socket),
    routerOptions: {
      // Clients put addresses together by hand. Terminal reference 1.1.
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: LONGEST_PARAMETER,
      defaultRoute: unrouted,
      onMaxParamLength: (_path: string, request: IncomingMessage, response: ServerResponse) =>
        unrouted(request, response),
      onBadUrl: (_path: string, request: IncomingMessage, response: ServerResponse) => badUrl(request, response),
    },
  }
  const app =
    tls === null
      ? fastify({ ...options, http: timing })
      : fastify({ ...options, https: { ...timing, cert: Buffer.from(tls.cert), key: Buffer.from(tls.key) } })
  app.server.maxConnections = limits.connections
  serverContext.traffic.watch(app.server)
  for (const operation of operations)
    for (const address of addressesOf(operation.path)) route(app as FastifyInstance, serverContext, operation, address)
  return app as FastifyInstance
}

/**
 * Everything is done in the first hook: what Fastify would do after it is to read the body, and nobody's body is read
 * before it is known who sends it. Fastify routes, listens and closes.
 */
function route(app: FastifyInstance, serverContext: ServerContext, operation: Operation, address: string): void {
  app.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url: address.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: ({ raw, params, query }, reply) =>
      void serve(serverContext, operation, {
        request: raw,
        response: reply.raw,
        params: params as Readonly<Record<string, string>>,
        query,
      }),
    handler: () => {},
  })
}

/** An absolute address, as it is sent to proxies, means its path. RFC 9112 §3.2.2. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  // There are tills that write it in capitals. Terminal socket reference 1.1.
  const area = areaOf(path)
  return area === null ? path : path.replace(/^\/+[a-z]+/i, `/${area}`)
}
