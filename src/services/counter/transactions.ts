// src/services/counter/transactions.ts — use cases of counter transactions: facts of a start, performers of effects, reports
// of terminals.

import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { StartFacts, TransactionCommand, TransactionEffect } from '../../domain/counter/transaction-decisions.ts'
import type { Limits, Partner, TransactionEvent, TransactionRequest } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Performer, Performers } from '../../engine/effects.ts'
import type { Engine, Executed, ExecuteOptions } from '../../engine/engine.ts'
import { TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Acquirer } from '../../engine/ports/acquirer.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { NodeLink } from '../../engine/ports/node-link.ts'
import type { Idempotency, StoredTimer } from '../../engine/ports/store.ts'
import type { TerminalCall, TerminalDelivery, TerminalDriver } from '../../engine/ports/terminal.ts'
import { createAuthorisationAnswers } from './authorisation-answers.ts'
import type { CardDataKeeper } from './card-data.ts'
import { createRepetitions } from './repetitions.ts'
import { createTerminalNotifications, type TakeTerminalNotification } from './terminal-notifications.ts'
import { type Live, occupantOf, servesTills, type Terminals } from './terminals.ts'
import { acquiringPerformers, wanted } from './transaction-acquiring.ts'

export interface TransactionLimits {
  readonly transactionMs: number
  /** For card-not-present transactions, which take longer. */
  readonly keyedMs: number
  readonly signatureMs: number
}

export interface TransactionsParts {
  readonly engine: Engine
  readonly terminals: Terminals
  readonly acquirer: Acquirer
  /** Keeps card data that only the acquirer may see. */
  readonly cardData: CardDataKeeper
  readonly log: Log
  readonly limits: TransactionLimits
  /** To nodes that have PIN blocks. */
  readonly link: NodeLink
  readonly clock: Clock
}

export interface StartOrder {
  readonly requestId: RequestId
  readonly account: MerchantAccountId
  readonly tid: TerminalId
  readonly request: TransactionRequest
  readonly partner: Partner
  /** Id of the JSON-RPC request. */
  readonly rpcId?: number
  readonly idempotency?: Idempotency
}

type TransactionOptions = ExecuteOptions<TerminalTransaction, StartFacts | null>
type Perform = (driver: TerminalDriver, call: TerminalCall, payload: TransactionEffect) => Promise<void>
type TransactionKey = { readonly account: MerchantAccountId; readonly id: RequestId }

export interface Transactions {
  /** Starts a transaction on a terminal, or refuses. Resolves when the start is durable. */
  start(order: StartOrder): Promise<Executed<TerminalTransaction, TransactionEvent>>
  /** Executes any later command. */
  execute(
    key: TransactionKey,
    command: TransactionCommand,
    options?: TransactionOptions,
  ): Promise<Executed<TerminalTransaction, TransactionEvent>>
  /** As in `Terminals`. */
  readonly connected: Terminals['connected']
  readonly atCounter: Terminals['atCounter']
  readonly stateAtCounter: Terminals['stateAtCounter']
  readonly inUse: Terminals['inUse']
  /** State of the line and the printer. Null when not connected. */
  readonly presence: Terminals['fleet']['presence']
  readonly liveOn: Terminals['liveOn']
  /** Receives a terminal's reports of a transaction. */
  receive(delivery: TerminalDelivery): Promise<void>
  /** Takes what a terminal, or its provider, has posted. */
  readonly takeNotification: TakeTerminalNotification
  /** Whether only the terminal knows what becomes of its approval. */
  awaitsTerminal(account: MerchantAccountId, requestId: RequestId): Promise<boolean>
  /** The terminal is back: tells it if this transaction was given up meanwhile. */
  reconnected(account: MerchantAccountId, requestId: RequestId): Promise<void>
  /** The terminal has lost this transaction: ends it. */
  forgotten(account: MerchantAccountId, requestId: RequestId): Promise<void>
  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

/** Binds the counter transaction to its ports. */
export function createTransactions(parts: TransactionsParts): Transactions {
  const { engine, terminals, log, cardData } = parts
  const { fleet } = terminals
  const repetitions = createRepetitions({ engine, terminals, log })
  const answers = createAuthorisationAnswers({ engine, terminals, log })

  const execute: Transactions['execute'] = (key, command, options = {}) =>
    engine.execute(TERMINAL_TRANSACTION, key, command, options)

  /** Facts about the terminal for a start. A repeated attempt asks the store what runs there. */
  async function startFacts(order: StartOrder, attempt: number): Promise<StartFacts> {
    const { account, tid } = order
    const installed = await terminals.installed(account, tid)
    const live = await terminals.liveOn(account, tid, attempt > 1)
    return factsOf(order, installed, live)
  }

  function factsOf({ request }: StartOrder, installed: Terminal | null, live: Live | null): StartFacts {
    // A till cannot use a terminal that serves only waiters, and waits for one that a waiter is using. ADR 16.
    const fromTill = request.table === undefined
    const terminal = fromTill && installed !== null && !servesTills(installed) ? null : installed
    const presence = terminal === null ? null : fleet.presence(terminal)
    return {
      terminal:
        terminal === null || presence === null
          ? null
          : { authorisedBy: fleet.driverOf(terminal).authorisedBy, paperOut: presence.paperOut },
      live: live !== null ? occupantOf(live) : fromTill && presence?.inUse === true ? WAITER : null,
      limits: limitsFor(
        request,
        parts.limits,
        installed === null ? undefined : fleet.longestTransactionMsOf(installed),
      ),
    }
  }

  /** Performs one call to the terminal of a transaction. An effect that is no longer needed is done. */
  const onTerminal =
    (perform: Perform): Performer =>
    async effect => {
      const transaction = await wanted(engine, effect)
      if (transaction === null) return 'done'
      const terminal = await terminals.installed(effect.account, transaction.tid)
      if (terminal === null) return 'done'
      const payload = JSON.parse(effect.body) as TransactionEffect
      await perform(fleet.driverOf(terminal), { effectId: effect.effectId, terminal, transaction }, payload)
      return 'done'
    }

  const performers: Performers = {
    'terminal.start': onTerminal((driver, call) => driver.start(call)),
    'terminal.cancel': onTerminal((driver, call) => driver.cancel(call)),
    'terminal.answer_authorisation': answers.perform,
    'terminal.answer_signature': onTerminal(async (driver, call, payload) => {
      if (payload.type === 'terminal.answer_signature') await driver.answerSignature(call, payload)
    }),
    ...acquiringPerformers({ ...parts, fleet }),
  }

  return {
    start: order =>
      engine.execute(
        TERMINAL_TRANSACTION,
        { account: order.account, id: order.requestId },
        {
          type: 'start',
          requestId: order.requestId,
          merchantAccount: order.account,
          tid: order.tid,
          request: order.request,
          partner: order.partner,
          ...(order.rpcId === undefined ? {} : { rpcId: order.rpcId }),
        },
        {
          isNew: true,
          facts: (_none, attempt) => startFacts(order, attempt),
          ...(order.idempotency === undefined ? {} : { idempotency: order.idempotency }),
        },
      ),
    execute,
    connected: terminals.connected,
    atCounter: terminals.atCounter,
    stateAtCounter: terminals.stateAtCounter,
    inUse: terminals.inUse,
    presence: fleet.presence,
    liveOn: terminals.liveOn,
    receive: async delivery => {
      await cardData.receive(delivery, async plain => receive(execute, log, await repetitions(plain)))
    },
    takeNotification: createTerminalNotifications(terminals),
    awaitsTerminal: async (account, id) =>
      (await engine.read(TERMINAL_TRANSACTION, { account, id }))?.record.authorisation === 'approved',
    reconnected: answers.reconnected,
    async forgotten(account, requestId) {
      await execute({ account, id: requestId }, { type: 'terminal_forgot' })
    },
    performers,
    async fire({ account, id, name }) {
      const timer = name === 'signature' ? 'signature' : 'limit'
      const executed = await execute({ account, id }, { type: 'time_is_up', timer }, { timer: true })
      return 'events' in executed && executed.events.length > 0
    },
  }
}

/** A waiter at the terminal blocks a till like a payment does. */
const WAITER: StartFacts['live'] = { requestId: '', awaitsSignature: false }

function limitsFor(request: TransactionRequest, limits: TransactionLimits, longestMs = 0): Limits {
  return {
    transactionMs: Math.max(longestMs, request.cardholderNotPresent ? limits.keyedMs : limits.transactionMs),
    signatureMs: limits.signatureMs,
  }
}

/** Resolves to whether it has requested an authorisation, which is the report that card data comes with. */
async function receive(execute: Transactions['execute'], log: Log, delivery: TerminalDelivery): Promise<boolean> {
  const { account, requestId, sequence, reports } = delivery
  const command = { type: 'terminal_reports', sequence, reports } as const
  const executed = await execute({ account, id: requestId }, command, { report: sequence })
  if ('refused' in executed) log.warn({ requestId, sequence }, 'report for an unknown transaction')
  else if ('events' in executed && executed.events.length === 0)
    log.info({ requestId, sequence, reports: reports.map(report => report.type) }, 'late or repeated report dropped')
  return 'events' in executed && executed.events.some(({ type }) => type === 'authorisation_requested')
}
