// src/engine/repetitions.ts — what terminals report of their last transaction, put right by what the gateway knows. ADR 40.
import { isRepetition, type OnRecord, truthOf } from '../domain/repetition.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'
import type { Ending } from '../domain/terminal-transaction-events.ts'
import type { Engine } from './engine.ts'
import { TERMINAL_TRANSACTION } from './machines.ts'
import type { TerminalDelivery } from './ports.ts'
import type { Soon } from './soon.ts'
import type { Terminals } from './terminals.ts'

/** Returns a function that puts the reports of a delivery right. Hardly any is about a last transaction. */
export function createRepetitions({ engine, terminals }: { readonly engine: Engine; readonly terminals: Terminals }) {
  async function recordOf(account: string, id: string): Promise<TerminalTransaction | null> {
    return (await engine.read(TERMINAL_TRANSACTION, { account, id }))?.record ?? null
  }

  /** What a DUPLICATE has repeated was the last one then; so a till may ask as often as it likes. */
  async function latestOn(account: string, tid: string): Promise<TerminalTransaction | null> {
    for (const id of await terminals.lastOn(account, tid)) {
      const record = await recordOf(account, id)
      if (record === null) continue
      if (record.request.transactionType !== 'DUPLICATE') return record
      const repeated = record.repeated === null ? null : await recordOf(account, record.repeated.requestId)
      if (repeated !== null) return repeated
    }
    return null
  }

  async function onRecord(account: string, requestId: string, { repeated }: Ending): Promise<OnRecord> {
    const asked = await recordOf(account, requestId)
    return {
      repeated: repeated === null ? null : await recordOf(account, repeated.requestId),
      latest: asked === null ? null : await latestOn(account, asked.tid),
    }
  }

  async function putRight(delivery: TerminalDelivery): Promise<TerminalDelivery> {
    const { account, requestId } = delivery
    const reports = delivery.reports.map(async report =>
      report.type === 'ended' && isRepetition(report.ending)
        ? { ...report, ending: truthOf(report.ending, await onRecord(account, requestId, report.ending)) }
        : report,
    )
    return { ...delivery, reports: await Promise.all(reports) }
  }

  return (delivery: TerminalDelivery): Soon<TerminalDelivery> =>
    delivery.reports.some(report => report.type === 'ended' && isRepetition(report.ending))
      ? putRight(delivery)
      : delivery
}
