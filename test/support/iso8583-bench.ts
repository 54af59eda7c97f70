// test/support/iso8583-bench.ts — the ISO 8583 acquirer over a host that is a process of its own.
import type { Values } from '../../src/acquirers/iso8583/compose.ts'
import { createHostConnection, type HostConnection } from '../../src/acquirers/iso8583/connection/host-connection.ts'
import type { Dialect } from '../../src/acquirers/iso8583/dialect.ts'
import type { DialectDocument } from '../../src/acquirers/iso8583/dialect-schema.ts'
import { createIso8583Acquirer } from '../../src/acquirers/iso8583/orders/acquirer.ts'
import { createJournal, type OrderNote } from '../../src/acquirers/iso8583/orders/journal.ts'
import { CardNumber } from '../../src/domain/card-number.ts'
import { money } from '../../src/domain/money.ts'
import type { Acquirer, AcquirerOrder } from '../../src/engine/ports/acquirer.ts'
import type { PaymentKeys } from '../../src/engine/ports/payment-keys.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { createSocketOpener } from '../../src/platform/socket-opener.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { type AcquirerHost, dialectOf, hostDialect, until } from './acquirer-host.ts'
import { createMemoryVault } from './memory-vault.ts'
import { SeededRandom } from './seeded-random.ts'
import { keepingLog } from './silent-log.ts'
import { TestClock } from './test-clock.ts'

/** Cards by their tokens. The host declines the second one. */
export const CARDS = { approved: 'card-approved', declined: 'card-declined' } as const
const NUMBERS: Readonly<Record<string, string>> = {
  [CARDS.approved]: '4761739001010119',
  [CARDS.declined]: '4761739001010135',
}

export interface Iso8583Bench {
  readonly acquirer: Acquirer
  readonly connection: HostConnection
  readonly dialect: Dialect
  /** Values of the fields that the dialect lists as settings. */
  readonly settings: Values
  readonly clock: TestClock
  readonly store: Store
  readonly vault: ReturnType<typeof createMemoryVault>
  readonly log: ReturnType<typeof keepingLog>
  /** What is noted of an order. */
  note(orderId: string, account?: string): Promise<OrderNote | null>
  /** Money that the order has moved at the host. */
  moneyOf(account: string, orderId: string): Promise<number>
  /** The same after a crash: nothing but store and vault is left. */
  afterCrash(): Promise<Iso8583Bench>
  close(): Promise<void>
}

export interface BenchParts {
  readonly clock: TestClock
  readonly store: Store
  readonly vault: ReturnType<typeof createMemoryVault>
  /** What the host of the tests has otherwise than usual. */
  readonly dialect: Partial<DialectDocument>
  /** The whole dialect, for another host than that of the tests. */
  readonly document: DialectDocument
  readonly keys: PaymentKeys
  readonly terminalKey: string
  /** Whether it waits until the host is signed on to. Default: true. */
  readonly connects: boolean
}

/** What the bench needs of a host. */
export type BenchHost = Pick<AcquirerHost, 'money' | 'cut'>

/** Opens the acquirer, and waits for its connection. */
export async function openIso8583(
  host: BenchHost,
  port: number,
  given: Partial<BenchParts> = {},
): Promise<Iso8583Bench> {
  const { clock = new TestClock(), store = openMemoryStore(), vault = createMemoryVault() } = given
  const dialect = given.document === undefined ? hostDialect(given.dialect) : dialectOf(given.document)
  const log = keepingLog()
  const { keys = null, terminalKey = null } = given
  const settings = settingsFor(dialect)
  const process = { isDead: false }
  const opened = createIso8583Acquirer({
    ...{ name: 'iso8583', store: diesWith(process, store), clock, vault, log, dialect },
    ...{ settingsOf: () => settings, timeZone: 'Europe/London', keys, terminalKey },
    connect: nextStan =>
      createHostConnection({
        ...{ dialect, addresses: [{ host: '127.0.0.1', port }], tls: null, clock, log, settings, nextStan },
        ...{ opener: createSocketOpener({ clock }), random: new SeededRandom(1), keys, timeZone: 'Europe/London' },
      }),
  })
  const { connection } = opened
  await opened.start()
  if (given.connects !== false) await until(() => connection.address !== null, 'the connection')
  const journal = createJournal(store, clock)
  const note: Iso8583Bench['note'] = async (orderId, account = 'demo') =>
    (await journal.load(account, orderId))?.note ?? null
  const stop = async () => {
    if (process.isDead) return
    const closing = opened.close(0)
    await clock.advance(0)
    await closing
  }
  return {
    ...{ acquirer: withCards(opened), connection, dialect, settings, clock, store, vault, log, note },
    async moneyOf(account, orderId) {
      const fields = (await note(orderId, account))?.sent?.fields
      if (fields === undefined) return 0
      return host.money([fields[41]?.trim(), fields[11], fields[12], fields[13]].join('/'))
    },
    async afterCrash() {
      process.isDead = true
      void opened.close(0)
      await host.cut()
      return openIso8583(host, port, { ...given, clock, store, vault })
    },
    close: stop,
  }
}

/** Values of the fields that a dialect lists as settings. */
function settingsFor({ document }: Dialect): Values {
  const all: Values = {
    ...{
      18: '5411',
      24: '003',
      26: '5411',
      32: '123456',
      41: '29110001',
      42: 'SHOP',
      43: 'Harbour Cafe',
      60: '000001',
    },
  }
  return Object.fromEntries(document.settings.map(number => [number, all[number] ?? '']))
}

/** What a dead process commits never ends. */
function diesWith(process: { readonly isDead: boolean }, store: Store): Store {
  return { ...store, commit: given => (process.isDead ? new Promise(() => {}) : store.commit(given)) }
}

/** Orders with a token of `CARDS` get its number, as those of online payments have it. */
function withCards(acquirer: Acquirer): Acquirer {
  const known = <Order extends AcquirerOrder>(order: Order): Order => {
    const digits = NUMBERS[order.cardToken]
    if (digits === undefined) return order
    const card = { number: new CardNumber(digits, 'VISA'), expiry: { month: 12, year: 2030 }, holder: '' }
    return { ...order, online: { card, securityCode: null, proof: null, walletProof: null } }
  }
  return {
    ...acquirer,
    authorise: (order, purpose) => acquirer.authorise(known(order), purpose),
    capture: order => acquirer.capture(known(order)),
    refund: order => acquirer.refund(known(order)),
    verify: order => acquirer.verify(known(order)),
  }
}

export function anOrder(orderId: string, amountMinor = 2599): AcquirerOrder {
  return { orderId, account: 'demo', amount: money(amountMinor, 'GBP'), cardToken: CARDS.approved }
}

/** Lets the clock pass to the next step of an order, and waits until it is in a phase. */
export async function untilPhase(bench: Iso8583Bench, orderId: string, phase: OrderNote['phase']): Promise<void> {
  await bench.clock.advance(0)
  await until(async () => (await bench.note(orderId))?.phase === phase, `${orderId} is ${phase}`)
}
