// test/recorded/merchant-server.ts — a merchant's server on a real port, which records the webhooks it receives.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Json, JsonObject } from './json.ts'
import type { Play } from './play.ts'

const OF_TRANSPORT = new Set(['connection', 'content-length', 'date', 'host'])

export interface MerchantServer {
  readonly url: string
  /** Statuses of the next answers; then 200. */
  answer(...statuses: readonly number[]): void
  /** Writes the webhooks received since the last call to the transcript. */
  received(): Promise<void>
}

/** Starts the server, and closes it at the end of the test. */
export async function openMerchantServer(play: Play): Promise<MerchantServer> {
  const came: JsonObject[] = []
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const status = statuses.shift() ?? 200
    const headers = Object.entries(request.headers).filter(([name]) => !OF_TRANSPORT.has(name))
    came.push({
      exchange: `WEBHOOK ${request.method} ${request.url}`,
      headers: Object.fromEntries(headers.toSorted()) as JsonObject,
      body: JSON.parse(text) as Json,
      answeredWith: status,
    })
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: (...given) => void statuses.push(...given),
    async received() {
      await play.gateway.settle()
      for (const entry of came.splice(0)) play.note({ ...entry })
    },
  }
}
