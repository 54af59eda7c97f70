// bench/servers/bare-node.ts — reference server: `node:http` and nothing else. It sends fixed answers, and parses the body of
// a request that has one.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fixed answer, copied from another server. */
export interface FixedAnswer {
  readonly status: number
  /** Without those that `node:http` adds itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Start parameters of the process. */
export interface BareOrder {
  readonly read: FixedAnswer
  readonly write: FixedAnswer
  readonly notModified: FixedAnswer
}

process.once('message', (order: BareOrder) => {
  const answers = {
    read: prepared(order.read),
    write: prepared(order.write),
    notModified: prepared(order.notModified),
  }
  const server = createServer((request, response) => {
    if (request.method === 'POST') readBody(request, () => say(response, answers.write))
    else say(response, request.headers['if-none-match'] === undefined ? answers.read : answers.notModified)
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
})

type Prepared = Omit<FixedAnswer, 'body'> & { readonly body: Buffer | undefined }

function prepared({ body, ...rest }: FixedAnswer): Prepared {
  return { ...rest, body: body === '' ? undefined : Buffer.from(body) }
}

function say(response: ServerResponse, { status, headers, body }: Prepared): void {
  response.writeHead(status, headers)
  response.end(body)
}

function readBody(request: IncomingMessage, then: (body: unknown) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => then(JSON.parse(Buffer.concat(chunks).toString())))
}
