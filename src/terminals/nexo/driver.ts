// src/terminals/nexo/driver.ts — terminals that speak nexo in JSON, in the local network or by cloud. They ask their own acquirer. ADR 83.
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { MerchantAccountId, RequestId } from '../../domain/ids.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { ReportCall, TerminalDriver, TerminalMemory } from '../../engine/ports/terminal.ts'
import { createDeliveries } from './deliveries.ts'
import { createExchanges, createReportExchanges, isSuccessful } from './journal.ts'
import type { Carrier } from './line.ts'
import { LineError } from './line.ts'
import { createLinks } from './links.ts'
import { createPayments } from './payments.ts'
import { takePosted } from './posted.ts'
import { createReports, type ReportsParts } from './reports.ts'
import { nexoMake, openSettings, type SettingsParts } from './settings.ts'
import { createStarts } from './starts.ts'

export interface NexoParts extends SettingsParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly carrier: Carrier
  /** Installed terminals of this make, of all accounts. */
  readonly terminals: () => Promise<readonly Terminal[]>
  readonly software: { readonly name: string; readonly version: string }
}

/** 120 s for the card, tip and PIN, and up to 150 s of processing at the terminal's platform. */
const LONGEST_MS = 400_000

/** Creates the driver. */
export function createNexoDriver(parts: NexoParts): TerminalDriver {
  const { store, clock, log } = parts
  const exchanges = createExchanges(store, clock)
  const reportNotes = createReportExchanges(store, clock)
  const deliveries = createDeliveries({ exchanges, reports: reportNotes, clock, log })
  let serves: (account: MerchantAccountId) => boolean = () => true
  const links = createLinks({
    ...parts,
    settingsOf: terminal => openSettings(parts, terminal),
    eventsOf: ({ merchantAccount: account, tid }) => ({
      isRunning: () => payments.openOn(account, tid).length > 0 || reports.isRunning(account, tid),
      onBack: () => void back(account, tid),
    }),
  })
  const payments = createPayments({ exchanges, deliveries, links, clock, log })
  const settled: ReportsParts['settled'] = (account, tid) =>
    Promise.all(payments.openOn(account, tid).map(open => open.question()))
  const reports = createReports({ ...parts, ...{ reports: reportNotes, exchanges, deliveries, links, settled } })
  const starts = createStarts({ ...{ exchanges, deliveries, links, payments, clock, log }, mode: parts.mode })

  /** Its own requests are asked for first, so that the gateway finds out what there is to know. */
  async function back(account: MerchantAccountId, tid: string): Promise<void> {
    await settled(account, tid)
    await deliveries.reconnected(account, tid)
  }

  /** Takes up what an earlier process has left. */
  async function resume(): Promise<void> {
    const ours = <Each extends { readonly note: { readonly account: string } }>(all: readonly Each[]) =>
      all.filter(({ note }) => serves(note.account))
    const left = ours(await exchanges.open()).map(async noted => {
      if (noted.note.phase === 'ended') await deliveries.end(noted)
      if (noted.note.phase === 'sent') await payments.resume(noted)
      if (noted.note.phase === 'intended') starts.expire(noted)
    })
    const leftReports = ours(await reportNotes.open()).map(async noted => {
      if (noted.note.phase === 'ended') await deliveries.reportEnded(noted)
      else if (noted.note.phase !== 'intended' && !reports.isRunning(noted.note.account, noted.note.tid))
        reports.resume(noted)
    })
    await Promise.all([...left, ...leftReports])
  }

  async function memoryOf(account: MerchantAccountId, terminal: Terminal, id: RequestId): Promise<TerminalMemory> {
    const report = await reportNotes.load(account, id)
    if (report !== null)
      return report.note.phase === 'ended' ? { state: 'ended', successful: true } : { state: 'running' }
    const noted = await starts.noted(terminal, id)
    const { phase, end } = noted.note
    if (phase === 'denied') return { state: 'forgotten' }
    if (end !== null) return { state: 'ended', successful: isSuccessful(end.ending) }
    return { state: 'running' }
  }

  return {
    ...nexoMake(parts.mode),
    authorisedBy: 'terminal',
    longestTransactionMs: LONGEST_MS,
    presence: links.presence,
    start: starts.start,
    cancel: starts.cancel,
    // The terminal checks signatures itself, and asks its own acquirer.
    async answerSignature() {},
    async answerAuthorisation() {},
    runReport: (call: ReportCall) => reports.run(call),
    async lastTransaction(terminal, requestId) {
      const account = terminal.merchantAccount
      const open = payments.find(account, requestId)
      if (open !== null && !open.lineIsOpen && !(await open.question()))
        throw new LineError('unreachable', `Terminal ${terminal.tid} does not say what became of the payment.`)
      return memoryOf(account, terminal, requestId)
    },
    takeNotification: (terminal, posted) =>
      takePosted({ exchanges, deliveries, links, payments, log }, terminal, posted),
    async listen(sink, isServed = () => true) {
      serves = isServed
      deliveries.listen(sink)
      await Promise.all([links.watch(serves), resume()])
    },
    async servesOthers() {
      await Promise.all([links.watch(serves), resume()])
    },
    async close() {
      payments.close()
      reports.close()
      starts.close()
      deliveries.close()
      links.close()
    },
  }
}
