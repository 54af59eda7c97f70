// test/support/pocket-gateway.ts — the smallest gateway that runs a counter transaction: domain functions over a map, with
// immediate effects. Makes tests of drivers and acquirers independent of the engine.

import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { apply, type TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import {
  authorisationAnswerTo,
  decide,
  effectsOf,
  stillWanted,
  type TransactionCommand,
  type TransactionEffect,
} from '../../src/domain/counter/transaction-decisions.ts'
import {
  preAuthorisedTotalOf,
  type TransactionEvent,
  type TransactionRequest,
} from '../../src/domain/counter/transaction-events.ts'
import type { EventEnvelope } from '../../src/domain/machine.ts'
import { money } from '../../src/domain/money.ts'
import type { Acquirer, AcquirerAnswer } from '../../src/engine/ports/acquirer.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { ReportDelivery, TerminalDelivery, TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import { SALE } from './records.ts'

export interface PocketParts {
  readonly clock: Clock
  readonly driver: TerminalDriver
  readonly acquirer: Acquirer
}

/** Runs transactions. A test causes failures by hand. */
export class PocketGateway {
  readonly records = new Map<string, TerminalTransaction>()
  readonly terminals = new Map<string, Terminal>()
  readonly deliveries: TerminalDelivery[] = []
  /** Report deliveries received. */
  readonly progress: ReportDelivery[] = []
  readonly reconnections: string[] = []
  /** While false, the gateway counts as crashed: it takes no reports and performs no effects. */
  alive = true
  #started = 0
  readonly #parts: PocketParts

  constructor(parts: PocketParts) {
    this.#parts = parts
  }

  readonly sink: TerminalSink = {
    report: async delivery => {
      if (!this.alive) throw new Error('the gateway is down')
      this.deliveries.push(delivery)
      const { sequence, reports } = delivery
      await this.execute(delivery.requestId, { type: 'terminal_reports', sequence, reports }, sequence)
    },
    reportProgress: async delivery => {
      if (!this.alive) throw new Error('the gateway is down')
      this.progress.push(delivery)
    },
    atTable: async () => ({ reply: 'refused', says: 'There are no tables here.' }),
    reconnected: async (account, tid) => {
      this.reconnections.push(`${account}/${tid}`)
    },
  }

  /** Continues from the state of an earlier gateway, which has crashed. */
  takeUp(earlier: PocketGateway): void {
    for (const [requestId, record] of earlier.records) this.records.set(requestId, record)
    for (const [tid, terminal] of earlier.terminals) this.terminals.set(tid, terminal)
    this.#started = earlier.#started
  }

  /** Starts a transaction on a terminal. Returns its id. */
  async start(terminal: Terminal, request: Partial<TransactionRequest> = {}): Promise<string> {
    const requestId = `r${++this.#started}`
    const { driver } = this.#parts
    const presence = driver.presence(terminal)
    const facts = {
      terminal: presence === null ? null : { authorisedBy: driver.authorisedBy, ...presence },
      live: null,
      limits: { transactionMs: 200_000, signatureMs: 80_000 },
    }
    this.terminals.set(terminal.tid, terminal)
    const { merchantAccount, tid } = terminal
    const decision = decide(
      null,
      {
        type: 'start',
        requestId,
        merchantAccount,
        tid,
        request: { ...SALE, ...request },
        partner: { softwareHouseId: null, installerId: null },
      },
      facts,
    )
    if ('refused' in decision) throw new Error(`refused: ${decision.refused.code}`)
    await this.#take(requestId, decision.events, 0)
    return requestId
  }

  /** Executes any later command. */
  async execute(requestId: string, command: TransactionCommand, report = 0): Promise<void> {
    const record = this.records.get(requestId)
    if (record === undefined) return
    const decision = decide(record, command, null)
    if ('events' in decision) await this.#take(requestId, decision.events, report)
  }

  record(requestId: string): TerminalTransaction {
    const record = this.records.get(requestId)
    if (record === undefined) throw new Error(`no transaction ${requestId}`)
    return record
  }

  /** Oldest first. */
  notifications(requestId: string): string {
    return this.record(requestId).notifications.join(' ')
  }

  /** Repeats a reversal that was not answered, and asks the terminal for the result of a transaction with an unknown outcome. */
  async reconcile(requestId: string): Promise<void> {
    const record = this.record(requestId)
    if (stillWanted('acquirer.reverse', record)) return this.#reverse(record)
    if (!stillWanted('transaction.reconcile', record)) return
    const memory = await this.#parts.driver.lastTransaction(this.#terminalOf(record), requestId)
    if (memory.state === 'running') return
    const delivered = memory.state === 'ended' && memory.successful
    await this.execute(requestId, {
      type: 'acquirer_reports',
      reports: [delivered ? { type: 'authorisation_confirmed' } : { type: 'reversal_requested', why: 'not_delivered' }],
    })
  }

  async #take(requestId: string, events: readonly TransactionEvent[], report: number): Promise<void> {
    const effects: { readonly id: string; readonly payload: TransactionEffect }[] = []
    for (const event of events) {
      const envelope: EventEnvelope<TransactionEvent> = { event, at: this.#parts.clock.now(), report }
      const record = apply(this.records.get(requestId) ?? null, envelope)
      this.records.set(requestId, record)
      effects.push(...effectsOf(event, record))
    }
    for (const { id, payload } of effects) await this.#perform(requestId, id, payload)
  }

  async #perform(requestId: string, effectId: string, payload: TransactionEffect): Promise<void> {
    const transaction = this.record(requestId)
    if (!this.alive || !stillWanted(payload.type, transaction)) return
    const { driver } = this.#parts
    const call = { effectId, terminal: this.#terminalOf(transaction), transaction }
    switch (payload.type) {
      case 'terminal.start':
        return driver.start(call)
      case 'terminal.cancel':
        return driver.cancel(call)
      case 'terminal.answer_signature':
        return driver.answerSignature(call, payload)
      case 'terminal.answer_authorisation':
        return driver.answerAuthorisation(call, authorisationAnswerTo(transaction))
      case 'acquirer.authorise':
        return this.#authorise(transaction, effectId, payload)
      case 'acquirer.reverse':
        return this.#reverse(transaction)
      case 'transaction.reconcile':
        return this.reconcile(requestId)
    }
  }

  async #reverse({ requestId, authorisationId, merchantAccount: account }: TerminalTransaction): Promise<void> {
    const answer = await this.#parts.acquirer.reverse({ orderId: authorisationId ?? '', account })
    if (answer === 'reversed')
      await this.execute(requestId, { type: 'acquirer_reports', reports: [{ type: 'reversed' }] })
  }

  async #authorise(
    transaction: TerminalTransaction,
    orderId: string,
    { cardToken, amountMinor }: { readonly cardToken: string; readonly amountMinor: number },
  ): Promise<void> {
    const { request, requestId, merchantAccount: account } = transaction
    const order = { orderId, account, amount: money(amountMinor, request.currency), cardToken }
    const answer = await ask(this.#parts.acquirer, request, order)
    const report = reportOf(answer)
    await this.execute(requestId, { type: 'acquirer_reports', reports: [report] })
  }

  #terminalOf(transaction: TerminalTransaction): Terminal {
    const terminal = this.terminals.get(transaction.tid)
    if (terminal === undefined) throw new Error(`no terminal ${transaction.tid}`)
    return terminal
  }
}

function ask(
  acquirer: Acquirer,
  request: TransactionRequest,
  order: Parameters<Acquirer['refund']>[0],
): Promise<AcquirerAnswer> {
  switch (request.transactionType) {
    case 'SALE':
      return acquirer.authorise(order, 'charge')
    case 'PRE_AUTH':
      return acquirer.authorise(order, 'hold')
    case 'COMPLETION':
      return acquirer.capture({
        ...order,
        authCode: request.authCode ?? '',
        preAuthorisedTotal: preAuthorisedTotalOf(request),
      })
    case 'REFUND':
      return acquirer.refund(order)
    case 'ACCOUNT_VERIFICATION':
      return acquirer.verify(order)
    case 'DUPLICATE':
      throw new Error('a duplicate moves no money')
  }
}

function reportOf(answer: AcquirerAnswer) {
  switch (answer.answer) {
    case 'approved':
      return { type: 'authorisation_approved', authCode: answer.authCode, reference: answer.reference } as const
    case 'declined':
      return { type: 'authorisation_declined', reason: answer.reason, responseCode: answer.responseCode } as const
    case 'unknown':
      return { type: 'authorisation_unanswered' } as const
  }
}
