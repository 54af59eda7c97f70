// web/frame/apple-pay.ts — Apple Pay's sheet, which Apple's browsers have built in. Source: Apple Pay on the Web,
// `ApplePaySession`.
import { PATHS, post } from './gateway.ts'
import type { AppleFacts, Price, Sheet, SheetEnd, SheetRequest } from './wallet-sheets.ts'

/** The part of the interface that is used here. */
interface ApplePaySession {
  onvalidatemerchant: (event: { readonly validationURL: string }) => unknown
  onpaymentauthorized: (event: { readonly payment: ApplePayment }) => unknown
  oncancel: () => unknown
  begin(): void
  abort(): void
  completeMerchantValidation(session: unknown): void
  completePayment(result: { readonly status: number }): void
}

interface ApplePayment {
  readonly token: unknown
  readonly billingContact?: Readonly<Record<string, unknown>>
  readonly shippingContact?: Readonly<Record<string, unknown>>
}

interface ApplePaySessions {
  new (version: number, request: unknown): ApplePaySession
  readonly STATUS_SUCCESS: number
  readonly STATUS_FAILURE: number
  supportsVersion(version: number): boolean
  canMakePayments(): boolean
}

/** Supported from Safari 11.1 on, and in a frame of another origin from Safari 17 on. */
const VERSION = 3
/** Status codes of an approved and of a paused payment (docs/online-payments.md). */
const WENT_WELL: readonly unknown[] = [0, 99]

/** Prepares the sheet; null when the browser has none, or no card for it. */
export function applePay(facts: AppleFacts, price: Price, requested: SheetRequest): Sheet | null {
  const { ApplePaySession: Session } = window as { readonly ApplePaySession?: ApplePaySessions }
  if (Session === undefined || !isUsable(Session)) return null
  return { wallet: 'APPLE_PAY', isTest: false, open: approved => open(Session, facts, price, requested, approved) }
}

function isUsable(Session: ApplePaySessions): boolean {
  try {
    return Session.supportsVersion(VERSION) && Session.canMakePayments()
  } catch {
    // Older versions throw in a frame of another origin.
    return false
  }
}

function open(
  Session: ApplePaySessions,
  facts: AppleFacts,
  price: Price,
  requested: SheetRequest,
  approved: () => void,
): Promise<SheetEnd> {
  return new Promise(resolve => {
    try {
      const session = new Session(VERSION, requestOf(facts, price, requested))
      session.onvalidatemerchant = async ({ validationURL: validationUrl }) => {
        const answer = await post(PATHS.appleSession(requested.token), {
          validationUrl,
          pageOrigin: requested.pageOrigin,
        })
        if (typeof answer?.['session'] === 'object') return session.completeMerchantValidation(answer['session'])
        session.abort()
        resolve({ how: 'failed' })
      }
      session.onpaymentauthorized = async ({ payment }) => {
        // The payment has started: closing the sheet does not cancel it, and the gateway's answer is the outcome.
        session.oncancel = () => {}
        approved()
        const answer = await post(PATHS.applePay(requested.token), bodyOf(payment, requested))
        resolve({ how: 'paid', answer })
        const isApproved = WENT_WELL.includes(answer?.['statusCode'])
        session.completePayment({ status: isApproved ? Session.STATUS_SUCCESS : Session.STATUS_FAILURE })
      }
      session.oncancel = () => resolve({ how: 'cancelled' })
      session.begin()
    } catch {
      resolve({ how: 'failed' })
    }
  })
}

function requestOf({ displayName, countryCode }: AppleFacts, { amount, currency }: Price, requested: SheetRequest) {
  return {
    ...{ countryCode, currencyCode: currency },
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['amex', 'discover', 'maestro', 'masterCard', 'visa'],
    total: { label: displayName, amount, type: 'final' },
    requiredBillingContactFields: requested.billingAddressRequired ? ['postalAddress'] : [],
    requiredShippingContactFields: [
      ...(requested.emailRequired ? ['email'] : []),
      ...(requested.shippingAddressRequired ? ['name', 'postalAddress'] : []),
    ],
  }
}

/** Apple returns the e-mail address in the shipping contact, even when nothing is shipped. */
function bodyOf({ token, billingContact, shippingContact }: ApplePayment, requested: SheetRequest) {
  const email = shippingContact?.['emailAddress']
  return {
    token,
    ...(requested.emailRequired && typeof email === 'string' ? { email } : {}),
    ...(requested.billingAddressRequired && billingContact !== undefined ? { billingContact } : {}),
    ...(requested.shippingAddressRequired && shippingContact !== undefined ? { shippingContact } : {}),
  }
}
