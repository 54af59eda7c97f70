// src/simulator/terminals/terminal-runtime.ts — runs one simulated terminal: stores each step before anybody learns of it,
// takes steps when they are due, and repeats deliveries until the gateway confirms them.
import { type Activity, UNCOUNTED } from '../../engine/activity.ts'
import type { Alarm, Clocks } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { TerminalSink } from '../../engine/ports/terminal.ts'
import type { MemoryDocument, SimulatedMemory } from '../memory/memory.ts'
import { dueAtOf, type Input, react } from './behaviour.ts'
import { type DeviceState, freshDevice, isReachable, type Running } from './device.ts'
import type { FaultProfile } from './fault-profile.ts'
import { setBack } from './set-back.ts'
import { createWaiterLine } from './waiter-line.ts'

/** Version of the stored documents. Documents of another version are ignored, as if the terminal were new. */
const SHAPE = 3

/** Milliseconds before a delivery is repeated: doubling from first to last. */
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

export interface TerminalRuntimeParts {
  readonly memory: SimulatedMemory
  readonly clocks: Clocks
  /** Counts work under way. */
  readonly activity?: Activity
  readonly log: Log
  readonly random: Random
  /** Receiver of deliveries; null before the gateway listens. */
  readonly sink: () => TerminalSink | null
}

export interface TerminalRuntime {
  readonly state: DeviceState
  /** Applies an input. False when it changes nothing. It survives a kill when `stored` resolves. */
  take(input: Input): boolean
  /** Resolves when the state survives a kill. @throws Error when it cannot be written */
  stored(): Promise<void>
  /** Resumes what was under way. */
  wake(): void
  /** Resolves when the outbox is empty, or deliveries cannot get through. */
  drained(): Promise<void>
  close(): void
}

/** Loads the terminal from memory, or creates a new one. */
export function createTerminalRuntime(parts: TerminalRuntimeParts, account: string, tid: string): TerminalRuntime {
  const { memory, log, activity = UNCOUNTED } = parts
  const clock = parts.clocks.of(account)
  let state = storedDevice(memory, account, tid)
  let alarm: Alarm | null = null
  let tickIsComing = false
  let delivering = false
  let failures = 0
  let retry: Alarm | null = null
  let closed = false
  let waiting: (() => void)[] = []
  const stored = () => memory.written()
  const line = createWaiterLine({ ...parts, activity, account, tid, state: () => state, take, stored })

  function take(input: Input): boolean {
    const next = react(state, input, clock.now())
    if (next === state) return false
    // A confirmation may be lost: the delivery is then repeated, and recognised by its number. So only the last one is
    // written, and a busy terminal writes once per step.
    if (input.type !== 'delivered' || drainedOf(next)) memory.write(documentsOf(next, state))
    const { scriptStopped } = next
    if (scriptStopped !== undefined && scriptStopped !== state.scriptStopped)
      log.warn({ tid, scriptStopped }, 'a waiter script has stopped')
    const wasReachable = isReachable(state)
    state = next
    schedule()
    void pump()
    line.pump()
    if ((!wasReachable || input.type === 'reset') && isReachable(next)) tellReconnected()
    return true
  }

  /** Sets the alarm for the next step. A step that is due now runs after the current event-loop turn. */
  function schedule(): void {
    alarm?.cancel()
    alarm = null
    const dueAt = dueAtOf(state)
    if (closed || dueAt === null || tickIsComing) return
    if (dueAt > clock.now()) {
      alarm = clock.alarm(dueAt, tick)
    } else {
      tickIsComing = true
      queueMicrotask(() => {
        tickIsComing = false
        tick()
      })
    }
  }

  function tick(): void {
    if (closed) return
    try {
      if (!take({ type: 'time_passed' })) schedule()
    } catch (error) {
      log.error({ tid, error: String(error) }, 'simulated terminal could not go on')
      alarm = clock.alarm(clock.now() + LAST_RETRY_MS, tick)
    }
  }

  async function pump(): Promise<void> {
    if (delivering || retry !== null) return
    delivering = true
    activity.begin(account)
    try {
      for (;;) {
        await memory.written()
        const sink = parts.sink()
        const [delivery] = state.outbox
        const [progress] = state.reportOutbox
        if (closed || sink === null || !isReachable(state)) break
        const next = delivery ?? progress
        if (next === undefined) break
        if (delivery?.twice) await sink.report(delivery)
        if (delivery !== undefined) await sink.report(delivery)
        else if (progress !== undefined) await sink.reportProgress(progress)
        failures = 0
        if (!closed) take({ type: 'delivered', requestId: next.requestId, sequence: next.sequence })
      }
    } catch (error) {
      tryAgainLater(error)
    } finally {
      delivering = false
      activity.end(account)
    }
    if (closed || drainedOf(state) || !isReachable(state)) releaseWaiting()
  }

  function tryAgainLater(error: unknown): void {
    if (closed) return
    if (failures === 0) log.warn({ tid, error: String(error) }, 'simulated terminal could not deliver')
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS)
    failures += 1
    retry = clock.alarm(clock.now() + waitMs, () => {
      retry = null
      void pump()
    })
  }

  function tellReconnected(): void {
    activity.begin(account)
    const told = memory.written().then(() => parts.sink()?.reconnected(account, tid))
    // The gateway did not take it: the lost transaction then ends by its time limit.
    told
      .catch(error => log.warn({ tid, error: String(error) }, 'simulated terminal could not announce itself'))
      .finally(() => activity.end(account))
  }

  function releaseWaiting(): void {
    for (const resolve of waiting) resolve()
    waiting = []
  }

  clock.onSetBack(ms => {
    if (closed) return
    const next = setBack(state, ms)
    memory.write(documentsOf(next, state))
    state = next
    schedule()
  })

  return {
    get state() {
      return state
    },
    take,
    stored,
    wake() {
      schedule()
      void pump()
      line.pump()
    },
    async drained() {
      if (drainedOf(state) || !isReachable(state)) return
      await new Promise<void>(resolve => waiting.push(resolve))
    },
    close() {
      closed = true
      line.close()
      alarm?.cancel()
      retry?.cancel()
      releaseWaiting()
    },
  }
}

function drainedOf({ outbox, reportOutbox }: DeviceState): boolean {
  return outbox.length === 0 && reportOutbox.length === 0
}

/** The state of a terminal as it is stored, or of a new one. */
export function storedDevice(memory: SimulatedMemory, account: string, tid: string): DeviceState {
  const key = keyOf(account, tid)
  const fresh = freshDevice(account, tid)
  return { ...fresh, ...parsed(memory.read('device', key)), ...parsed(memory.read('journal', key)) }
}

/** The state in a stored document; empty for a missing document or another version. */
function parsed(body: string | null): Partial<DeviceState> {
  if (body === null) return {}
  const { shape, ...kept } = JSON.parse(body) as Partial<DeviceState> & { readonly shape: number }
  return shape === SHAPE ? withFaultProfile(kept) : {}
}

/** Version 0.1 stored the fault profile of a running transaction under `mischief`. */
function withFaultProfile(state: Partial<DeviceState>): Partial<DeviceState> {
  const running: (Running & { readonly mischief?: FaultProfile }) | null = state.running ?? null
  if (running?.mischief === undefined) return state
  const { mischief, ...rest } = running
  return { ...state, running: { ...rest, faults: mischief } }
}

/** Documents that differ from the previous state. The journal, which holds receipts, changes once per transaction. */
function documentsOf(next: DeviceState, before: DeviceState): readonly MemoryDocument[] {
  const { past, last, totals, ...doing } = next
  const place = { key: keyOf(next.account, next.tid), parent: next.account }
  const device: MemoryDocument = { ...place, collection: 'device', body: JSON.stringify({ shape: SHAPE, ...doing }) }
  if (past === before.past && last === before.last && totals === before.totals) return [device]
  return [device, { ...place, collection: 'journal', body: JSON.stringify({ shape: SHAPE, past, last, totals }) }]
}

/** Key of a terminal, unique across accounts. */
function keyOf(account: string, tid: string): string {
  return `${account}/${tid}`
}
