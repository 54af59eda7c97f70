// test/crash/mortal-gateway.ts — the built program on one data directory: killed, and started again, many times.
import { Agent } from 'node:http'
import { begin, type Ended, type Env } from '../cli/tollgate.ts'
import { type Deferred, deferred } from './deferred.ts'
import { stateOf } from './state.ts'

/** How long each wait may last, in milliseconds: many times what it takes on a machine that is busy with other things. */
export const PATIENCE_MS = {
  /** Until a gateway listens. */
  start: 90_000,
  death: 30_000,
  stop: 60_000,
  /** Until so many things have happened. */
  moment: 120_000,
  /** Without a word on a line; the longest wait that is asked for is 20 seconds, a sign of life comes every 15. */
  answer: 60_000,
  /** Until a payment or a visit of a waiter has ended, in one life of the gateway. */
  payment: 120_000,
  /** Until nothing about any of them can change any more. */
  rest: 120_000,
} as const

/** A gateway from one start to its death. */
export interface Life {
  /** Where it listens: on another port each time, so that nobody else can take it meanwhile. */
  readonly url: string
  readonly agent: Agent
  /** It was told to die or to stop. From here on a request may get no answer. */
  readonly doomed: boolean
}

export interface MortalGateway {
  /** `launcher`: as for `begin`. */
  start(launcher?: readonly string[]): void
  /** The gateway that runs, as soon as it listens. */
  up(): Promise<Life>
  /** Kills it with SIGKILL, whatever it is doing, and waits until it is dead. */
  kill(): Promise<void>
  /** Tells it to stop with SIGTERM, and waits for its end. */
  stop(): Promise<Ended>
  /**
   * Waits, but no longer than this in one life of the gateway. @throws Error that says what was waited for, and how the
   * gateway stands.
   */
  patiently<T>(what: string, limitMs: number, promise: Promise<T>): Promise<T>
  /** How the gateway stands, in lines. */
  state(): Promise<string>
  /** Rejects when a gateway ends that nobody has told to. */
  readonly failure: Promise<never>
  /** Milliseconds from each start until it listened. */
  readonly startTimesMs: readonly number[]
  /** Everything it has printed in the lives that are over. */
  readonly printed: readonly string[]
}

interface Running {
  readonly process: ReturnType<typeof begin>
  readonly agent: Agent
  /** By the process's own clock, milliseconds. */
  readonly begunAt: number
  url: string
  doomed: boolean
}

/** A gateway that is not running yet. `env` are its settings in every life. */
export function createMortalGateway(directory: string, env: Env = {}): MortalGateway {
  const startTimesMs: number[] = []
  const printed: string[] = []
  const failure = deferred<never>()
  // Whoever watches for it may come later.
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

  /** Rejects when no time is left. It is looked at after `limitMs`, and again after what was left then. */
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

  /** A gateway that is killed all the time gets a new limit with each life: what hangs, hangs in one that lives. */
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
    // Asked before each request, so a wait is only begun where there is one.
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
