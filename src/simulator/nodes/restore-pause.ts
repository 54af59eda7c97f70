// src/simulator/nodes/restore-pause.ts — has the other nodes defer their commands on an account while its state is replaced. ADR 71.

import type { Activity } from '../../engine/activity.ts'
import { createBoundedCache } from '../../engine/bounded-cache.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { Random } from '../../engine/ports/random.ts'
import { repeatCall } from '../../services/repeated-call.ts'

/** Time for a node to end its commands under way, in milliseconds: as long as a statement of the database may take. */
const PAUSE_CALL_MS = 5_000
/** Time for a node to note that a pause is over, in milliseconds. */
const RESUME_CALL_MS = 2_000
/** After this time a node goes on by itself, in milliseconds: the one that restores has died. */
const LONGEST_PAUSE_MS = 60_000
/** Pauses that are over and are remembered, because the call that begins one may arrive late. */
const MOST_OVER = 1_000

const PAUSE = 'sandbox-pause'
const RESUME = 'sandbox-resume'

interface Asked {
  readonly account: string
  /** Of the pause. */
  readonly id: string
}

export interface RestorePauseParts {
  readonly link: NodeLink
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly engine: Pick<Engine, 'pause'>
  readonly activity: Pick<Activity, 'rest'>
}

export interface RestorePause {
  /**
   * Resolves when the other nodes run no command on the account and begin none. A node that does not answer is logged and not waited
   * for. Returns the function that lets them go on.
   */
  begin(account: string): Promise<() => void>
}

export function createRestorePause(parts: RestorePauseParts): RestorePause {
  const { link, clock, random, log, engine, activity } = parts
  const paused = new Map<string, { readonly release: () => void; readonly alarm: Alarm }>()
  const over = createBoundedCache<string, true>(MOST_OVER)

  function end(id: string): void {
    over.set(id, true)
    const found = paused.get(id)
    paused.delete(id)
    found?.alarm.cancel()
    found?.release()
  }

  link.handle(PAUSE, async body => {
    const { account, id } = body as Asked
    if (over.has(id)) return {}
    const alarm = clock.alarm(clock.now() + LONGEST_PAUSE_MS, () => end(id))
    paused.set(id, { release: engine.pause(account), alarm })
    await activity.rest(account)
    return {}
  })
  link.handle(RESUME, async body => {
    end((body as Asked).id)
    return {}
  })

  async function resume(node: string, asked: Asked): Promise<void> {
    const called = await link.call(node, RESUME, asked, RESUME_CALL_MS)
    if (called.outcome !== 'answered') await repeatCall(parts, node, RESUME, asked, RESUME_CALL_MS)
  }

  return {
    async begin(account) {
      const nodes = link.others
      const asked: Asked = { account, id: random.uuid() }
      const calls = await Promise.all(nodes.map(node => link.call(node, PAUSE, asked, PAUSE_CALL_MS)))
      for (const [index, { outcome }] of calls.entries())
        if (outcome !== 'answered')
          log.warn({ node: nodes[index], account, outcome }, 'restore does not wait for a node')
      return () => {
        for (const node of nodes) void resume(node, asked)
      }
    },
  }
}
