// src/platform/cluster/link-probe.ts — tries whether a node answers at its address and has a key in common with us. ADR 70.
import { type ConnectionOptions, connect } from 'node:tls'
import type { Clock } from '../../engine/ports/clock.ts'
import type { KeyRing } from '../vault/key-ring.ts'
import { keysFor, LINK_TLS } from './link-keys.ts'

/** `no_connection`: nobody listens there, or it is not reached. `no_key`: what listens there does not know our keys. */
export type Probe =
  | { readonly outcome: 'reached' }
  | { readonly outcome: 'no_connection' | 'no_key' | 'no_answer'; readonly reason: string }

export interface ProbeParts {
  readonly ring: KeyRing
  readonly clock: Clock
  /** Time limit in milliseconds, for all keys together. */
  readonly limitMs: number
}

/**
 * Connects and authenticates as a node does, and says nothing. The handshake proves both sides to each other. Never rejects.
 * @param address host and port, as the node names it
 */
export async function probeNode(address: string, { ring, clock, limitMs }: ProbeParts): Promise<Probe> {
  const until = clock.now() + limitMs
  let last: Probe = { outcome: 'no_key', reason: 'there is no key' }
  for (let choice = 0; choice < ring.versions.length && last.outcome === 'no_key'; choice += 1)
    last = await shakeHands(address, { ring, clock, until, choice })
  return last
}

interface Handshake {
  readonly ring: KeyRing
  readonly clock: Clock
  /** Epoch milliseconds. */
  readonly until: number
  /** Which of the keys, by preference. */
  readonly choice: number
}

function shakeHands(address: string, { ring, clock, until, choice }: Handshake): Promise<Probe> {
  const { hostname, port } = new URL(`https://${address}`)
  const options: ConnectionOptions = {
    ...LINK_TLS,
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) },
    // The key proves who the node is; there are no certificates.
    checkServerIdentity: () => undefined,
    pskCallback: hint => keysFor(ring, hint ?? '')[choice] ?? null,
  }
  return new Promise(resolve => {
    let isConnected = false
    const socket = connect(options)
    const end = (probe: Probe): void => {
      alarm.cancel()
      socket.destroy()
      resolve(probe)
    }
    const alarm = clock.alarm(until, () =>
      end({ outcome: isConnected ? 'no_answer' : 'no_connection', reason: 'no answer in time' }),
    )
    socket.once('connect', () => (isConnected = true))
    socket.once('secureConnect', () => end({ outcome: 'reached' }))
    socket.on('error', error => end({ outcome: isConnected ? 'no_key' : 'no_connection', reason: error.message }))
    socket.once('close', () => end({ outcome: isConnected ? 'no_key' : 'no_connection', reason: 'it hung up' }))
  })
}
