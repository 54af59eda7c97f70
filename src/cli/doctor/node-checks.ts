// src/cli/doctor/node-checks.ts — checks whether the live nodes of a gateway on Postgres can be reached over the link. ADR 70.
import type { Clock } from '../../engine/ports/clock.ts'
import { type Probe, probeNode } from '../../platform/cluster/link-probe.ts'
import type { KeyRing } from '../../platform/vault/key-ring.ts'
import { clusterOf, type NodeStatus } from '../../store/postgres/inspection.ts'
import type { Query } from '../../store/postgres/session.ts'
import { LEASE_MS } from '../../store/postgres/work-statements.ts'
import { type Finding, fine, problem } from './finding.ts'

const CHECK = 'nodes'
/** Time for a node, in milliseconds. All are tried at the same time. */
const PROBE_MS = 3_000
/** Addresses that only the machine itself reaches. */
const OF_MACHINE = /^(127\.|localhost:|\[::1\])/

export interface NodeChecksParts {
  readonly query: Query
  readonly ring: KeyRing
  readonly clock: Clock
}

type Listening = NodeStatus & { readonly address: string }

/** Connects to each node that works on the database, from here. */
export async function checkNodes({ query, ring, clock }: NodeChecksParts): Promise<readonly Finding[]> {
  const { nodes } = await clusterOf(query)
  const live = nodes.filter(isListening)
  if (live.length === 0) return [fine(CHECK, 'None works on this database.')]
  const probes = await Promise.all(live.map(({ address }) => probeNode(address, { ring, clock, limitMs: PROBE_MS })))
  const problems = live.flatMap((node, index) => {
    const probe = probes[index]
    return [...unreached(node, probe), ...hidden(node, live)]
  })
  if (problems.length > 0) return problems.map(message => problem(CHECK, message))
  return [fine(CHECK, `Reached over the link: ${live.map(({ name, address }) => `${name} at ${address}`).join(', ')}.`)]
}

function isListening(node: NodeStatus): node is Listening {
  return node.address !== null && !node.leaving && node.silentMs < LEASE_MS
}

function unreached({ name, address }: Listening, probe: Probe | undefined): readonly string[] {
  const node = `Node ${name} listens for the others at ${address}`
  switch (probe?.outcome) {
    case undefined:
    case 'reached':
      return []
    case 'no_connection':
      return [
        `${node}, and cannot be reached from here (${probe.reason}); set its TOLLGATE_NODE_LISTEN to an address ` +
          'that the other nodes reach, and let them through to it.',
      ]
    case 'no_answer':
      return [`${node}, and does not answer within ${PROBE_MS / 1_000} s; its log says why.`]
    case 'no_key':
      return [
        `${node}, and what answers there has no vault key in common with these settings (${probe.reason}); give all ` +
          'nodes the same vault key, and check the address.',
      ]
  }
}

/** On several machines, an address of the machine itself reaches nobody, or another node. */
function hidden({ name, address }: Listening, live: readonly Listening[]): readonly string[] {
  const hosts = new Set(live.map(hostOf))
  if (hosts.size < 2 || !OF_MACHINE.test(address)) return []
  return [
    `Node ${name} listens for the others at ${address}, which those on other machines cannot reach; set its ` +
      'TOLLGATE_NODE_LISTEN to an address of the network.',
  ]
}

/** Nodes are named by host and process. */
function hostOf({ name }: NodeStatus): string {
  return name.slice(0, name.lastIndexOf(':'))
}
