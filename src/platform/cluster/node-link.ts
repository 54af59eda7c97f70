// src/platform/cluster/node-link.ts — the link between the nodes of a gateway: HTTP over TLS with a pre-shared key. ADR 70.
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { CallHandler, NodeLink } from '../../engine/ports/node-link.ts'
import type { KeyRing } from '../vault/key-ring.ts'
import { createLinkClient } from './link-client.ts'
import { createLinkServer } from './link-server.ts'

export interface NodeLinkParts {
  /** Nodes reach each other when they have a key in common. */
  readonly ring: KeyRing
  readonly clock: Clock
  readonly log: Log
}

export interface OpenNodeLink extends NodeLink {
  /** Where it listens, as host and port. */
  readonly address: string
  /** Ends all calls and connections. Later calls are not sent. */
  close(): Promise<void>
}

/**
 * Opens the port for other nodes.
 * @param at a host by which the others reach this node, and a port; 0 takes any free one
 * @throws Error with the code of the system, such as EADDRINUSE
 */
export async function openNodeLink(
  { ring, clock, log }: NodeLinkParts,
  at: { readonly host: string; readonly port: number },
): Promise<OpenNodeLink> {
  const handlers = new Map<string, CallHandler>()
  const server = createLinkServer({ ring, clock, log, handlers })
  const port = await server.listen(at.host, at.port)
  const address = `${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}`
  const unreachable = new Set<string>()
  let others: readonly string[] = []
  let closed = false

  const client = createLinkClient({ ring, clock, from: address, onReached: noteReach })

  function noteReach(other: string, reached: boolean): void {
    if (closed || reached !== unreachable.has(other)) return
    if (reached) {
      unreachable.delete(other)
      log.info({ node: other }, 'node can be reached again')
      return
    }
    unreachable.add(other)
    log.warn({ node: other }, 'node cannot be reached from this one')
  }

  return {
    address,
    get others() {
      return others
    },
    know(given) {
      // The row of an earlier process at the same address may still be there.
      others = given.filter(other => other !== address)
      for (const other of unreachable) if (!others.includes(other)) unreachable.delete(other)
    },
    handle(name, handler) {
      if (handlers.has(name)) throw new Error(`${name} has a handler`)
      handlers.set(name, handler)
    },
    call: async (other, name, body, limitMs, options) =>
      closed ? { outcome: 'not_sent' } : client.call(other, name, body, limitMs, options),
    async close() {
      closed = true
      client.close()
      await server.close()
    },
  }
}
