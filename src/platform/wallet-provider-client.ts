// src/platform/wallet-provider-client.ts — posts to wallet providers over mutual TLS, at public addresses only.
import { request as requestHttps } from 'node:https'
import type { Clock } from '../engine/ports/clock.ts'
import type { WalletProviderClient } from '../engine/ports/wallets.ts'
import { guardedLookup, type Lookup } from './webhook-sender.ts'

/** Longest answer, in bytes. A merchant session has some 5 kB. */
const LONGEST_ANSWER = 65_536

export interface WalletProviderClientOptions {
  /** Clock of the time limits. */
  readonly clock: Clock
  /** For tests: a resolver to this machine, its port, and its certificate authority. */
  readonly testNetwork?: {
    readonly lookup: Lookup
    readonly port: number
    readonly authority: Buffer
    readonly privateAllowed: boolean
  }
}

/** Creates the client. It verifies the server's certificate, opens a connection for each call, and follows no redirects. */
export function createWalletProviderClient({ clock, testNetwork }: WalletProviderClientOptions): WalletProviderClient {
  const lookup = guardedLookup({
    privateAllowed: testNetwork?.privateAllowed === true,
    ...(testNetwork === undefined ? {} : { lookup: testNetwork.lookup }),
  })
  return {
    post: ({ url, body, certificate, privateKey, limitMs }) =>
      new Promise(resolve => {
        const request = requestHttps(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          ...{ agent: false, lookup, cert: certificate, key: privateKey, minVersion: 'TLSv1.2' },
          ...(testNetwork === undefined ? {} : { port: testNetwork.port, ca: testNetwork.authority }),
        })
        const limit = clock.alarm(clock.now() + limitMs, () => end({ failed: `no answer within ${limitMs / 1_000} s` }))
        const end = (outcome: Awaited<ReturnType<WalletProviderClient['post']>>): void => {
          limit.cancel()
          resolve(outcome)
          request.destroy()
        }
        request.on('error', (error: Error & { readonly code?: string }) => end({ failed: error.code ?? error.message }))
        request.on('response', response => {
          const chunks: Buffer[] = []
          let length = 0
          response.on('error', () => end({ failed: 'the answer broke off' }))
          response.on('data', (chunk: Buffer) => {
            length += chunk.length
            if (length > LONGEST_ANSWER) end({ failed: 'the answer is too long' })
            else chunks.push(chunk)
          })
          response.on('end', () => end({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
        })
        request.end(body)
      }),
  }
}
