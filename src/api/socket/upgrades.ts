// src/api/socket/upgrades.ts — requests to speak another protocol: tills that connect, and all others who are told why not.
import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { respond } from '../http/respond.ts'
import type { ServerContext } from '../http/server-context.ts'
import type { Answer } from '../operation.ts'
import { areaOf } from './till-address.ts'

/**
 * A request as the server reads it. Clients offer protocols that nobody speaks here, such as `h2c`, and would be happy
 * with an answer in plain HTTP: only those that ask for a WebSocket leave the ordinary way.
 */
export class GatewayRequest extends IncomingMessage {
  /** Whether it asks for any other protocol. Not `#private`: the parent's constructor sets `upgrade` before there is one. */
  private offers = false

  get upgrade(): boolean {
    return this.offers && (this.method === 'CONNECT' || /^\s*websocket\s*$/i.test(this.headers.upgrade ?? ''))
  }

  set upgrade(offers: boolean | null) {
    this.offers = offers === true
  }
}

/** Answers every request for a WebSocket. */
export function serveUpgrades(serverContext: ServerContext, server: Server): void {
  server.on('upgrade', (request, socket, head) => void connect(serverContext, request, socket as Socket, head))
}

async function connect(
  serverContext: ServerContext,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const destroy = (): void => void socket.destroy()
  socket.on('error', destroy)
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  const about = { name: 'connectTill', area: 'connect', method: 'GET' } as const
  await respond(
    serverContext,
    about,
    { request, response, params: {}, query: {}, depart: endAtOnce },
    async ({ requestId }) => {
      const answer = await answerTo(serverContext, request, socket, head)
      // A till in a browser hears only that it did not work, so the reason stands here.
      if ('refused' in answer) {
        const { code, detail } = answer.refused
        const reason = detail === undefined ? { code } : { code, detail }
        serverContext.context.log.info({ request: requestId, ...reason }, 'till not let in')
      } else socket.off('error', destroy)
      return answer
    },
  )
  if (!response.writableEnded) return
  response.assignSocket(socket)
  response.detachSocket(socket)
  socket.destroySoon()
}

/** There is a socket to write it to only when it has ended. */
function endAtOnce(response: ServerResponse, body: Uint8Array | undefined): void {
  response.end(body)
}

async function answerTo(
  serverContext: ServerContext,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<Answer> {
  const { context, traffic } = serverContext
  const url = request.url ?? ''
  if (areaOf(url) === null) return { refused: { code: 'path_unknown' } }
  if (url.length > context.limits.urlLength) return { refused: { code: 'url_too_long' } }
  const till = await context.rpc.admit(request)
  if ('refused' in till) return till
  const met = await context.interceptor.handshake(till, socket)
  if (met !== null) return met
  if (traffic.stopping) return { refused: { code: 'gateway_stopping' } }
  const refused = context.rpc.tills.refusalFor(till.account.id)
  if (refused !== null) return { refused }
  const flaw = context.rpc.tills.welcome(till, request, socket, head)
  if (flaw !== null) return refusalOf(request, flaw)
  context.metrics.observe('connectTill', 101, 0)
  return { taken: true }
}

/** What a handshake is told that breaks the rules of WebSockets. `detail` is for the log. */
function refusalOf({ method }: IncomingMessage, detail: string): Answer {
  if (method !== 'GET') return { refused: { code: 'method_unknown', detail }, headers: { allow: 'GET' } }
  // The version may be what is wrong with it. RFC 6455 §4.4.
  return { refused: { code: 'request_malformed', detail }, headers: { 'sec-websocket-version': '13' } }
}
