// test/upgrade/maker/webhook-receiver.ts — a merchant's server. The path selects its answer.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebhookReceiver {
  /** Base address. `/ok` accepts everything, `/broken` nothing, `/second` each second webhook, `/silent` never answers. */
  readonly url: string
  /** Number of calls to a path. */
  calls(path: string): number
  close(): void
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const counts = new Map<string, number>()
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    request.resume()
    request.on('end', () => {
      if (path.startsWith('/silent')) {
        held.push(response)
        return
      }
      const isTaken = !path.startsWith('/broken') && !(path.startsWith('/second') && count % 2 === 1)
      response.writeHead(isTaken ? 200 : 500).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: path => counts.get(path) ?? 0,
    close() {
      for (const response of held) response.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}
