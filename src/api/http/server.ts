// src/api/http/server.ts — builds the HTTP server: one route for each operation, and the shared hooks. ADR 50.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Operation } from '../operation.ts'
import { BODY_TOO_LARGE } from '../read/raw-body.ts'
import { GatewayRequest } from '../socket/upgrades.ts'
import { addressesOf } from '../versions/select.ts'
import { admit } from './admission.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { record, renderFor } from './exchange.ts'
import { lingerOnClose } from './lingering-close.ts'
import { pathToRoute } from './request-path.ts'
import { createResponseBatch } from './response-batch.ts'
import { answerError, begin, give, type RoutedExchange, readBody, serve } from './serve.ts'
import type { ServerContext } from './server-context.ts'
import { answerUnrouted } from './unrouted.ts'

export interface Tls {
  readonly cert: string | Uint8Array
  readonly key: string | Uint8Array
}

/** Builds the server. It does not listen yet. */
export function createHttp(server: ServerContext, operations: readonly Operation[], tls: Tls | null): FastifyInstance {
  const app = listener(server, tls)
  // Set by the first hook or handler of a request.
  app.decorateRequest('exchange', null as unknown as RoutedExchange)
  // Fastify's parsers would round 1998.9999999999999999 and answer invalid JSON in their own form.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest) => readBody(server, request))
  for (const operation of operations)
    for (const address of addressesOf(operation.path)) route(app, server, operation, address)
  const unrouted = (request: FastifyRequest, reply: FastifyReply) => answerUnrouted(app, server, request, reply)
  app.setNotFoundHandler(unrouted)
  app.setErrorHandler((error, request, reply) =>
    request.exchange === null ? unrouted(request, reply) : answerError(server, error, request, reply),
  )
  const batch = createResponseBatch()
  app.addHook('onSend', (request, reply, _payload, done) => {
    record(server, request.exchange, reply.statusCode)
    // This connection takes no further requests.
    if (server.tracker.stopping || request.body === BODY_TOO_LARGE) reply.header('connection', 'close')
    if (request.body === BODY_TOO_LARGE) lingerOnClose(request.raw, server.api.clock)
    batch(done)
  })
  return app
}

/** Creates a Fastify instance with our limits and no routes. */
function listener(server: ServerContext, tls: Tls | null): FastifyInstance {
  const { limits } = server.api
  const node = {
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
    forceCloseConnections: 'idle' as const,
    // The admission answers 503 in the form of each area.
    return503OnClosing: false,
    genReqId: ({ headers }: IncomingMessage) => server.requestIds(headers['x-request-id']),
    rewriteUrl: pathToRoute,
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) =>
      answerBrokenRequest(server, error, socket),
    routerOptions: {
      // Clients concatenate addresses, which leaves extra slashes.
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // The admission refuses names that are too long.
      maxParamLength: limits.headerBytes,
    },
  }
  const app = (
    tls === null
      ? fastify({ ...options, http: node })
      : fastify({ ...options, https: { ...node, cert: Buffer.from(tls.cert), key: Buffer.from(tls.key) } })
  ) as FastifyInstance
  app.server.maxConnections = limits.connections
  server.tracker.watch(app.server)
  return app
}

function route(app: FastifyInstance, server: ServerContext, operation: Operation, address: string): void {
  app.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url: address.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Authentication comes before the body is read.
    onRequest(request, reply, done) {
      const exchange = begin(server, request, reply, operation)
      request.exchange = exchange
      const admitted = admit(server, operation, exchange).then(context => {
        if ('refused' in context) return void reply.send(give(reply, renderFor(exchange, context)))
        exchange.context = context
        done()
      })
      admitted.catch(done)
    },
    handler: (request, reply) => serve(server, request, reply),
  })
}
