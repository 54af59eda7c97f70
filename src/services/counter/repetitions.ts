// src/services/counter/repetitions.ts — corrects a terminal's DUPLICATE results by the gateway's records. ADR 40.

import { isRepetition, type OnRecord, truthOf } from '../../domain/counter/repetition.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { Ending } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Engine } from '../../engine/engine.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { TerminalDelivery } from '../../engine/ports/terminal.ts'
import type { Terminals } from './terminals.ts'

/** Returns a function that corrects the reports of a delivery. Most deliveries have nothing to correct. */
export function createRepetitions({
  engine,
  terminals,
  log,
}: {
  readonly engine: Engine
  readonly terminals: Terminals
  readonly log: Log
}) {
  async function recordOf(account: MerchantAccountId, id: RequestId): Promise<TerminalTransaction | null> {
    return (await engine.read(TERMINAL_TRANSACTION, { account, id }))?.record ?? null
  }

  /** The last transaction without DUPLICATEs. If only DUPLICATEs are listed, the one that the last of them repeated. */
  async function latestOn(account: MerchantAccountId, tid: TerminalId): Promise<TerminalTransaction | null> {
    let known: string | null = null
    for (const id of await terminals.lastOn(account, tid)) {
      const record = await recordOf(account, id)
      if (record === null) continue
      if (!isDuplicate(record)) return record
      known ??= record.repeated?.requestId ?? null
    }
    const record = known === null ? null : await recordOf(account, known)
    return record === null || isDuplicate(record) ? null : record
  }

  async function onRecord(account: MerchantAccountId, requestId: RequestId, { repeated }: Ending): Promise<OnRecord> {
    const original = await recordOf(account, requestId)
    return {
      repeated: repeated === null ? null : await recordOf(account, repeated.requestId),
      latest: original === null ? null : await latestOn(account, original.tid),
    }
  }

  async function putRight(delivery: TerminalDelivery): Promise<TerminalDelivery> {
    const { account, requestId } = delivery
    const reports = delivery.reports.map(async report => {
      if (report.type !== 'ended' || !isRepetition(report.ending)) return report
      const ending = truthOf(report.ending, await onRecord(account, requestId, report.ending))
      const [reported, known] = [report.ending, ending].map(
        ({ result, repeated }) => `${result} ${repeated?.requestId ?? ''}`,
      )
      if (reported !== known) log.info({ requestId, reported, known }, 'duplicate result of terminal corrected')
      return { ...report, ending }
    })
    return { ...delivery, reports: await Promise.all(reports) }
  }

  return async (delivery: TerminalDelivery): Promise<TerminalDelivery> =>
    delivery.reports.some(report => report.type === 'ended' && isRepetition(report.ending))
      ? putRight(delivery)
      : delivery
}

function isDuplicate({ request }: TerminalTransaction): boolean {
  return request.transactionType === 'DUPLICATE'
}
