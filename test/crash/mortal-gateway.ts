// test/crash/mortal-gateway.ts — runs the built program on one data directory; kills and restarts it many times.
import { Agent } from 'node:http'
import { begin, type Ended, type Env } from '../cli/tollgate.ts'
import { type Deferred, deferred } from './deferred.ts'
import { stateOf } from './state.ts'

/** Limit of each wait, milliseconds: many times the usual duration, for a busy machine. */
export const PATIENCE_MS = {
  /** Until a gateway listens. */
  start: 90_000,
  death: 30_000,
  stop: 60_000,
  /** Until the events of a moment have occurred. */
  moment: 120_000,
  /** Longest silence on a connection. The longest requested wait is 20 seconds, a heartbeat comes every 15. */
  answer: 60_000,
  /** Until a payment or a waiter's session has ended, in one life of the gateway. */
  payment: 120_000,
  /** Until no payment or table can change any more. */
  rest: 120_000,
} as const

/** A gateway from one start to its end. */
export interface Life {
  /** Its address, with a new port each time, so that no other process can take the port meanwhile. */
  readonly url: string
  readonly agent: Agent
  /** Killed or stopping: from here on a request may get no answer. */
  readonly doomed: boolean
}

export interface MortalGateway {
  /** `launcher`: as for `begin`. */
  start(launcher?: readonly string[]): void
  /** Resolves to the running gateway once it listens. */
  up(): Promise<Life>
  /** Kills it with SIGKILL and waits until it is dead. */
  kill(): Promise<void>
  /** Stops it with SIGTERM and waits for its end. */
  stop(): Promise<Ended>
  /**
   * Waits for a promise, at most this long in one life of the gateway. @throws Error with what was waited for, and the state
   * of the gateway.
   */
  patiently<T>(what: string, limitMs: number, promise: Promise<T>): Promise<T>
  /** State of the gateway, as text. */
  state(): Promise<string>
  /** Rejects when a gateway ends unexpectedly. */
  readonly failure: Promise<never>
  /** Milliseconds from each start until it listened. */
  readonly startTimesMs: readonly number[]
  /** Output of each ended life. */
  readonly printed: readonly string[]
}

interface Running {
  readonly process: ReturnType<typeof begin>
  readonly agent: Agent
  /** Start time on the process's clock, milliseconds. */
  readonly begunAt: number
  url: string
  doomed: boolean
}

/** Creates a gateway that does not run yet. `env`: settings of every life. */
export function createMortalGateway(directory: string, env: Env = {}): MortalGateway {
  const startTimesMs: number[] = []
  const printed: string[] = []
  const failure = deferred<never>()
  // A handler may be attached later.
  failure.promise.catch(() => {})
  let opening: Deferred<Life> = deferred()
  let running: Running | null = null
  let last: Running | null = null

  async function watch(begun: Running): Promise<void> {
    const ended = await begun.process.ended
    printed.push(ended.stdout, ended.stderr)
    if (!begun.doomed) failure.reject(new Error(`the gateway ended by itself with ${ended.code}: ${ended.stderr}`))
  }

  async function listen(begun: Running): Promise<void> {
    const found = await begun.process.printed(/"listening":"([^"]+)"/).catch(() => null)
    if (found === null || begun.doomed) return
    startTimesMs.push(performance.now() - begun.begunAt)
    begun.url = found[1] ?? ''
    opening.resolve(begun)
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    if (running === null) throw new Error('no gateway runs')
    const limitMs = signal === 'SIGKILL' ? PATIENCE_MS.death : PATIENCE_MS.stop
    const dying = running
    running = null
    dying.doomed = true
    if (dying.url !== '') opening = deferred()
    dying.process.child.kill(signal)
    const ended = await within(`its end by ${signal}`, limitMs, () => 0, dying.process.ended)
    dying.agent.destroy()
    return ended
  }

  const state = () => stateOf(running?.url ?? '', (running ?? last)?.process.said() ?? '')

  /** Rejects when no time is left. Checked after `limitMs`, and again after the time that was left then. */
  async function within<T>(what: string, limitMs: number, leftMs: () => number, promise: Promise<T>): Promise<T> {
    const late = deferred<never>()
    let settled = false
    const look = async () => {
      if (settled) return
      const left = leftMs()
      if (left > 0) wait(left)
      else late.reject(new Error(`${what} has not come in ${limitMs} ms\n${await state()}`))
    }
    const wait = (ms: number) => AbortSignal.timeout(Math.ceil(ms)).addEventListener('abort', look)
    wait(limitMs)
    return Promise.race([promise, late.promise]).finally(() => {
      settled = true
    })
  }

  /** Each life of the gateway has a new limit: only a gateway that is alive can hang. */
  const patiently = <T>(what: string, limitMs: number, promise: Promise<T>) =>
    within(what, limitMs, () => (last === null ? 0 : limitMs - (performance.now() - last.begunAt)), promise)

  return {
    start(launcher = []) {
      const process = begin(['serve', '--json', '--data', directory], env, launcher)
      running = { process, agent: new Agent({ keepAlive: true }), begunAt: performance.now(), url: '', doomed: false }
      last = running
      void watch(running)
      void listen(running)
    },
    // Called before each request, so it waits only when it must.
    up: async () =>
      running !== null && running.url !== ''
        ? running
        : patiently('a gateway that listens', PATIENCE_MS.start, opening.promise),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    patiently,
    state,
    failure: failure.promise,
    startTimesMs,
    printed,
  }
}
