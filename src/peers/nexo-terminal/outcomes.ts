// src/peers/nexo-terminal/outcomes.ts — how payments end, by the names that the sandbox has for them.
import type { ScenarioName } from '../../simulator/scenarios/built-in.ts'
import { failure, type Members } from './messages.ts'

/** The end of a payment. */
export interface Outcome {
  /** Its `Response`. */
  readonly response: Members
  readonly entryMode: 'ICC' | 'Contactless' | 'MagStripe' | 'Keyed'
  readonly authentication: 'OnlinePIN' | 'PaperSignature' | 'SecuredChannel' | 'Bypass'
}

/** Chip and PIN, approved. */
export const APPROVED: Outcome = ended({
  Result: 'Success',
  AdditionalResponse: 'AID=A0000000041010&expiryMonth=12&expiryYear=2030',
})

export const ABORTED = ended(failure('Aborted', 'message=104%20Merchant%20cancelled'))
/** No card was presented within the time of the prompt. */
export const NO_CARD = ended(failure('Cancel', 'message=126%20Shopper%20did%20not%20present%20card'))

/** An end with a chip card and PIN. */
export function ended(response: Members): Outcome {
  return { response, entryMode: 'ICC', authentication: 'OnlinePIN' }
}

const refused = (refusalReason: string, message: string): Outcome =>
  ended(failure('Refusal', `refusalReason=${encodeURIComponent(refusalReason)}&message=${message}`))
const CANCELLED = ended(failure('Cancel', 'message=108%20Shopper%20cancelled%20tx'))
const DECLINED = ended(failure('Refusal', 'refusalReason=214%20Declined%20online'))
const SIGNED: Outcome = { ...APPROVED, authentication: 'PaperSignature' }
const HOST_AWAY = ended(failure('UnreachableHost'))
/** The issuer had approved, and the platform has undone it. */
const UNDONE = ended(failure('Cancel', 'refusalReasonRaw=APPROVED'))

/** `wait`: nobody presents a card. */
export const OUTCOMES = {
  approved: APPROVED,
  chip_pin_approved: APPROVED,
  contactless_approved: { ...APPROVED, entryMode: 'Contactless', authentication: 'Bypass' },
  device_approved: { ...APPROVED, entryMode: 'Contactless', authentication: 'SecuredChannel' },
  signature: SIGNED,
  chip_signature: SIGNED,
  swipe_signature: { ...SIGNED, entryMode: 'MagStripe' },
  keyed: { ...APPROVED, entryMode: 'Keyed', authentication: 'Bypass' },
  declined: DECLINED,
  chip_pin_declined: DECLINED,
  insufficient_funds: refused('210 Not enough balance', 'NOT_ENOUGH_BALANCE'),
  lost_or_stolen: refused('199 Card blocked', 'BLOCK_CARD'),
  card_expired: refused('228 Card expired', 'CARD_EXPIRED'),
  card_not_supported: ended(failure('PaymentRestriction')),
  cancelled: CANCELLED,
  cancelled_at_card: CANCELLED,
  cancelled_at_pin: CANCELLED,
  unsuccessful: HOST_AWAY,
  technical_failure: HOST_AWAY,
  void: UNDONE,
  voided: UNDONE,
  nobody_presents_card: 'wait',
} as const satisfies Partial<Record<ScenarioName, Outcome | 'wait'>>
