// test/browser/support/reverse-proxy.ts — a proxy in front of the gateway under a host name of its own.
import { createServer, request as forward, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TEST_CERT, TEST_KEY } from '../../support/tls.ts'

export interface ReverseProxy {
  readonly url: string
  /** Sends all requests to this address, with its host in `Host`, as proxies do unless told otherwise. */
  forwardTo(upstream: string): void
  close(): Promise<void>
}

/** Starts a proxy. `secure`: it ends TLS, and the gateway behind it knows only HTTP. */
export async function openReverseProxy(host: string, secure: boolean): Promise<ReverseProxy> {
  let upstream = ''
  const pass: RequestListener = (received, response) => {
    const { host: name } = new URL(upstream)
    const { method, headers, url = '/' } = received
    const sent = forward(upstream + url, { method, headers: { ...headers, host: name } }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    received.pipe(sent)
  }
  const server = secure ? createSecureServer({ cert: TEST_CERT, key: TEST_KEY }, pass) : createServer(pass)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${secure ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`,
    forwardTo(address) {
      upstream = address
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
