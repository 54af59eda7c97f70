// src/cli/timelines-of-nodes.ts — has nodes tell each other which timeline of the database is the newest. ADR 73.
import { Fault } from '../engine/fault.ts'
import type { NodeLink } from '../engine/ports/node-link.ts'
import type { Timeline, Timelines } from '../store/postgres/timelines.ts'

/** Time limit of a call, in milliseconds. A start waits for it. */
const CALL_MS = 2_000
const CALL = 'database.timeline'

/**
 * Answers other nodes, and tells them of each newer timeline from now on.
 */
export function shareTimelines(link: NodeLink, timelines: Timelines): void {
  link.handle(CALL, async body => {
    if (body !== null) timelines.learn(body as Timeline)
    return timelines.newest
  })
  timelines.onNewer(newest => {
    // One that is not reached meets it by itself, or asks at its next start.
    for (const node of link.others) void link.call(node, CALL, newest, CALL_MS)
  })
}

/**
 * Asks nodes that the database names before this one serves: a database that was left behind still knows who was there.
 * @param addresses also of nodes that have been silent for a while
 * @throws Fault `store_unreachable` when one of them knows a newer timeline than that of the database
 */
export async function askTimelines(
  link: NodeLink,
  timelines: Timelines,
  { addresses, where }: { readonly addresses: readonly string[]; readonly where: string },
): Promise<void> {
  const met = timelines.newest
  if (met === null) return
  await Promise.all(
    addresses.map(async address => {
      const called = await link.call(address, CALL, met, CALL_MS)
      if (called.outcome === 'answered' && called.body !== null) timelines.learn(called.body as Timeline)
    }),
  )
  const { newest } = timelines
  if (newest !== met)
    throw new Fault('store_unreachable', {
      detail: `${where} (the server is an old primary: its timeline is ${met.number}, and another node works on ${newest?.number})`,
    })
}
