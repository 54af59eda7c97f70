// src/domain/tables/pos-message.ts — a message to a till that stores its own tables. It waits until the till connects, is
// sent once, and expires after a day. See docs/pay-at-table.md.
import type { MerchantAccountId, PosMessageId, TableId, TerminalId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Timer, type Transitions } from '../machine.ts'
import type { TerminalCurrency } from '../money.ts'
import type { Refusal } from '../refusals.ts'
import type { TablePayment } from './table.ts'

/** How long a message waits for its till, in milliseconds. */
const STORED_MS = 24 * 60 * 60 * 1000

export type MessageState = 'waiting' | 'sent' | 'expired'

/** Payments of a table, or the terminal's unlock. */
export type TillMessage =
  | {
      readonly type: 'payments'
      readonly tid: TerminalId
      readonly waiterId: string
      readonly table: string
      readonly currency: TerminalCurrency
      readonly payments: readonly TablePayment[]
    }
  | { readonly type: 'unlock'; readonly tid: TerminalId; readonly table: string }

export type MessageEvent =
  | {
      readonly type: 'written'
      readonly messageId: PosMessageId
      readonly merchantAccount: MerchantAccountId
      /** The record of the table session that it belongs to. */
      readonly tableId: TableId
      readonly message: TillMessage
    }
  | { readonly type: 'sent' }
  | { readonly type: 'expired' }

type EventType = MessageEvent['type']

export const TRANSITIONS: Transitions<MessageState, EventType> = {
  waiting: { sent: 'sent', expired: 'expired' },
  sent: {},
  expired: {},
}

export interface TillMessageRecord {
  readonly messageId: PosMessageId
  readonly merchantAccount: MerchantAccountId
  readonly tableId: TableId
  readonly message: TillMessage
  readonly state: MessageState
  readonly version: number
  readonly writtenAt: number
  readonly endedAt: number | null
}

export type MessageCommand =
  | {
      readonly type: 'write'
      readonly messageId: PosMessageId
      readonly merchantAccount: MerchantAccountId
      readonly tableId: TableId
      readonly message: TillMessage
    }
  | { readonly type: 'was_sent' }
  | { readonly type: 'time_is_up' }

/** Decides a command. A message is written once and sent once. */
export function decide(record: TillMessageRecord | null, command: MessageCommand): Decision<MessageEvent, Refusal> {
  if (command.type === 'write') return { events: record === null ? [{ ...command, type: 'written' }] : [] }
  if (record === null) throw new Error(`${command.type} of a message that was never written`)
  const type = command.type === 'was_sent' ? 'sent' : 'expired'
  return { events: accepts(TRANSITIONS, record.state, type) ? [{ type }] : [] }
}

/** Folds one event into the record. */
export function apply(before: TillMessageRecord | null, { event, at }: EventEnvelope<MessageEvent>): TillMessageRecord {
  if (event.type === 'written') {
    const { type: _, ...given } = event
    return { ...given, state: 'waiting', version: 1, writtenAt: at, endedAt: null }
  }
  if (before === null) throw new Error(`${event.type} before written`)
  return {
    ...before,
    state: next(TRANSITIONS, before.state, event.type),
    version: before.version + 1,
    endedAt: at,
  }
}

export function timersOf(record: TillMessageRecord): readonly Timer[] {
  return record.state === 'waiting' ? [{ name: 'kept', dueAt: record.writtenAt + STORED_MS }] : []
}
