// src/api/http/broken-request.ts — answers bytes that Node's parser rejects.
// There is no request object, so the response is written to the socket.
import type { Socket } from 'node:net'
import type { PlainCode } from '../../domain/refusals.ts'
import { ANSWERS, problem } from '../answers.ts'
import type { ServerContext } from './server-context.ts'

/** Refusals for parser codes other than "malformed". */
const CODES: Readonly<Record<string, PlainCode>> = { HPE_HEADER_OVERFLOW: 'headers_too_large' }

/** Answers with the reason and closes the connection. */
export function answerBrokenRequest(server: ServerContext, error: Error & { code?: string }, socket: Socket): void {
  const { tracker } = server
  const underWay = tracker.on(socket).filter(response => response.req.complete || response.headersSent)
  if (underWay.length > 0) {
    // The garbage follows a valid request, or one already answered. An answer to it would be taken for the answer to
    // that request.
    for (const response of underWay) response.once('close', () => socket.destroy())
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // The garbage is in a body that is not read yet. Earlier checks, such as authentication, are answered first.
  const unread = tracker.on(socket).filter(({ req }) => req.readableFlowing !== true)
  if (unread.length === 0) answerMalformed(server, error, socket)
  for (const response of unread) {
    response.once('close', () => socket.destroy())
    response.req.once('resume', () => answerMalformed(server, error, socket))
  }
}

function answerMalformed({ api }: ServerContext, error: Error & { code?: string }, socket: Socket): void {
  const requestId = api.random.uuid()
  // A time-out is not a refusal and has no body.
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? null : (CODES[error.code ?? ''] ?? 'request_malformed')
  const status = code === null ? 408 : ANSWERS[code].status
  const body = code === null ? '' : JSON.stringify(problem({ code }, requestId))
  api.metrics.observe('unrouted', status, 0)
  if (code !== null)
    api.requests.refused({ route: 'unrouted', refused: { code }, account: null, id: { request: requestId } })
  socket.write(
    [
      `HTTP/1.1 ${status} `,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // A pending reader of the body fails with the socket.
  socket.destroySoon()
}
