// src/store/postgres/leases.ts — shares the lanes out among the nodes of a gateway, by the database's clock. ADR 48, 69.
import type { Claim, Lease } from '../../engine/ports/store.ts'
import type { Connections } from './connections.ts'
import { LANES } from './lanes.ts'
import { LEASES, NODES } from './work-statements.ts'

/** What a node says of itself in the database, for `tollgate cluster status`. */
export interface NodeDescription {
  /** Such as host name and process number. */
  readonly name: string
  /** Version of the program. */
  readonly version: string
  /** Where it listens for other nodes, as host and port; null while it does not. */
  readonly address: string | null
}

export interface LeasesParts {
  readonly connections: Connections
  /** This process. */
  readonly writer: number
  /** Null for the command line, which performs no work. */
  readonly node: NodeDescription | null
  /** Whether this process knows the database's time well enough to work by it. */
  readonly knowsTime: () => boolean
  /** Cursor up to which this process has read the events of others. */
  readonly readTo: () => number
}

export interface ProcessLeases {
  claim(): Promise<Claim>
  /** Number of nodes at the last claim, with this one. */
  readonly nodes: number
  release(lanes: readonly number[]): Promise<void>
  /** Gives all leases back and counts as a node no more, so that the others need not wait for their end. */
  leave(): Promise<void>
}

interface OtherNode {
  readonly address: string | null
  readonly leaving: boolean
}

const NOTHING: Claim = { leases: [], surplus: 0, others: [] }

export function createLeases({ connections, writer, node, knowsTime, readTo }: LeasesParts): ProcessLeases {
  if (node === null) return { claim: async () => NOTHING, nodes: 0, release: async () => {}, leave: async () => {} }
  let nodes = 1
  return {
    get nodes() {
      return nodes
    },
    async claim() {
      // With each claim, so that the time is known as long as there is a database.
      await connections.askTime()
      return connections.transaction(async query => {
        await query(NODES.seen, [writer, node.name, node.version, node.address, readTo()])
        const found = await query<OtherNode>(NODES.others, [writer])
        const others = found.flatMap(({ address }) => address ?? [])
        if (!knowsTime()) return { ...NOTHING, others }
        nodes = 1 + found.filter(({ leaving }) => !leaving).length
        const share = Math.ceil(LANES / nodes)
        const held = await query<Lease>(LEASES.renew, [writer])
        const missing = Math.max(0, share - held.length)
        const claimed = missing === 0 ? [] : await query<Lease>(LEASES.claim, [writer, missing])
        const leases = [...held, ...claimed].toSorted((one, other) => one.lane - other.lane)
        return { leases, surplus: Math.max(0, held.length - share), others }
      })
    },
    async release(lanes) {
      if (lanes.length > 0) await connections.query(LEASES.release, [writer, lanes])
    },
    async leave() {
      await connections.transaction(async query => {
        await query(NODES.leave, [writer])
        await query(LEASES.releaseAll, [writer])
      })
    },
  }
}
