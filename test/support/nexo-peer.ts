// test/support/nexo-peer.ts — starts scripted nexo terminals as a process, and the driver for them with a clock that waits for both.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { Log } from '../../src/engine/ports/log.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import type { Entry } from '../../src/peers/nexo-terminal/ledger.ts'
import type { Members } from '../../src/peers/nexo-terminal/messages.ts'
import type { Received } from '../../src/peers/nexo-terminal/terminal.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { createNexoDriver } from '../../src/terminals/nexo/driver.ts'
import { createHttpsCarrier } from '../../src/terminals/nexo/https-carrier.ts'
import type { Carrier } from '../../src/terminals/nexo/line.ts'
import { createMemoryVault } from './memory-vault.ts'
import type { Script } from './nexo-script.ts'
import type { TerminalOrder } from './nexo-terminals.ts'
import { SeededRandom } from './seeded-random.ts'
import { silentLog } from './silent-log.ts'
import { aTerminal } from './simulated-shop.ts'
import { settleTurns, TestClock } from './test-clock.ts'

const PROGRAM = fileURLToPath(new URL('./nexo-terminals.ts', import.meta.url))
/** The key of all terminals. */
export const NEXO_KEY = { identifier: 'shop', version: 1, passphrase: 'Tollgate-Nexo-Test-1' }
const API_KEY = 'AQEyhmfxLI3MaBFLw0m'
/** Rounds of waiting for the terminals. More means that a request has got lost in the test. */
const MOST_ROUNDS = 5_000

/** Scripted terminals in a process of their own. */
export interface NexoPeer {
  /** Makes a terminal and returns its record, with a secret in the vault. */
  make(tid: string, order?: Partial<TerminalOrder>): Promise<Terminal>
  /** As `make`: one that is reached through the provider's cloud. */
  makeInCloud(
    tid: string,
    options?: { readonly isEncrypted?: boolean; readonly apiKey?: string; readonly isAsynchronous?: boolean },
  ): Promise<Terminal>
  script(terminal: Terminal, script: Script): Promise<void>
  finish(terminal: Terminal, result: Members): Promise<void>
  received(terminal: Terminal): Promise<readonly Received[]>
  /** Its ledger. */
  entries(terminal: Terminal): Promise<readonly Entry[]>
  /** @param isOutage only the network is gone: what runs on the terminal goes on */
  unplug(terminal: Terminal, isOutage?: boolean): Promise<void>
  /** Breaks its open connections. */
  cut(terminal: Terminal): Promise<void>
  plugIn(terminal: Terminal): Promise<void>
  /** Requests that the terminals leave open until somebody presents a card. */
  held(): Promise<number>
  readonly vault: ReturnType<typeof createMemoryVault>
  close(): Promise<void>
}

/** Starts the process. */
export async function startNexoPeer(): Promise<NexoPeer> {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('no output')
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  const vault = createMemoryVault()
  const order = async <Result>(name: string, body: object): Promise<Result> => {
    const response = await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Result
  }
  const named = ({ driverSettings }: Terminal) => ({ poiId: driverSettings?.['poiId'] })
  let last = 0
  async function made(given: Partial<TerminalOrder>) {
    last += 1
    const poiId = `V400m-${String(last).padStart(9, '0')}`
    const opened = await order<{ port: number; root: string }>('make', { poiId, key: NEXO_KEY, ...given })
    return { poiId, ...opened }
  }
  const sealed = async (tid: string, secret: string) => ({
    vault: await vault.storeText('demo', 'driver-secret', secret, tid),
  })
  const keyOf = async (tid: string) => ({
    ...{ keyIdentifier: NEXO_KEY.identifier, keyVersion: NEXO_KEY.version },
    passphrase: await sealed(tid, NEXO_KEY.passphrase),
  })
  return {
    vault,
    async make(tid, given = {}) {
      const { poiId, port: terminalPort, root } = await made(given)
      const driverSettings = {
        ...{ poiId, host: '127.0.0.1', port: terminalPort, environment: 'test', rootCertificate: root },
        ...(await keyOf(tid)),
      }
      return { ...aTerminal(tid), driver: 'nexo', driverSettings }
    },
    async makeInCloud(tid, { isEncrypted = false, apiKey = API_KEY, isAsynchronous = false } = {}) {
      const cloud = { apiKey: API_KEY, merchantAccount: 'HarbourCafe', isEncrypted }
      const { poiId, port: cloudPort, root } = await made({ cloud })
      const driverSettings = {
        ...{ transport: 'cloud', poiId, merchantAccount: cloud.merchantAccount, environment: 'test' },
        ...{ apiUrl: `https://localhost:${cloudPort}`, rootCertificate: root, apiKey: await sealed(tid, apiKey) },
        ...(isEncrypted ? await keyOf(tid) : {}),
        ...(isAsynchronous ? { asynchronous: true } : {}),
      }
      return { ...aTerminal(tid), driver: 'nexo', driverSettings }
    },
    script: (terminal, script) => order('script', { ...named(terminal), ...script }),
    finish: (terminal, result) => order('finish', { ...named(terminal), result }),
    received: terminal => order('received', named(terminal)),
    entries: terminal => order('entries', named(terminal)),
    unplug: (terminal, isOutage = false) => order('unplug', { ...named(terminal), isOutage }),
    cut: terminal => order('cut', named(terminal)),
    plugIn: terminal => order('plugIn', named(terminal)),
    held: async () => (await order<{ held: number }>('state', {})).held,
    async close() {
      child.stdin?.end()
      await once(child, 'exit')
    },
  }
}

export interface NexoBench {
  readonly driver: TerminalDriver
  readonly clock: TestClock
  readonly store: Store
}

/** A driver for terminals of the peer. The clock moves on when every request is answered, but for those that wait for a card. */
export function openNexoDriver(
  peer: NexoPeer,
  terminals: readonly Terminal[],
  given: {
    readonly store?: Store
    readonly clock?: TestClock
    readonly log?: Log
    readonly mode?: 'live' | 'sandbox'
  } = {},
): NexoBench {
  const pending = given.clock === undefined ? { count: 0 } : (PENDING.get(given.clock) ?? { count: 0 })
  const clock = given.clock ?? new TestClock(undefined, () => settled(peer, pending))
  PENDING.set(clock, pending)
  const store = given.store ?? openMemoryStore()
  const driver = createNexoDriver({
    ...{ store, clock, random: new SeededRandom(1), log: given.log ?? silentLog, vault: peer.vault },
    ...{ mode: given.mode ?? 'sandbox', carrier: counted(createHttpsCarrier({ clock }), pending) },
    terminals: async () => terminals,
    readFile: async path => {
      throw new Error(`no file ${path}`)
    },
    software: { name: 'Tollgate', version: '0' },
  })
  return { driver, clock, store }
}

/** The benches that tests of a file add: they are closed after each test. */
export function closedAfterEachTest(): NexoBench[] {
  const opened: NexoBench[] = []
  afterEach(async () => {
    for (const { driver, store } of opened.splice(0)) {
      await driver.close()
      await store.close()
    }
  })
  return opened
}

interface Pending {
  count: number
}

/** Of each clock. */
const PENDING = new WeakMap<TestClock, Pending>()

/** Waits until every request that the driver has begun is answered, or is one that a terminal leaves open. */
async function settled(peer: NexoPeer, pending: Pending): Promise<void> {
  let quiet = 0
  for (let round = 0; quiet < 2; round += 1) {
    if (round === MOST_ROUNDS) throw new Error(`${pending.count} requests are not answered`)
    await settleTurns()
    const before = pending.count
    const held = before === 0 ? 0 : await peer.held()
    quiet = held === before && pending.count === before ? quiet + 1 : 0
  }
}

/** Counts connections that are being opened and requests without an answer. */
function counted(carrier: Carrier, pending: Pending): Carrier {
  const counting = async <Result>(work: Promise<Result>): Promise<Result> => {
    pending.count += 1
    try {
      return await work
    } finally {
      pending.count -= 1
    }
  }
  return {
    async open(address, limitMs) {
      const line = await counting(carrier.open(address, limitMs))
      return { ...line, post: body => counting(line.post(body)), get: () => counting(line.get()) }
    },
  }
}
