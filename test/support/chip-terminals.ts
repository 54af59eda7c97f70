// test/support/chip-terminals.ts — a second terminal driver: its terminals send chip data and a PIN block with each sale,
// and have no sandbox controls.
import { NO_CARD } from '../../src/domain/card.ts'
import { ChipData, PinBlock } from '../../src/domain/chip-data.ts'
import type { TerminalReport } from '../../src/domain/counter/transaction-events.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { TerminalDelivery, TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import { anEnding } from './records.ts'

export const CHIP_HEX = '5A0847618800000000279F2608A1B2C3D4E5F60718'
export const PIN_HEX = '0412AC89ABCDEF67'
const SERIAL = 'FFFF9876543210E00001'
const RETRY_MS = 1_000

/** State of a transaction on a terminal. It outlives the gateway's process. */
interface Known {
  state: 'running' | 'successful' | 'unsuccessful' | 'denied'
  delivered: number
  readonly outbox: Omit<TerminalDelivery, 'sequence'>[]
  /** Authorisation answers that the terminal received. */
  readonly told: string[]
}
/** What a card and its holder give the terminal, in hexadecimal. */
interface Given {
  readonly chip: string
  readonly pin: string
}
export type ChipMemory = Map<string, Known>

/** The driver over the terminals' state. */
export function createChipTerminals(
  clock: Clock,
  memory: ChipMemory = new Map(),
  given: Given = { chip: CHIP_HEX, pin: PIN_HEX },
): TerminalDriver {
  let sink: TerminalSink | null = null

  async function deliver(known: Known): Promise<void> {
    for (let next = known.outbox[0]; next !== undefined && sink !== null; next = known.outbox[0]) {
      try {
        await sink.report({ ...next, sequence: known.delivered + 1 })
      } catch {
        clock.alarm(clock.now() + RETRY_MS, () => void deliver(known))
        return
      }
      if (known.outbox[0] !== next) return
      known.outbox.shift()
      known.delivered += 1
    }
  }

  const report = (known: Known, account: string, requestId: string, what: TerminalReport): void => {
    const cardData = { chip: new ChipData(given.chip), pin: new PinBlock(given.pin, SERIAL) }
    const beside = what.type === 'authorisation_requested' ? { cardData } : {}
    known.outbox.push({ account, requestId, reports: [what], ...beside })
    if (known.outbox.length === 1) void deliver(known)
  }

  return {
    name: 'chip',
    authorisedBy: 'gateway',
    capabilities: { reads: ['ICC_CHIP'], verifies: ['PIN'] },
    presence: () => ({ paperOut: false }),
    async start({ terminal, transaction }) {
      const { requestId, amounts } = transaction
      if (memory.has(requestId)) return
      const known: Known = { state: 'running', delivered: 0, outbox: [], told: [] }
      memory.set(requestId, known)
      const card = { ...NO_CARD, paymentMethod: 'ICC_CHIP', primaryAccountNumber: '************0027' } as const
      const say = (what: TerminalReport) => report(known, terminal.merchantAccount, requestId, what)
      say({ type: 'card_read', card })
      say({ type: 'authorisation_requested', cardToken: 'chip-1', amounts, card })
    },
    async answerAuthorisation({ terminal, transaction: { requestId } }, { answer }) {
      const known = memory.get(requestId)
      if (known?.state !== 'running') return
      known.told.push(answer)
      const successful = answer === 'approved'
      known.state = successful ? 'successful' : 'unsuccessful'
      const ending = anEnding({ result: successful ? 'SUCCESSFUL' : 'UNSUCCESSFUL' })
      report(known, terminal.merchantAccount, requestId, { type: 'ended', ending })
    },
    async cancel() {},
    async answerSignature() {},
    async runReport() {
      throw new Error('these terminals print no reports')
    },
    async lastTransaction(_terminal, requestId) {
      const known = memory.get(requestId)
      if (known === undefined) memory.set(requestId, { state: 'denied', delivered: 0, outbox: [], told: [] })
      switch (known?.state) {
        case 'running':
          return { state: 'running' }
        case 'successful':
        case 'unsuccessful':
          return { state: 'ended', successful: known.state === 'successful' }
        case 'denied':
        case undefined:
          return { state: 'forgotten' }
      }
    },
    async listen(given) {
      sink = given
      await Promise.all([...memory.values()].map(deliver))
    },
    async close() {
      sink = null
    },
  }
}
