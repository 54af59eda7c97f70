// src/domain/people/audit-entry.ts — who did what: written before it is done, and again with what came of it.
import type { MerchantAccountId } from '../ids.ts'
import { accepts, type Decision, type EventEnvelope, next, type Transitions } from '../machine.ts'
import type { Refusal } from '../refusals.ts'

export type AuditState = 'begun' | 'ended'

export const TRANSITIONS: Transitions<AuditState, AuditEvent['type']> = {
  begun: { ended: 'ended' },
  ended: {},
}

/** The command line has no user. */
export const COMMAND_LINE = 'command line'

/** What came of it. */
export interface AuditOutcome {
  /** HTTP status of the answer; 500 for a fault, 0 when there was no answer. */
  readonly status: number
  /** Code of the refusal; null when it was not refused. */
  readonly refusal: string | null
}

export interface AuditEntry {
  readonly id: string
  readonly merchantAccount: MerchantAccountId
  /** Id of the user, or `COMMAND_LINE`. */
  readonly by: string
  /** Null when there is none. */
  readonly session: string | null
  /** Name of the operation. */
  readonly action: string
  /** What it was done to: the parameters of the address. Never the contents of the request. */
  readonly subject: Readonly<Record<string, string>>
  /** Id of the request, as in the log. */
  readonly requestId: string
  readonly state: AuditState
  /** Null until it has ended. After a crash it stays null, and the action may have been done. */
  readonly outcome: AuditOutcome | null
  readonly begunAt: number
  readonly version: number
}

/** `now`: epoch milliseconds of the gateway's clock, as sessions have it. */
type Begun = Pick<AuditEntry, 'id' | 'merchantAccount' | 'by' | 'session' | 'action' | 'subject' | 'requestId'> & {
  readonly now: number
}

export type AuditCommand =
  | ({ readonly type: 'begin' } & Begun)
  | { readonly type: 'end'; readonly outcome: AuditOutcome }

export type AuditEvent =
  | ({ readonly type: 'begun' } & Begun)
  | { readonly type: 'ended'; readonly outcome: AuditOutcome }

/** Decides a command. The first outcome stays. */
export function decide(record: AuditEntry | null, command: AuditCommand): Decision<AuditEvent, Refusal> {
  if (command.type === 'begin') {
    if (record !== null) return { refused: { code: 'already_exists', field: command.id } }
    return { events: [{ ...command, type: 'begun' }] }
  }
  if (record === null) throw new Error('an audit entry ends before it begins')
  const { outcome } = command
  return { events: accepts(TRANSITIONS, record.state, 'ended') ? [{ type: 'ended', outcome }] : [] }
}

/** Folds one event into the record. */
export function apply(record: AuditEntry | null, { event }: EventEnvelope<AuditEvent>): AuditEntry {
  if (event.type === 'begun') {
    const { id, merchantAccount, by, session, action, subject, requestId, now } = event
    const fresh = { state: 'begun', outcome: null, begunAt: now, version: 1 } as const
    return { id, merchantAccount, by, session, action, subject, requestId, ...fresh }
  }
  if (record === null) throw new Error(`${event.type} before begun`)
  return { ...record, state: next(TRANSITIONS, record.state, event.type), outcome: event.outcome, version: 2 }
}
