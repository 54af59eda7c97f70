// src/simulator/terminals/waiter-line.ts — sends the waiter's requests from a simulated terminal to the gateway, one at a
// time, repeated until answered.
import type { Activity } from '../../engine/activity.ts'
import type { Alarm, Clocks } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { TerminalSink } from '../../engine/ports/terminal.ts'
import type { Input } from './behaviour.ts'
import { type DeviceState, isReachable } from './device.ts'
import { wantsNumber } from './session-steps.ts'

/** Milliseconds before a failed request is repeated. */
const RETRY_MS = 1_000

export interface WaiterLine {
  /** Sends the pending request, unless it is being sent already. */
  pump(): void
  close(): void
}

interface WaiterLineParts {
  readonly clocks: Clocks
  readonly log: Log
  readonly random: Random
  /** Null before the gateway listens. */
  readonly sink: () => TerminalSink | null
  readonly activity: Activity
  readonly account: string
  readonly tid: string
  readonly state: () => DeviceState
  readonly take: (input: Input) => boolean
  /** Resolves when the terminal's state survives a kill. */
  readonly stored: () => Promise<void>
}

export function createWaiterLine(parts: WaiterLineParts): WaiterLine {
  const { account, tid, log, activity, random, state, take } = parts
  const clock = parts.clocks.of(account)
  let asking: number | null = null
  let retry: Alarm | null = null
  let closed = false

  function pump(): void {
    const { session } = state()
    const ask = session?.ask ?? null
    const sink = parts.sink()
    if (closed || session === null || ask === null || sink === null || !isReachable(state())) return
    if (ask.retryAt !== null || asking === ask.number || retry !== null) return
    if (wantsNumber(state())) {
      // The id is stored before the request is sent, so that a repetition is the same request.
      take({ type: 'numbered', id: random.uuid() })
      return
    }
    asking = ask.number
    activity.begin(account)
    parts
      .stored()
      .then(() => sink.atTable(account, { tid, waiterId: session.waiterId }, ask.question))
      .then(reply => {
        asking = null
        if (!closed && isReachable(state())) take({ type: 'waiter_answered', number: ask.number, reply })
      })
      .catch(error => {
        asking = null
        log.warn({ tid, error: String(error) }, 'waiter request of simulated terminal failed')
        later()
      })
      .finally(() => {
        activity.end(account)
        pump()
      })
  }

  function later(): void {
    if (closed) return
    retry = clock.alarm(clock.now() + RETRY_MS, () => {
      retry = null
      pump()
    })
  }

  return {
    pump,
    close() {
      closed = true
      retry?.cancel()
    },
  }
}
