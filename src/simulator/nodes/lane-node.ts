// src/simulator/nodes/lane-node.ts — asks the node that has the lane of an account to do what only it can. ADR 71.
import { createBoundedCache } from '../../engine/bounded-cache.ts'
import { Fault } from '../../engine/fault.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { NodesOfMemory, SimulatedMemory } from '../memory/memory.ts'

/** Limit of a call in milliseconds: longer than a moved clock takes, or a request that waits for a change. */
const LIMIT_MS = 45_000
/** Upper bound of accounts whose node is remembered. */
const MOST_ACCOUNTS = 500

/** What nodes ask each other for, with the account whose node is asked. */
interface Asked {
  readonly account: string
  readonly about: unknown
}

/** `here` is false when another node has the lane: nothing was done. */
type Reply = { readonly here: false } | { readonly here: true; readonly answer: unknown }

export interface LaneNode {
  /** Whether this node has the account itself. */
  isThis(account: string): boolean
  /**
   * Asks the node with the account's lane.
   * @param about goes as JSON, as the answer does
   * @throws Fault `lease_lost` when no node has the lane now, `commit_unknown` when no answer comes
   */
  ask(account: string, name: string, about: unknown): Promise<unknown>
  /** Registers what this node does when it is asked and has the lane. The answer waits until what has changed is stored. */
  answer(name: string, perform: (about: unknown, account: string) => Promise<unknown>): void
}

/** For the only node: it has all accounts, and is never asked. */
const ONLY: LaneNode = {
  isThis: () => true,
  ask: (account, name) => Promise.reject(new Error(`there is no other node to ask for ${name} of ${account}`)),
  answer() {},
}

export function createLaneNode(link: NodeLink, memory: Pick<SimulatedMemory, 'nodes' | 'written'>): LaneNode {
  const { nodes } = memory
  return nodes === undefined ? ONLY : laneNodeOver(link, nodes, () => memory.written())
}

function laneNodeOver(link: NodeLink, nodes: NodesOfMemory, written: () => Promise<void>): LaneNode {
  /** Where the lane of an account was last. */
  const known = createBoundedCache<string, string>(MOST_ACCOUNTS)

  function inTurn(account: string): readonly string[] {
    const last = known.get(account)
    const { others } = link
    return last === undefined || !others.includes(last) ? others : [last, ...others.filter(other => other !== last)]
  }

  return {
    isThis: nodes.holds,
    async ask(account, name, about) {
      for (const address of inTurn(account)) {
        const called = await link.call(address, name, { account, about } satisfies Asked, LIMIT_MS)
        // Whether it was done is not known.
        if (called.outcome === 'lost') throw new Fault('commit_unknown', { detail: `the node of ${account}` })
        if (called.outcome === 'not_sent') continue
        const reply = called.body as Reply
        if (!reply.here) continue
        known.set(account, address)
        return reply.answer
      }
      throw new Fault('lease_lost', { detail: account })
    },
    answer(name, perform) {
      link.handle(name, async (body): Promise<Reply> => {
        const { account, about } = body as Asked
        if (!nodes.holds(account)) return { here: false }
        const answer = await perform(about, account)
        await written()
        return { here: true, answer }
      })
    },
  }
}
