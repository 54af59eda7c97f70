// src/cli/open-link.ts — opens the port for other nodes of a gateway on Postgres.
import type { Config } from '../config.ts'
import { type NodeLinkParts, type OpenNodeLink, openNodeLink } from '../platform/cluster/node-link.ts'
import { Failure } from './failure.ts'

/** Null on SQLite, which has one node. @throws Failure when it cannot listen */
export async function openLink({ nodeListen, database }: Config, parts: NodeLinkParts): Promise<OpenNodeLink | null> {
  if (database === null) return null
  try {
    return await openNodeLink(parts, nodeListen)
  } catch (error) {
    const { host, port } = nodeListen
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure(
      `Cannot listen for other nodes on ${host}, port ${port}; choose another address with TOLLGATE_NODE_LISTEN (${why}).`,
      { cause: error },
    )
  }
}
