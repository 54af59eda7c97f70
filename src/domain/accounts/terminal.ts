// src/domain/accounts/terminal.ts — a card terminal: its account, driver and settings.
import type { MerchantAccountId, TerminalId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { TerminalCurrency } from '../money.ts'
import type { Refusal } from '../refusals.ts'

/** Limit of terminals per account: a department store has a few hundred. */
export const MOST_TERMINALS = 1_000

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
  /** The terminal prints receipts; when off, the till prints them. */
  readonly printing: boolean
  /** Prints a customer copy for contactless payments. Usually off. */
  readonly contactlessCustomerCopy: boolean
  /** Duration of a step of a simulated terminal, in milliseconds; null for the gateway's setting. */
  readonly paceMs: number | null
  /** Whether it serves tills, waiters or both. Absent means both. ADR 16. */
  readonly mode?: TerminalMode
  /** Whether a waiter may, or must, split a bill. Absent means `ask`. */
  readonly split?: SplitMode
  /** Whether waiters sign in with an id. Absent means that they do. */
  readonly waiterIds?: boolean
}

/** `counter`: tills; `table`: waiters; `both`: first come, first served. */
export const TERMINAL_MODES = ['counter', 'table', 'both'] as const
export type TerminalMode = (typeof TERMINAL_MODES)[number]

/** Whether bills are split. See docs/pay-at-table.md. */
export const SPLIT_MODES = ['never', 'always', 'ask'] as const
export type SplitMode = (typeof SPLIT_MODES)[number]

export interface TableSettings {
  readonly mode: TerminalMode
  readonly split: SplitMode
  readonly waiterIds: boolean
}

/** The pay-at-table settings, with defaults for terminals that older versions installed. */
export function tableSettingsOf({ mode = 'both', split = 'ask', waiterIds = true }: TerminalSettings): TableSettings {
  return { mode, split, waiterIds }
}

/** A secret driver setting: its reference in the vault. */
export interface SealedSetting {
  readonly vault: string
}

/** Settings of one terminal for its driver, by the driver's schema. Only the driver reads them. */
export type DriverSettings = Readonly<Record<string, string | number | boolean | SealedSetting>>

/** Whether a setting is in the vault. */
export function isSealed(setting: DriverSettings[string]): setting is SealedSetting {
  return typeof setting === 'object'
}

export interface Terminal {
  readonly tid: TerminalId
  readonly merchantAccount: MerchantAccountId
  /** Name of its driver. */
  readonly driver: string
  readonly settings: TerminalSettings
  /** Absent when its driver has none, or when an older version added it. */
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
  /** `driverSettings` replace all earlier ones; when absent, those stay. */
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
