// test/simulation/world.ts — the whole gateway on a virtual clock, with store, terminals and acquirer that survive it, and
// seeded faults: crashes, lost and repeated reports, lost answers.
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { Log } from '../../src/engine/ports/log.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { TerminalDelivery, TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { seedSandbox } from '../../src/simulator/seed.ts'
import { type Gateway, wire } from '../../src/wire.ts'
import { createForgetfulMemory } from '../support/forgetful-memory.ts'
import { createMemoryVault } from '../support/memory-vault.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { openShopStore } from '../support/shop-store.ts'
import { keepingLog } from '../support/silent-log.ts'
import { silentMeters } from '../support/silent-meters.ts'
import { TestClock } from '../support/test-clock.ts'
import { type Life, mortalAcquirer, mortalClock, mortalImages, mortalMemory, mortalStore } from './mortal.ts'

/** Probability per thousand of each fault, each time it can occur. */
export interface Faults {
  readonly crashBeforeCommit: number
  readonly crashAfterCommit: number
  readonly reportLost: number
  readonly reportRepeated: number
  /** The gateway took the report, but the terminal gets no confirmation. */
  readonly receiptLost: number
  readonly callLost: number
  /** The acquirer performed the order, but its answer is lost. */
  readonly answerLost: number
  /** The order never reached the acquirer. */
  readonly orderLost: number
}

export const NO_FAULTS: Faults = {
  crashBeforeCommit: 0,
  crashAfterCommit: 0,
  reportLost: 0,
  reportRepeated: 0,
  receiptLost: 0,
  callLost: 0,
  answerLost: 0,
  orderLost: 0,
}

/** The faults that have a chance here, in alphabetical order. */
export function faultsIn(faults: Faults): readonly string[] {
  return Object.entries(faults)
    .flatMap(([name, perThousand]) => (perThousand > 0 ? [name] : []))
    .sort()
}

export interface World {
  readonly clock: TestClock
  readonly random: SeededRandom
  readonly store: Store & AccountImages
  readonly memory: SimulatedMemory
  readonly log: ReturnType<typeof keepingLog>
  faults: Faults
  /** Faults that were drawn so far. */
  readonly drawn: Set<keyof Faults>
  /** Times (on the clock) until which terminals, or the acquirer, cannot be reached. */
  readonly outage: { terminalsUntil: number; acquirerUntil: number }
  crashes: number
  /** Times of the kills, on the clock. */
  readonly deaths: readonly number[]
  /** The running gateway. */
  readonly gateway: Gateway
  /** Starts a gateway if none runs. */
  revive(): Promise<void>
  readonly alive: boolean
  /** Resolves when all work that needs no time is done. */
  settle(): Promise<void>
  /** Waits for work of the gateway, or for its kill: a killed gateway never answers. */
  unlessItDies(work: Promise<unknown>): Promise<void>
}

/** Opens a world with a running gateway and the demo accounts. */
export async function openWorld(seed: number, options: { readonly cachedRecords: number }): Promise<World> {
  const random = new SeededRandom(seed)
  const { store, pending } = await openShopStore()
  const { memory, crash } = createForgetfulMemory()
  const vault = createMemoryVault()
  const log = keepingLog()
  let life: Life = { alive: false }
  let gateway: Gateway | null = null
  const deaths: number[] = []
  const settle = async () => {
    // Idle for some event-loop turns in a row: promise chains take a few.
    for (let quiet = 0; quiet < 4; ) {
      await pending.nextAnswer()
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = (!life.alive || gateway === null || gateway.idle) && pending.count === 0 ? quiet + 1 : 0
    }
  }
  const clock = new TestClock(undefined, settle)
  const chance: Chance = fault => {
    const perThousand = world.faults[fault]
    const happens = perThousand > 0 && random.integer(1_000) < perThousand
    if (happens) world.drawn.add(fault)
    return happens
  }

  const world: World = {
    clock,
    random,
    store,
    memory,
    log,
    faults: NO_FAULTS,
    drawn: new Set(),
    outage: { terminalsUntil: 0, acquirerUntil: 0 },
    crashes: 0,
    deaths,
    get gateway() {
      if (gateway === null) throw new Error('no gateway runs')
      return gateway
    },
    get alive() {
      return life.alive
    },
    settle,
    async unlessItDies(work) {
      let settled = false
      const seen = work.finally(() => {
        settled = true
      })
      await Promise.race([seen, untilDead(life, () => settled)])
    },
    async revive() {
      if (life.alive) return
      const mine: Life = { alive: true }
      life = mine
      const die = () => {
        mine.alive = false
        crash()
        world.crashes += 1
        deaths.push(clock.now())
      }
      gateway = wire({
        clock: mortalClock(clock, mine),
        random,
        log: mortalLog(log, mine),
        meters: silentMeters,
        vault,
        webhookSender: { post: async () => ({ outcome: 'answered', status: 200 }) },
        store: mortalStore(store, mine, when => {
          if (chance(when === 'before' ? 'crashBeforeCommit' : 'crashAfterCommit')) die()
        }),
        simulated: { memory: mortalMemory(memory, mine), images: mortalImages(store, mine), paceMs: 500 },
        limits: {
          transactionMs: 200_000,
          keyedMs: 400_000,
          signatureMs: 80_000,
          reportMs: 120_000,
          tableLeaseMs: 300_000,
        },
        cachedRecords: options.cachedRecords,
        between: {
          driver: driver => lossyDriver(driver, world, chance),
          acquirer: acquirer => mortalAcquirer(lossyAcquirer(acquirer, world, chance), mine),
        },
      })
      let started = false
      const starting = world.unlessItDies(gateway.start()).then(() => {
        started = true
      })
      // Time passes while a gateway starts: undelivered reports are delivered again.
      for (await settle(); !started; ) await clock.advance(100)
      await starting
      await settle()
    },
  }
  await world.revive()
  await seedSandbox(world.gateway.provisioning, 'Europe/London')
  return world
}

/** Polls only while the work is pending: thousands of polls would outlive their worlds. */
async function untilDead(life: Life, settled: () => boolean): Promise<void> {
  while (life.alive && !settled()) await new Promise<void>(resolve => setImmediate(resolve))
}

function mortalLog(log: Log, life: Life): Log {
  const say = (level: 'info' | 'warn' | 'error') => (fields: Record<string, unknown>, message: string) => {
    if (life.alive) log[level](fields, message)
  }
  return { info: say('info'), warn: say('warn'), error: say('error') }
}

/** Draws a fault by its chance of now. */
type Chance = (fault: keyof Faults) => boolean

function lost(what: string): Promise<never> {
  return Promise.reject(new Error(`${what} lost`))
}

/** Between gateway and terminals: reports and calls may be lost or repeated. */
function lossyDriver(driver: TerminalDriver, world: World, chance: Chance): TerminalDriver {
  const out = () => world.clock.now() < world.outage.terminalsUntil
  const sinkOf = (sink: TerminalSink): TerminalSink => ({
    async report(delivery: TerminalDelivery) {
      if (out() || chance('reportLost')) return lost('report')
      await sink.report(delivery)
      if (chance('reportRepeated')) await sink.report(delivery)
      return chance('receiptLost') ? lost('receipt') : undefined
    },
    async reportProgress(delivery) {
      if (out() || chance('reportLost')) return lost('report')
      await sink.reportProgress(delivery)
      return chance('receiptLost') ? lost('receipt') : undefined
    },
    async atTable(account, by, question) {
      if (out() || chance('callLost')) return lost('question')
      const reply = await sink.atTable(account, by, question)
      return chance('receiptLost') ? lost('reply') : reply
    },
    reconnected: (account, tid) => sink.reconnected(account, tid),
  })
  return {
    name: driver.name,
    authorisedBy: driver.authorisedBy,
    presence: terminal => driver.presence(terminal),
    start: call => (out() || chance('callLost') ? lost('call') : driver.start(call)),
    cancel: call => (out() || chance('callLost') ? lost('call') : driver.cancel(call)),
    answerSignature: (call, answer) =>
      out() || chance('callLost') ? lost('call') : driver.answerSignature(call, answer),
    answerAuthorisation: (call, answer) =>
      out() || chance('callLost') ? lost('call') : driver.answerAuthorisation(call, answer),
    runReport: call => (out() || chance('callLost') ? lost('call') : driver.runReport(call)),
    lastTransaction: (terminal, requestId) => (out() ? lost('question') : driver.lastTransaction(terminal, requestId)),
    listen: sink => driver.listen(sinkOf(sink)),
    close: () => driver.close(),
  }
}

/** Between gateway and acquirer: an order or its answer may be lost. */
function lossyAcquirer(acquirer: Acquirer, world: World, chance: Chance): Acquirer {
  const out = () => world.clock.now() < world.outage.acquirerUntil
  const unsure = async <T extends { readonly answer: string }>(ask: () => Promise<T>) => {
    if (out() || chance('orderLost')) return { answer: 'unknown' } as const
    const answer = await ask()
    return chance('answerLost') ? ({ answer: 'unknown' } as const) : answer
  }
  return {
    name: acquirer.name,
    authorise: (order, purpose) => unsure(() => acquirer.authorise(order, purpose)),
    capture: order => unsure(() => acquirer.capture(order)),
    refund: order => unsure(() => acquirer.refund(order)),
    verify: order => unsure(() => acquirer.verify(order)),
    async reverse(reversal) {
      if (out() || chance('orderLost')) return 'unknown'
      const answer = await acquirer.reverse(reversal)
      return chance('answerLost') ? 'unknown' : answer
    },
  }
}
