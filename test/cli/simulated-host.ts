// test/cli/simulated-host.ts — starts `tollgate simulate acquirer` as a process, and reads its ledger.
import type { AcquirerUnderTest } from '../contract/acquirer.suite.ts'
import { type BenchHost, CARDS, type Iso8583Bench } from '../support/iso8583-bench.ts'
import { begin, type Running } from './tollgate.ts'

export type Json = Readonly<Record<string, unknown>>

export interface SimulatedHost extends Running {
  readonly port: number
  control(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Json }>
  /** Plays scenarios with the next messages. */
  plays(document: Json): Promise<void>
  entries(): Promise<readonly LedgerEntry[]>
}

/** An entry of its ledger, as its control port shows it. */
export interface LedgerEntry {
  readonly kind: string
  readonly state: string
  readonly terminal: string
  readonly stan: string
  readonly currency: string
  readonly amountMinor: number
  readonly takenMinor: number
  readonly responseCode: string | null
  readonly isClosed: boolean
}

/** Starts a host and waits until it listens. */
export async function simulatedHost(args: readonly string[]): Promise<SimulatedHost> {
  const running = begin(['simulate', 'acquirer', ...args])
  const [, port = '', url = ''] = await running.printed(/port (\d+)\. It is controlled at (\S+)\.\n/)
  const control: SimulatedHost['control'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, ...sent })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    ...{ ...running, port: Number(port), control },
    async plays(document) {
      const { status, body } = await control('PUT', '/scenarios', document)
      if (status !== 200) throw new Error(JSON.stringify(body))
    },
    entries: async () => (await control('GET', '/ledger')).body['entries'] as readonly LedgerEntry[],
  }
}

/** Money that an entry has moved: positive to the shop, negative to the cardholder. */
export function movedBy({ kind, takenMinor }: LedgerEntry): number {
  if (kind === 'refund') return -takenMinor
  return kind === 'charge' || kind === 'capture' ? takenMinor : 0
}

/** What the bench asks of the host. */
export function benchHost(host: SimulatedHost): BenchHost {
  return {
    async money(key) {
      const [terminal, stan] = key.split('/')
      const entries = await host.entries()
      const own = entries.filter(entry => entry.terminal.trim() === terminal && entry.stan === stan)
      return own.reduce((sum, entry) => sum + movedBy(entry), 0)
    },
    async cut() {
      await host.control('DELETE', '/connections')
    },
  }
}

/** The bench as the contract of acquirers has it. */
export function underTest(
  host: SimulatedHost,
  { acquirer, moneyOf, afterCrash, close }: Iso8583Bench,
): AcquirerUnderTest {
  return {
    ...{ acquirer, cards: CARDS, moneyOf },
    afterCrash: async () => underTest(host, await afterCrash()),
    async close() {
      await close()
      host.child.kill('SIGKILL')
    },
  }
}
