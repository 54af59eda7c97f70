// src/engine/transactions.ts — counter transactions between the engine and the world: what a start must know, how each
// effect is performed, where the reports of terminals come in.
import type { Terminal } from '../domain/terminal.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'
import {
  type StartFacts,
  stillWanted,
  type TransactionCommand,
  type TransactionEffect,
} from '../domain/terminal-transaction-decisions.ts'
import type { Limits, Partner, TransactionEvent, TransactionRequest } from '../domain/terminal-transaction-events.ts'
import type { Performer, Performers } from './effects.ts'
import type { Engine, Executed, ExecuteOptions } from './engine.ts'
import { TERMINAL, TERMINAL_TRANSACTION, terminalClaim } from './machines.ts'
import type {
  Acquirer,
  AcquirerAnswer,
  AcquirerOrder,
  Idempotency,
  Log,
  Store,
  StoredEffect,
  StoredTimer,
  TerminalCall,
  TerminalDelivery,
  TerminalDriver,
  TerminalSink,
} from './ports.ts'

/** How the drivers are found. */
export interface Fleet {
  driverOf(terminal: Terminal): TerminalDriver
  /** Null: not connected. */
  presence(terminal: Terminal): { readonly paperOut: boolean } | null
}

export interface TransactionLimits {
  readonly transactionMs: number
  /** For card-not-present, which takes longer. */
  readonly keyedMs: number
  readonly signatureMs: number
}

export interface TransactionsParts {
  readonly engine: Engine
  readonly store: Store
  readonly fleet: Fleet
  readonly acquirer: Acquirer
  readonly log: Log
  readonly limits: TransactionLimits
}

export interface StartOrder {
  readonly requestId: string
  readonly account: string
  readonly tid: string
  readonly request: TransactionRequest
  readonly partner: Partner
  readonly idempotency?: Idempotency
}

type TransactionOptions = ExecuteOptions<TerminalTransaction, StartFacts | null>
type TransactionKey = { readonly account: string; readonly id: string }

export interface Transactions {
  /** Starts a transaction on a terminal, or refuses. When it resolves, the start is durable. */
  start(order: StartOrder): Promise<Executed<TerminalTransaction, TransactionEvent>>
  /** Any later command. */
  execute(
    key: TransactionKey,
    command: TransactionCommand,
    options?: TransactionOptions,
  ): Promise<Executed<TerminalTransaction, TransactionEvent>>
  /** An installed and connected terminal, or null. */
  connected(account: string, tid: string): Promise<Terminal | null>
  /** The transaction that runs on a terminal now, or null. */
  liveOn(account: string, tid: string): Promise<TerminalTransaction | null>
  /** Where terminals report. */
  readonly sink: TerminalSink
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

/** Binds the counter transaction to its ports. */
export function createTransactions(parts: TransactionsParts): Transactions {
  const { engine, store, fleet, log } = parts

  const execute: Transactions['execute'] = (key, command, options = {}) =>
    engine.execute(TERMINAL_TRANSACTION, key, command, options)

  async function installed(account: string, tid: string): Promise<Terminal | null> {
    const entry = await engine.read(TERMINAL, { account, id: tid })
    return entry === null || entry.record.status === 'removed' ? null : entry.record
  }

  async function liveOn(account: string, tid: string): Promise<TerminalTransaction | null> {
    const holder = await store.holderOf(terminalClaim(account, tid))
    if (holder === null || holder.kind !== TERMINAL_TRANSACTION.kind) return null
    return JSON.parse(holder.body) as TerminalTransaction
  }

  async function startFacts({ account, tid, request }: StartOrder): Promise<StartFacts> {
    const [terminal, live] = await Promise.all([installed(account, tid), liveOn(account, tid)])
    const presence = terminal === null ? null : fleet.presence(terminal)
    return {
      terminal:
        terminal === null || presence === null
          ? null
          : { authorisedBy: fleet.driverOf(terminal).authorisedBy, paperOut: presence.paperOut },
      live:
        live === null ? null : { requestId: live.requestId, awaitsSignature: live.progress === 'awaiting_signature' },
      limits: limitsFor(request, parts.limits),
    }
  }

  /** One call to the terminal of a transaction; without purpose any more it counts as done. */
  const onTerminal =
    (perform: (driver: TerminalDriver, call: TerminalCall, payload: TransactionEffect) => Promise<void>): Performer =>
    async effect => {
      const transaction = await wanted(engine, effect)
      const terminal = transaction === null ? null : await installed(effect.account, transaction.tid)
      if (transaction === null || terminal === null) return 'done'
      const payload = JSON.parse(effect.body) as TransactionEffect
      await perform(fleet.driverOf(terminal), { effectId: effect.effectId, terminal, transaction }, payload)
      return 'done'
    }

  const performers: Performers = {
    'terminal.start': onTerminal((driver, call) => driver.start(call)),
    'terminal.cancel': onTerminal((driver, call) => driver.cancel(call)),
    'terminal.answer_authorisation': onTerminal((driver, call) => driver.answerAuthorisation(call)),
    'terminal.answer_signature': onTerminal(async (driver, call, payload) => {
      if (payload.type === 'terminal.answer_signature') await driver.answerSignature(call, payload)
    }),
    'acquirer.authorise': effect => performAuthorise(parts, effect),
    'acquirer.reverse': effect => performReverse(parts, effect),
    'transaction.reconcile': effect => performReconcile(parts, effect),
  }

  return {
    start: order =>
      engine.execute(
        TERMINAL_TRANSACTION,
        { account: order.account, id: order.requestId },
        { ...order, type: 'start', merchantAccount: order.account },
        {
          facts: () => startFacts(order),
          ...(order.idempotency === undefined ? {} : { idempotency: order.idempotency }),
        },
      ),
    execute,
    async connected(account, tid) {
      const terminal = await installed(account, tid)
      return terminal === null || fleet.presence(terminal) === null ? null : terminal
    },
    liveOn,
    sink: {
      report: delivery => receive(execute, log, delivery),
      async reconnected(account, tid) {
        const live = await liveOn(account, tid)
        const terminal = live === null ? null : await installed(account, tid)
        if (live === null || terminal === null) return
        const memory = await fleet.driverOf(terminal).lastTransaction(terminal, live.requestId)
        if (memory.state === 'forgotten') await execute({ account, id: live.requestId }, { type: 'terminal_forgot' })
      },
    },
    performers,
    async fire({ account, id, name }) {
      const timer = name === 'signature' ? 'signature' : 'limit'
      const executed = await execute({ account, id }, { type: 'time_is_up', timer })
      return 'events' in executed && executed.events.length > 0
    },
  }
}

function limitsFor(request: TransactionRequest, limits: TransactionLimits): Limits {
  return {
    transactionMs: request.cardholderNotPresent ? limits.keyedMs : limits.transactionMs,
    signatureMs: limits.signatureMs,
  }
}

async function receive(execute: Transactions['execute'], log: Log, delivery: TerminalDelivery): Promise<void> {
  const { account, requestId, sequence, reports } = delivery
  const command = { type: 'terminal_reports', sequence, reports } as const
  const executed = await execute({ account, id: requestId }, command, { report: sequence })
  if ('refused' in executed) log.warn({ requestId, sequence }, 'report for an unknown transaction')
  else if ('events' in executed && executed.events.length === 0)
    log.info({ requestId, sequence, reports: reports.map(report => report.type) }, 'late or repeated report dropped')
}

/** The transaction of an effect, or null when the effect has lost its purpose. */
async function wanted(engine: Engine, effect: StoredEffect): Promise<TerminalTransaction | null> {
  const entry = await engine.read(TERMINAL_TRANSACTION, effect)
  const type = effect.type as TransactionEffect['type']
  return entry !== null && stillWanted(type, entry.record) ? entry.record : null
}

async function performAuthorise({ engine, acquirer }: TransactionsParts, effect: StoredEffect) {
  const transaction = await wanted(engine, effect)
  const payload = JSON.parse(effect.body) as TransactionEffect
  if (transaction === null || payload.type !== 'acquirer.authorise') return 'done'
  const order = {
    orderId: effect.effectId,
    account: effect.account,
    amountMinor: payload.amountMinor,
    currency: transaction.request.currency,
    cardToken: payload.cardToken,
  }
  const answer = await ask(acquirer, transaction.request, order)
  if (answer.answer === 'unknown') {
    // The till may see that the answer is missing; the question stays open and is asked again under the same id.
    await engine.execute(TERMINAL_TRANSACTION, effect, {
      type: 'acquirer_reports',
      reports: [{ type: 'authorisation_unanswered' }],
    })
    return 'again'
  }
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    { type: 'acquirer_reports', reports: [reportOf(answer)] },
    { effectsDone: [effect.effectId] },
  )
  return 'recorded'
}

function ask(acquirer: Acquirer, request: TransactionRequest, order: AcquirerOrder): Promise<AcquirerAnswer> {
  switch (request.transactionType) {
    case 'SALE':
      return acquirer.authorise(order, 'charge')
    case 'PRE_AUTH':
      return acquirer.authorise(order, 'hold')
    case 'COMPLETION':
      return acquirer.capture({
        ...order,
        authCode: request.authCode ?? '',
        preAuthorisedTotalMinor: request.preAuthorisedTotalMinor,
      })
    case 'REFUND':
      return acquirer.refund(order)
    case 'ACCOUNT_VERIFICATION':
      return acquirer.verify(order)
    case 'DUPLICATE':
      throw new Error('a duplicate moves no money')
  }
}

function reportOf(answer: Exclude<AcquirerAnswer, { answer: 'unknown' }>) {
  return answer.answer === 'approved'
    ? ({ type: 'authorisation_approved', authCode: answer.authCode, reference: answer.reference } as const)
    : ({ type: 'authorisation_declined', reason: answer.reason, responseCode: answer.responseCode } as const)
}

async function performReverse({ engine, acquirer }: TransactionsParts, effect: StoredEffect) {
  const transaction = await wanted(engine, effect)
  if (transaction === null || transaction.authorisationId === null) return 'done'
  const answer = await acquirer.reverse({ orderId: transaction.authorisationId, account: effect.account })
  if (answer === 'unknown') return 'again'
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    { type: 'acquirer_reports', reports: [{ type: 'reversed' }] },
    { effectsDone: [effect.effectId] },
  )
  return 'recorded'
}

/** The till heard TIMED_OUT, the acquirer has approved: what the terminal told the customer decides. */
async function performReconcile({ engine, fleet }: TransactionsParts, effect: StoredEffect) {
  const transaction = await wanted(engine, effect)
  if (transaction === null) return 'done'
  const terminal = await engine.read(TERMINAL, { account: effect.account, id: transaction.tid })
  const memory =
    terminal === null
      ? ({ state: 'forgotten' } as const)
      : await fleet.driverOf(terminal.record).lastTransaction(terminal.record, transaction.requestId)
  if (memory.state === 'running') return 'again'
  const delivered = memory.state === 'ended' && memory.successful
  await engine.execute(
    TERMINAL_TRANSACTION,
    effect,
    {
      type: 'acquirer_reports',
      reports: [delivered ? { type: 'authorisation_confirmed' } : { type: 'reversal_requested', why: 'not_delivered' }],
    },
    { effectsDone: [effect.effectId] },
  )
  return 'recorded'
}
