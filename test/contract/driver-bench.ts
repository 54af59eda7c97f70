// test/contract/driver-bench.ts — a terminal driver under test with a pocket gateway, for both of its suites.
import { afterEach } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { TransactionRequest } from '../../src/domain/counter/transaction-events.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { ReportCall, TerminalCall, TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { PocketGateway } from '../support/pocket-gateway.ts'
import { aTransaction, SALE } from '../support/records.ts'
import type { TestClock } from '../support/test-clock.ts'

export interface DriverUnderTest {
  readonly driver: TerminalDriver
  readonly clock: TestClock
  /** Whether the terminals report each screen, as those do that leave authorisation to the gateway. Others report the end. */
  readonly reportsScreens: boolean
  /** Terminals by behaviour. Their payments are small, and their cards are approved. */
  readonly terminals: {
    readonly approving: Terminal
    /** No card is presented here. */
    readonly waiting: Terminal
  }
  /** Cuts a terminal's power, and restores it. */
  unplug(terminal: Terminal): Promise<void>
  plugIn(terminal: Terminal): Promise<void>
  /** The terminals as the next process of the gateway finds them; they have continued meanwhile. */
  afterCrash(): DriverUnderTest
  close(): Promise<void>
}

const APPROVAL = { answer: 'approved', authCode: 'AB12C3', reference: '1' } as const

/** Approves everything. */
const approves: Acquirer = {
  name: 'approves',
  authorise: async () => APPROVAL,
  capture: async () => APPROVAL,
  refund: async () => APPROVAL,
  verify: async () => APPROVAL,
  reverse: async () => 'reversed',
}

export type Bench<Under extends DriverUnderTest> = Under & { readonly gateway: PocketGateway }

/** Opens drivers under test, and closes them after each test. */
export function benchesOf<Under extends DriverUnderTest>(make: () => Under | Promise<Under>) {
  let opened: DriverUnderTest[] = []
  const bench = (under: Under): Bench<Under> => {
    opened.push(under)
    const { clock, driver } = under
    return { ...under, gateway: new PocketGateway({ clock, driver, acquirer: approves }) }
  }
  const open = async (): Promise<Bench<Under>> => {
    const opening = bench(await make())
    await opening.driver.listen(opening.gateway.sink)
    return opening
  }
  afterEach(async () => {
    for (const under of opened) {
      await under.driver.close()
      await under.close()
    }
    opened = []
  })
  return { bench, open }
}

export function call(gateway: PocketGateway, terminal: Terminal, requestId: string, effectId: string): TerminalCall {
  return { effectId, terminal, transaction: gateway.record(requestId) }
}

/** A start without a gateway. */
export function callOf(terminal: Terminal, requestId: string, request: Partial<TransactionRequest> = {}): TerminalCall {
  const transaction = aTransaction({ requestId, tid: terminal.tid, request: { ...SALE, ...request } })
  return { effectId: `${requestId}.1.terminal.start`, terminal, transaction }
}

/** Sequence numbers of a transaction's deliveries. */
export function sequences(gateway: PocketGateway, requestId: string): readonly number[] {
  return gateway.deliveries.filter(delivery => delivery.requestId === requestId).map(({ sequence }) => sequence)
}

export function reported(gateway: PocketGateway, type: string): number {
  return gateway.deliveries.flatMap(({ reports }) => reports).filter(report => report.type === type).length
}

export function oneTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** The numbers in order, each once: a terminal that does not report every screen has gaps. */
export function rising(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}

export function reportCall(terminal: Terminal, effectId = 'p1.1.terminal.run_report'): ReportCall {
  return {
    effectId,
    terminal,
    report: {
      requestId: 'p1',
      merchantAccount: terminal.merchantAccount,
      tid: terminal.tid,
      reportType: 'END_OF_DAY',
      progress: 'requested',
      version: 1,
      limitMs: 120_000,
      startedAt: 0,
      finishedAt: null,
      lastReport: 0,
      result: null,
      totals: null,
      lines: [],
    },
  }
}
