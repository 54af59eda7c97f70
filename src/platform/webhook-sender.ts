// src/platform/webhook-sender.ts — posts webhooks to merchants' servers.
// Addresses are checked in the look-up of the connection itself, so DNS rebinding cannot bypass the check.
import { lookup as lookUp } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Clock } from '../engine/ports/clock.ts'
import type { WebhookSender, WebhookSendOutcome } from '../engine/ports/webhook-sender.ts'
import { isPublicAddress } from './public-address.ts'

type Message = Parameters<WebhookSender['post']>[0]

/** Concurrent connections. More would only queue in the network and use up file descriptors. */
const MOST_AT_ONCE = 64

export interface WebhookSenderOptions {
  /** Whether loopback, private and link-local addresses may be called. */
  readonly privateAllowed: boolean
  /** Clock of the time limits. */
  readonly clock: Clock
  /** Resolves a name to all its addresses. For tests. */
  readonly lookup?: Lookup
}

/** Like `dns.lookup` with all addresses in the order of the resolver. */
export type Lookup = (
  host: string,
  callback: (error: Error | null, addresses: readonly { readonly address: string; readonly family: number }[]) => void,
) => void

class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Creates the sender. It follows no redirects and reads only the status of an answer. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const places = waitingRoom(MOST_AT_ONCE)
  return {
    async post(message) {
      await places.enter()
      try {
        return await post(message, options)
      } finally {
        places.leave()
      }
    },
  }
}

function post(message: Message, options: WebhookSenderOptions): Promise<WebhookSendOutcome> {
  return new Promise(resolve => {
    const url = new URL(message.url)
    // An IP address is connected to without a look-up, so it is checked here. URL parsing has normalised decimal, octal,
    // hexadecimal and shortened forms.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isAllowed(host, options)) {
      resolve({ outcome: 'refused', reason: refusalOf(host) })
      return
    }
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      method: 'POST',
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      // One connection for each message: a reused one would lead to an earlier address of the name.
      agent: false,
      lookup: guardedLookup(options),
    })
    const { clock } = options
    const limit = clock.alarm(clock.now() + message.limitMs, () =>
      end({ outcome: 'failed', reason: `No answer within ${message.limitMs / 1_000} seconds.` }),
    )
    const end = (outcome: WebhookSendOutcome): void => {
      limit.cancel()
      resolve(outcome)
      request.destroy()
    }
    request.on('response', response => end({ outcome: 'answered', status: response.statusCode ?? 0 }))
    request.on('error', error => end(outcomeOf(error)))
    request.end(message.body)
  })
}

/** Refuses a name if any of its addresses is not allowed, because Node chooses among them. */
export function guardedLookup(options: Pick<WebhookSenderOptions, 'privateAllowed' | 'lookup'>): LookupFunction {
  const lookup: Lookup =
    options.lookup ?? ((host, callback) => lookUp(host, { all: true, order: 'verbatim' }, callback))
  return (host, { all }, callback) =>
    lookup(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) return callback(error ?? new Error(`${host} has no address`), '', 0)
      const refused = addresses.find(({ address }) => !isAllowed(address, options))
      if (refused !== undefined) return callback(new AddressRefused(refusalOf(refused.address)), '', 0)
      return all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family)
    })
}

function isAllowed(address: string, { privateAllowed }: Pick<WebhookSenderOptions, 'privateAllowed'>): boolean {
  return privateAllowed || isPublicAddress(address)
}

function refusalOf(address: string): string {
  return `${address} is no public address, and this gateway calls no others (TOLLGATE_WEBHOOK_PRIVATE).`
}

function outcomeOf(error: Error & { readonly code?: string }): WebhookSendOutcome {
  if (error instanceof AddressRefused) return { outcome: 'refused', reason: error.message }
  return { outcome: 'failed', reason: error.code ?? error.message }
}

interface WaitingRoom {
  enter(): Promise<void>
  leave(): void
}

function waitingRoom(size: number): WaitingRoom {
  const waiting: (() => void)[] = []
  let inside = 0
  return {
    async enter() {
      if (inside >= size) await new Promise<void>(resolve => waiting.push(resolve))
      else inside += 1
    },
    leave() {
      const nextOne = waiting.shift()
      if (nextOne === undefined) inside -= 1
      else nextOne()
    },
  }
}
