// src/api/shared-rates.ts — shares rates of calls out among the nodes of a gateway. ADR 45, 69.
import type { Alarm, Clock } from '../engine/ports/clock.ts'
import type { NodeLink } from '../engine/ports/node-link.ts'

/** How often nodes tell each other of calls, in milliseconds. Until then each counts alone. */
const TELL_EVERY_MS = 1_000
/** Keys told at a time. Of more callers the busiest count. */
const MOST_KEYS = 5_000

/** Calls by key. */
type Calls = Readonly<Record<string, number>>

export interface SharedRates {
  /**
   * Joins a rate under a name that is the same on all nodes.
   * @param spend takes calls that other nodes have served
   * @returns notes a call that this node has served
   */
  join(name: string, spend: (key: string, calls: number) => void): (key: string) => void
  stop(): void
}

/** Tells nothing while there is no other node. A lost message lets through what it would have counted. */
export function createSharedRates(link: Pick<NodeLink, 'others' | 'handle' | 'call'>, clock: Clock): SharedRates {
  const rates = new Map<string, { readonly spend: (key: string, calls: number) => void; calls: Map<string, number> }>()
  let alarm: Alarm | null = null

  link.handle('rates', async body => {
    for (const [name, calls] of Object.entries(body as Readonly<Record<string, Calls>>))
      for (const [key, count] of Object.entries(calls)) rates.get(name)?.spend(key, count)
    return {}
  })

  function tell(): void {
    alarm = null
    const told: Record<string, Calls> = {}
    for (const [name, rate] of rates) {
      if (rate.calls.size > 0) told[name] = busiestOf(rate.calls)
      rate.calls = new Map()
    }
    for (const other of link.others) void link.call(other, 'rates', told, TELL_EVERY_MS)
  }

  return {
    join(name, spend) {
      const rate = { spend, calls: new Map<string, number>() }
      rates.set(name, rate)
      return key => {
        if (link.others.length === 0) return
        rate.calls.set(key, (rate.calls.get(key) ?? 0) + 1)
        alarm ??= clock.alarm(clock.now() + TELL_EVERY_MS, tell)
      }
    },
    stop: () => alarm?.cancel(),
  }
}

function busiestOf(calls: ReadonlyMap<string, number>): Calls {
  if (calls.size <= MOST_KEYS) return Object.fromEntries(calls)
  return Object.fromEntries([...calls].toSorted(([, one], [, other]) => other - one).slice(0, MOST_KEYS))
}
