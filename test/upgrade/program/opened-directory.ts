// test/upgrade/program/opened-directory.ts — opens a data directory with today's program on a hand-driven clock. Only this
// folder imports the program's internals.
import { join } from 'node:path'
import { type Api, createApi } from '../../../src/api/api.ts'
import { publicKeyOf, signingKey } from '../../../src/cli/signing-key.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { lookAtCard } from '../../../src/platform/card-rules.ts'
import { ringInFile } from '../../../src/platform/vault/key-ring.ts'
import { openVault } from '../../../src/platform/vault/vault.ts'
import { createLedger } from '../../../src/simulator/acquirer/ledger.ts'
import type { Collection, SimulatedMemory } from '../../../src/simulator/memory/memory.ts'
import { createSqliteMemory } from '../../../src/simulator/memory/sqlite-memory.ts'
import { seedSandbox } from '../../../src/simulator/seed.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { type Gateway, type Parts, wire } from '../../../src/wire.ts'
import { SANDBOX_OPERATIONS } from '../../support/operations.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { silentMeters } from '../../support/silent-meters.ts'
import { TestClock } from '../../support/test-clock.ts'
import { SETTINGS } from '../maker/settings.ts'
import { type DecodedRecord, decoded, isItsFold, moneyFaultsIn } from './decoded-records.ts'
import { KINDS, SHELVES } from './kinds.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface OpenedDirectory {
  readonly clock: TestClock
  /** Starts the gateway. Resolves early when the last permitted commit is written meanwhile. */
  start(): Promise<void>
  ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Answer>
  /** Time on an account's clock. */
  now(account: string): number
  /** All records, in order of creation in each account. */
  records(): Promise<readonly DecodedRecord[]>
  /** Answers recorded for idempotency keys, by account. */
  idempotency(): Promise<unknown>
  /** Records that are not the fold of their events. */
  foldFaults(): Promise<readonly string[]>
  /** Records whose verdict differs from the acquirer's ledger. */
  moneyFaults(): Promise<readonly string[]>
  /** Money that the acquirer has moved to each account, minor units. */
  money(): Promise<Readonly<Record<string, number>>>
  /** Pending effects and due timers. */
  leftOver(): Promise<readonly string[]>
  /** Number of documents in each collection of the simulator's memory. */
  shelves(): Readonly<Record<string, number>>
  /** True after the last permitted commit. */
  readonly dead: boolean
  close(): Promise<void>
}

export interface OpenOptions {
  /** Epoch milliseconds. */
  readonly at: number
  /** Number of commits after which nothing is written, as after SIGKILL. Default: no limit. */
  readonly commits?: number
}

/** More than the directory holds. */
const ALL = 1_000_000

const configOf = (directory: string): Config => {
  const read = readConfig(SETTINGS, { data: directory })
  if ('problems' in read) throw new Error(read.problems.join(' '))
  return read.config
}

/** Merchants' servers. The path selects the answer. */
const WEBHOOK_SENDER: Parts['webhookSender'] = {
  post: async ({ url }) => ({ outcome: 'answered', status: url.includes('/broken') ? 500 : 200 }),
}

/** Opens the directory exclusively. */
export async function openDirectory(directory: string, { at, commits = ALL }: OpenOptions): Promise<OpenedDirectory> {
  const config = configOf(directory)
  const mortal = mortality(
    await openSqliteStore({ directory }),
    createSqliteMemory(join(directory, 'sandbox.db')),
    commits,
  )
  const { store, images, memory } = mortal
  let gateway: Gateway | null = null
  let api: Api | null = null
  const clock = new TestClock(at, async () => {
    for (let quiet = 0; quiet < 4; ) {
      // A simulated terminal tells nobody of a step before it is written.
      await Promise.race([memory.written(), mortal.death])
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = mortal.dead || gateway?.idle !== false ? quiet + 1 : 0
    }
  })
  const parts = await partsOf(config, mortal, clock)
  gateway = wire(parts)
  const opened = gateway
  /** Accounts of merchants, and of parts of the gateway that store records of their own. */
  const accounts = async () => {
    const pages = await Promise.all(KINDS.map(kind => store.all(kind, { limit: ALL })))
    return [...new Set(pages.flat().map(({ account }) => account))].toSorted()
  }
  const records = async () => {
    const each = (await accounts()).map(async account => {
      const image = await images.imageOf(account, [])
      return image.records.map(record => decoded(account, record))
    })
    return (await Promise.all(each)).flat()
  }
  const close = async () => {
    if (!mortal.dead) {
      await api?.close(0)
      await opened.stop()
    }
    await memory.close()
    await store.close()
  }
  return {
    clock,
    async start() {
      const taken = seedSandbox(opened.provisioning, config.timeZone).then(() => opened.start())
      await Promise.race([taken, mortal.death])
      if (mortal.dead) return
      api = await apiOver(config, parts, opened)
      await clock.advance(0)
    },
    async ask(method, path, headers, body) {
      if (api === null) throw new Error('nobody answers before the start')
      const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }
      const sent = { host: 'localhost', 'content-type': 'application/json', ...headers }
      const answer = api.inject({ method: method as 'GET', url: path, headers: sent, ...payload })
      const heard = await Promise.race([answer, mortal.death])
      return heard === undefined ? { status: 0, text: '' } : { status: heard.statusCode, text: heard.payload }
    },
    now: account => opened.clocks.of(account).now(),
    records,
    async idempotency() {
      const each = (await accounts()).map(async account => [account, (await images.imageOf(account, [])).idempotency])
      return Object.fromEntries(await Promise.all(each))
    },
    foldFaults: async () => (await records()).filter(each => !isItsFold(each)).map(({ kind, id }) => `${kind} ${id}`),
    moneyFaults: async () => moneyFaultsIn(await records(), memory),
    async money() {
      const ledger = createLedger(memory)
      const of = (account: string) =>
        ledger.list(account, ALL).reduce((sum, { orderId }) => sum + ledger.moneyOf(account, orderId), 0)
      const merchants = (await accounts()).filter(account => !account.startsWith('('))
      return Object.fromEntries(merchants.map(account => [account, of(account)]))
    },
    async leftOver() {
      const undone = (await store.undoneEffects(ALL)).map(({ type, id }) => `effect ${type} of ${id}`)
      const timers = (await store.dueTimers(Number.MAX_SAFE_INTEGER, ALL))
        .filter(({ account, dueAt }) => dueAt <= opened.clocks.of(account).now())
        .map(({ kind, id, name }) => `timer ${name} of ${kind} ${id}`)
      return [...undone, ...timers]
    },
    shelves: () =>
      Object.fromEntries(
        SHELVES.map(collection => [collection, memory.list(collection as Collection, { limit: ALL }).length]),
      ),
    get dead() {
      return mortal.dead
    },
    close,
  }
}

async function partsOf(config: Config, { store, images, memory }: Mortality, clock: TestClock): Promise<Parts> {
  const random = new SeededRandom(7)
  const ring = ringInFile(join(config.dataDirectory, 'vault.key'), clock)
  return {
    ...{ clock, random, log: keepingLog(), meters: silentMeters, store, webhookSender: WEBHOOK_SENDER },
    vault: await openVault({ store, ring, random, clock }),
    simulated: { memory, images, paceMs: config.paceMs },
    limits: {
      transactionMs: config.transactionLimitMs,
      keyedMs: config.keyedLimitMs,
      signatureMs: config.signatureWaitMs,
      reportMs: config.reportLimitMs,
      tableLeaseMs: config.tableLeaseMs,
    },
    cachedRecords: 1_000,
  }
}

async function apiOver(config: Config, { clock, random, log }: Parts, gateway: Gateway): Promise<Api> {
  const { provisioning: _, ...of } = gateway
  return createApi(
    {
      ...{ engine: of.engine, store: of.store, feed: of.feed, clock, clocks: of.clocks, random, log },
      ...{ transactions: of.transactions, reports: of.reports, tables: of.tables, posConnections: of.posConnections },
      ...{
        online: of.online,
        vault: of.vault,
        wallets: of.wallets,
        webhooks: of.webhooks,
        interceptor: of.interceptor,
      },
      tracing: null,
      cardRules: lookAtCard,
      gatewayKeys: [publicKeyOf(await signingKey(config.dataDirectory))],
      metrics: { observe() {}, refused() {}, refusalLineDropped() {}, text: async () => '', contentType: 'text/plain' },
      openTestAccount: null,
      settings: { ...config, closingKey: null, programVersion: '0.0.0-test', publicKey: null },
      ready: () => [],
    },
    { tls: null, operations: SANDBOX_OPERATIONS },
  )
}

interface Mortality {
  readonly store: Store
  readonly images: AccountImages
  readonly memory: SimulatedMemory
  readonly dead: boolean
  /** Resolves when all earlier writes are on disk. */
  readonly death: Promise<void>
}

/** A store and a memory that stop writing after the given number of commits, as if the program had been killed. */
function mortality(store: Store & AccountImages, memory: SimulatedMemory, commits: number): Mortality {
  let left = commits
  let dead = false
  let die = (): void => {}
  const death = new Promise<void>(resolve => (die = resolve))
  const written = new Set<Promise<unknown>>()
  const never = () => new Promise<never>(() => {})
  const through = <T>(write: () => Promise<T>): Promise<T> => {
    if (dead) return never()
    const work = write()
    written.add(work)
    return work.finally(() => written.delete(work))
  }
  return {
    store: {
      ...store,
      commit(commit) {
        left -= 1
        if (left < 0 && !dead) {
          dead = true
          void Promise.allSettled(written).then(die)
        }
        return through(() => store.commit(commit))
      },
      effectsDone: (account, ids) => through(() => store.effectsDone(account, ids)),
      erase: records => through(() => store.erase(records)),
      forgetExpired: now => through(() => store.forgetExpired(now)),
    },
    images: {
      ...store,
      putImage: (account, except, image) => through(() => store.putImage(account, except, image)),
    },
    memory: {
      ...memory,
      write: documents => void (dead || memory.write(documents)),
      written: () => through(() => memory.written()),
      replace: (parent, shelves, documents) => void (dead || memory.replace(parent, shelves, documents)),
      erase: (collection, key) => void (dead || memory.erase(collection, key)),
    },
    get dead() {
      return dead
    },
    death,
  }
}
