// src/api/http/broken-request.ts — answers bytes that Node's parser gives up on. No request came of them, so the answer is
// written by hand.
import type { Socket } from 'node:net'
import type { RefusalCode } from '../../domain/refusals.ts'
import { ANSWERS, problem } from '../answers.ts'
import type { ServerContext } from './server-context.ts'

/** The parser's codes that mean more than "malformed". */
const CODES: Readonly<Record<string, RefusalCode>> = { HPE_HEADER_OVERFLOW: 'headers_too_large' }

/** Says why, and closes the connection. */
export function answerBrokenRequest(server: ServerContext, error: Error & { code?: string }, socket: Socket): void {
  const { tracker } = server
  const underWay = tracker.on(socket).filter(response => response.req.complete || response.headersSent)
  if (underWay.length > 0) {
    // Garbage behind a good request, or behind one that is answered already: what is said of it must not be taken for the
    // answer to the request.
    for (const response of underWay) response.once('close', () => socket.destroy())
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // Garbage in a body that is not read yet: what is decided before, such as who the caller is, comes first.
  const unread = tracker.on(socket).filter(({ req }) => req.readableFlowing !== true)
  if (unread.length === 0) answerMalformed(server, error, socket)
  for (const response of unread) {
    response.once('close', () => socket.destroy())
    response.req.once('resume', () => answerMalformed(server, error, socket))
  }
}

function answerMalformed({ api }: ServerContext, error: Error & { code?: string }, socket: Socket): void {
  const requestId = api.random.uuid()
  const [status, body] =
    // Too slow is no refusal: a request that was never there has no body to be told in.
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? [408, ''] : refusalOf(CODES[error.code ?? ''], requestId)
  api.metrics.observe('unrouted', status, 0)
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
  // Whoever is reading the rest of such a request hears by this that there is none.
  socket.destroySoon()
}

function refusalOf(code: RefusalCode = 'request_malformed', requestId: string): readonly [number, string] {
  return [ANSWERS[code].status, JSON.stringify(problem({ code }, requestId))]
}
