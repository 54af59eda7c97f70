// src/terminals/nexo/wire/results.ts — the result of a payment by Result and ErrorCondition. Pure.
import type { ShownOutcome } from '../../../domain/counter/notifications.ts'
import type { TransactionResult } from '../../../domain/counter/transaction-events.ts'
import { type AdditionalResponse, additionalResponseOf } from './additional-response.ts'
import { memberAt, textOf } from './lenient.ts'

/** Reading of a payment's response. */
export type Verdict =
  | { readonly verdict: 'ended'; readonly result: TransactionResult; readonly shown: ShownOutcome | null }
  /** The terminal runs something. `serviceId` names it; empty when it does not say. */
  | { readonly verdict: 'busy'; readonly serviceId: string }
  /** The words do not fit the response of a payment, or are not known: ask for its status. */
  | { readonly verdict: 'doubtful'; readonly condition: string }
  /** No result at all: nothing is known. */
  | { readonly verdict: 'none' }

interface Row {
  readonly result: TransactionResult
  readonly shown: ShownOutcome | null
}

const NOT_BEGUN: Row = { result: 'UNSUCCESSFUL', shown: 'PROCESSING_ERROR' }
const CANCELLED: Row = { result: 'CANCELLED', shown: null }

/** A failure is final for the money: what an issuer may have approved is undone by the terminal's platform. */
const FAILURES: Readonly<Record<string, Row>> = {
  Refusal: { result: 'DECLINED', shown: 'DECLINED' },
  WrongPIN: { result: 'DECLINED', shown: 'DECLINED' },
  InvalidCard: { result: 'DECLINED', shown: 'CARD_ERROR' },
  PaymentRestriction: { result: 'DECLINED', shown: 'CARD_NOT_SUPPORTED' },
  // Not in the published list, and with a blank: the issuer was silent, and the platform cancelled.
  'Communication timeout': { result: 'DECLINED', shown: 'PROCESSING_ERROR' },
  Aborted: CANCELLED,
  Cancel: CANCELLED,
  UnreachableHost: NOT_BEGUN,
  DeviceOut: NOT_BEGUN,
  UnavailableDevice: NOT_BEGUN,
  UnavailableService: NOT_BEGUN,
  NotAllowed: NOT_BEGUN,
  InsertedCard: NOT_BEGUN,
  LoggedOut: NOT_BEGUN,
  MessageFormat: NOT_BEGUN,
}

/** Reads the `Response` of a payment. */
export function verdictOf(response: unknown): Verdict {
  const result = textOf(memberAt(response, 'Result'))
  // Of a partial approval money has moved: the amounts of the response say how much.
  if (result === 'Success' || result === 'Partial') return { verdict: 'ended', result: 'SUCCESSFUL', shown: 'APPROVED' }
  if (result !== 'Failure') return { verdict: 'none' }
  const condition = textOf(memberAt(response, 'ErrorCondition'))
  const additional = additionalResponseOf(memberAt(response, 'AdditionalResponse'))
  if (condition === 'Busy') return { verdict: 'busy', serviceId: additional.get('serviceId') ?? '' }
  const row = Object.hasOwn(FAILURES, condition) ? FAILURES[condition] : undefined
  if (row === undefined) return { verdict: 'doubtful', condition }
  return { verdict: 'ended', ...row, shown: isExpired(condition, additional) ? 'CARD_EXPIRED' : row.shown }
}

/** Only for what the till shows: the words of a refusal decide nothing about money. */
function isExpired(condition: string, additional: AdditionalResponse): boolean {
  if (condition !== 'Refusal') return false
  return additional.get('message') === 'CARD_EXPIRED' || (additional.get('refusalReason') ?? '').startsWith('228')
}
