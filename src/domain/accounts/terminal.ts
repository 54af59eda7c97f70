// src/domain/accounts/terminal.ts — a card terminal as the gateway knows it: who owns it, who drives it, how it is set up.
import type { MerchantAccountId, TerminalId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { TerminalCurrency } from '../money.ts'
import type { Refusal } from '../refusals.ts'

export type TerminalStatus = 'installed' | 'removed'
type EventType = TerminalEvent['type']

export const TRANSITIONS: Transitions<TerminalStatus, EventType> = {
  installed: { configured: 'installed', removed: 'removed' },
  removed: { added: 'installed' },
}

export interface TerminalSettings {
  readonly currency: TerminalCurrency
  /** Asks for a tip before the card is presented. */
  readonly gratuity: boolean
  readonly cashbackAllowed: boolean
  /** Prints on the terminal; when off, the till prints the receipt lines. */
  readonly printing: boolean
  /** Prints a customer copy for contactless payments. Off by default in the field. */
  readonly contactlessCustomerCopy: boolean
  /** Milliseconds a step of a simulated terminal takes; null: the gateway's setting. */
  readonly paceMs: number | null
  /** Whom it serves. Absent: both. ADR 16. */
  readonly mode?: TerminalMode
  /** Whether a waiter may, or must, split a bill. Absent: `ask`. */
  readonly split?: SplitMode
  /** Whether waiters say who they are. Absent: they do. */
  readonly waiterIds?: boolean
}

/** Tills at the counter, waiters at tables, or whoever comes first. */
export const TERMINAL_MODES = ['counter', 'table', 'both'] as const
export type TerminalMode = (typeof TERMINAL_MODES)[number]

/** Terminal reference 10.7. */
export const SPLIT_MODES = ['never', 'always', 'ask'] as const
export type SplitMode = (typeof SPLIT_MODES)[number]

export interface TableSettings {
  readonly mode: TerminalMode
  readonly split: SplitMode
  readonly waiterIds: boolean
}

/** The settings for work at tables. A terminal that was installed before there were any serves both. */
export function tableSettingsOf({ mode = 'both', split = 'ask', waiterIds = true }: TerminalSettings): TableSettings {
  return { mode, split, waiterIds }
}

/** A secret of a driver: where the vault has it. */
export interface SealedSetting {
  readonly vault: string
}

/** What a driver must know of one terminal, as its schema says. Only the driver reads it. */
export type DriverSettings = Readonly<Record<string, string | number | boolean | SealedSetting>>

/** Whether a setting is in the vault. */
export function isSealed(setting: DriverSettings[string]): setting is SealedSetting {
  return typeof setting === 'object'
}

export interface Terminal {
  readonly tid: TerminalId
  readonly merchantAccount: MerchantAccountId
  /** Name of the driver that reaches it. */
  readonly driver: string
  readonly settings: TerminalSettings
  /** Absent: its driver has none, or it was added before there were any. */
  readonly driverSettings?: DriverSettings
  readonly status: TerminalStatus
  readonly version: number
  readonly createdAt: number
}

export type TerminalCommand =
  | {
      readonly type: 'add'
      readonly tid: TerminalId
      readonly merchantAccount: MerchantAccountId
      readonly driver: string
      readonly settings: TerminalSettings
      readonly driverSettings?: DriverSettings
    }
  /** Settings of the driver take the place of all there were; absent: they stay. */
  | {
      readonly type: 'configure'
      readonly changes: Partial<TerminalSettings>
      readonly driverSettings?: DriverSettings
    }
  | { readonly type: 'remove' }
export type TerminalEvent =
  | {
      readonly type: 'added'
      readonly tid: TerminalId
      readonly merchantAccount: MerchantAccountId
      readonly driver: string
      readonly settings: TerminalSettings
      readonly driverSettings?: DriverSettings
    }
  | { readonly type: 'configured'; readonly settings: TerminalSettings; readonly driverSettings?: DriverSettings }
  | { readonly type: 'removed' }

/** Decides a command. A removed terminal may be added again. */
export function decide(record: Terminal | null, command: TerminalCommand): Decision<TerminalEvent, Refusal> {
  if (command.type === 'add')
    return record === null || accepts(TRANSITIONS, record.status, 'added')
      ? { events: [{ ...command, type: 'added' }] }
      : { refused: { code: 'already_exists', field: command.tid } }
  if (record === null || record.status === 'removed')
    return { refused: { code: 'terminal_unavailable', tid: record?.tid ?? '' } }
  return command.type === 'remove'
    ? { events: [{ type: 'removed' }] }
    : {
        events: [
          {
            type: 'configured',
            settings: { ...record.settings, ...command.changes },
            ...ofDriver(command),
          },
        ],
      }
}

function ofDriver({ driverSettings }: Pick<Terminal, 'driverSettings'>): Pick<Terminal, 'driverSettings'> {
  return driverSettings === undefined ? {} : { driverSettings }
}

/** Folds one event into the record. */
export function apply(record: Terminal | null, envelope: EventEnvelope<TerminalEvent>): Terminal {
  const { event, at } = envelope
  if (event.type === 'added') {
    const { tid, merchantAccount, driver, settings } = event
    const status = record === null ? 'installed' : next(TRANSITIONS, record.status, event.type)
    const version = (record?.version ?? 0) + 1
    const createdAt = record?.createdAt ?? at
    return { tid, merchantAccount, driver, settings, ...ofDriver(event), status, version, createdAt }
  }
  if (record === null) throw new Error(`${event.type} before added`)
  return {
    ...record,
    ...(event.type === 'configured' ? { settings: event.settings, ...ofDriver(event) } : {}),
    status: next(TRANSITIONS, record.status, event.type),
    version: record.version + 1,
  }
}
