// src/engine/machines.ts — the domain's machines as the engine runs them, one per kind of record.

import * as apiKey from '../domain/accounts/api-key.ts'
import * as jwtKey from '../domain/accounts/jwt-key.ts'
import * as merchantAccount from '../domain/accounts/merchant-account.ts'
import * as terminal from '../domain/accounts/terminal.ts'
import * as terminalTransaction from '../domain/counter/transaction.ts'
import * as decisions from '../domain/counter/transaction-decisions.ts'
import type { TransactionEvent } from '../domain/counter/transaction-events.ts'
import type { TerminalId } from '../domain/ids.ts'
import type { Decision, Effect, EventEnvelope, Timer } from '../domain/machine.ts'
import type { Refusal } from '../domain/refusals.ts'
import * as report from '../domain/reports/report.ts'
import * as tillMessage from '../domain/tables/pos-message.ts'
import * as table from '../domain/tables/table.ts'
import * as tableDecisions from '../domain/tables/table-decisions.ts'
import type { OfEvents, OfRecords } from './decoding.ts'
import { reportTerms, transactionTerms } from './search-terms.ts'

/** Columns by which the store finds and locks a record. */
export interface IndexColumns {
  /** What it belongs to inside its account (a transaction's terminal); empty when to nothing. */
  readonly parent: string
  /** Not finished. Only live records occupy their lock key. */
  readonly live: boolean
  readonly lockKey: string | null
}

/** A domain machine with what the engine needs to run it. All functions are pure. */
export interface Machine<
  Record extends { readonly version: number },
  Command,
  Facts,
  Event extends { readonly type: string },
> extends OfRecords<Record>,
    OfEvents<Event> {
  readonly kind: string
  /** Whether other processes (the command line) change such records while the gateway runs. */
  readonly changedOutside: boolean
  decide(record: Record | null, command: Command, facts: Facts): Decision<Event, Refusal>
  apply(record: Record | null, envelope: EventEnvelope<Event>): Record
  effectsOf(event: Event, record: Record): readonly Effect[]
  timersOf(record: Record): readonly Timer[]
  indexColumnsOf(record: Record): IndexColumns
  /** The search terms of a record. Absent for kinds that are not searched. */
  readonly searchTermsOf?: (record: Record) => readonly string[]
  /** Unique keys that an event takes, permanently. Absent when no event takes one. */
  readonly uniqueKeysOf?: (event: Event, record: Record) => readonly string[]
  /** The refusal when another record has one of these keys. Absent when that would be a bug. */
  readonly refusedUniqueKey?: Refusal
}

const NO_EFFECTS = () => []
const NO_TIMERS = () => []
const NONE: readonly never[] = []

export type TransactionMachine = Machine<
  terminalTransaction.TerminalTransaction,
  decisions.TransactionCommand,
  decisions.StartFacts | null,
  TransactionEvent
>

export const TERMINAL_TRANSACTION: TransactionMachine = {
  kind: 'terminal-transaction',
  changedOutside: false,
  decide: decisions.decide,
  apply: terminalTransaction.apply,
  effectsOf: decisions.effectsOf,
  timersOf: decisions.timersOf,
  indexColumnsOf: record => ({
    parent: record.tid,
    live: record.progress !== 'finished',
    lockKey: terminalLockKey(record.tid),
  }),
  searchTermsOf: transactionTerms,
}

export const REPORT: Machine<report.Report, report.ReportCommand, report.ReportFacts | null, report.ReportEvent> = {
  kind: 'report',
  changedOutside: false,
  decide: report.decide,
  apply: report.apply,
  effectsOf: report.effectsOf,
  timersOf: report.timersOf,
  indexColumnsOf: record => ({
    parent: record.tid,
    live: record.progress !== 'finished',
    lockKey: terminalLockKey(record.tid),
  }),
  searchTermsOf: reportTerms,
}

export type TableMachine = Machine<
  table.PatTable,
  tableDecisions.TableCommand,
  tableDecisions.TableFacts | null,
  table.TableEvent
>

export const TILL_MESSAGE: Machine<
  tillMessage.TillMessageRecord,
  tillMessage.MessageCommand,
  null,
  tillMessage.MessageEvent
> = {
  kind: 'till-message',
  changedOutside: false,
  decide: tillMessage.decide,
  apply: tillMessage.apply,
  effectsOf: NO_EFFECTS,
  timersOf: tillMessage.timersOf,
  indexColumnsOf: record => ({ parent: record.tableId, live: record.state === 'waiting', lockKey: null }),
}

/** An open table locks its name. Tables that the till stores are not locked: only the till knows their names. */
export const TABLE: TableMachine = {
  kind: 'table',
  changedOutside: false,
  decide: tableDecisions.decide,
  apply: table.apply,
  effectsOf: tableDecisions.effectsOf,
  timersOf: tableDecisions.timersOf,
  indexColumnsOf: record => ({
    parent: record.host,
    live: record.state === 'open',
    lockKey: record.host === 'gateway' ? tableLockKey(record.name) : null,
  }),
  // Searched by time only.
  searchTermsOf: () => NONE,
}

/** Lock key of an open table; finds the table by its name. */
export function tableLockKey(name: string): string {
  return `table:${name}`
}

/** Lock key of the one live transaction or report of a terminal. */
export function terminalLockKey(tid: TerminalId): string {
  return `terminal:${tid}`
}

export const MERCHANT_ACCOUNT: Machine<
  merchantAccount.MerchantAccount,
  merchantAccount.AccountCommand,
  null,
  merchantAccount.AccountEvent
> = {
  kind: 'merchant-account',
  changedOutside: true,
  decide: merchantAccount.decide,
  apply: merchantAccount.apply,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  indexColumnsOf: record => ({ parent: '', live: record.status === 'enabled', lockKey: null }),
}

export const API_KEY: Machine<apiKey.ApiKey, apiKey.KeyCommand, null, apiKey.KeyEvent> = {
  kind: 'api-key',
  changedOutside: true,
  decide: apiKey.decide,
  apply: apiKey.apply,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  indexColumnsOf: record => ({ parent: '', live: record.status === 'active', lockKey: apiKeyLockKey(record.hash) }),
  uniqueKeysOf: (event, record) => (event.type === 'created' ? [keyIdKey(record.id)] : []),
}

/** Account key of an API key, active or revoked, by its id. */
export function keyIdKey(id: string): string {
  return `api-key-id:${id}`
}

/** Account key of an active API key, by its hash. */
export function apiKeyLockKey(hash: string): string {
  return `api-key:${hash}`
}

export const JWT_KEY: Machine<jwtKey.JwtKey, jwtKey.JwtKeyCommand, jwtKey.JwtKeyFacts | null, jwtKey.JwtKeyEvent> = {
  kind: 'jwt-key',
  changedOutside: true,
  decide: jwtKey.decide,
  apply: jwtKey.apply,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  indexColumnsOf: ({ status, kid }) => ({
    parent: '',
    live: status === 'active',
    lockKey: `jwt-key:${kid}`,
  }),
}

export const TERMINAL: Machine<terminal.Terminal, terminal.TerminalCommand, null, terminal.TerminalEvent> = {
  kind: 'terminal',
  changedOutside: true,
  decide: terminal.decide,
  apply: terminal.apply,
  effectsOf: NO_EFFECTS,
  timersOf: NO_TIMERS,
  indexColumnsOf: record => ({ parent: '', live: record.status === 'installed', lockKey: null }),
}
