// web/protocol.ts — messages between the merchant's page and the frames. They carry no card data.

/** Distinguishes our messages from others that a page receives. */
export const SOURCE = 'tollgate'

export type FormKind = 'card' | 'recurring' | 'wallet'
export type FieldName = 'cardName' | 'cardNumber' | 'expiryDate' | 'cv2'

export interface FormError {
  readonly errorType: string
  readonly message: string
}

/** Outcome of a payment. Flat, because merchants copy each property into a form field. */
export interface Outcome {
  readonly statusCode: number
  readonly authCode: string
  readonly message: string
  /** Why it did not succeed; empty on success. Documented in docs/online-payments.md. */
  readonly reason: string
}

/** Rejection of `executePayment`: form errors, a status code with a message, or a plain message. */
export type Rejection = readonly FormError[] | { readonly statusCode: number; readonly message: string } | string

export type CssMap = Readonly<Record<string, string>>
export type FieldStyle = Readonly<Record<string, CssMap>>

export interface FieldText {
  readonly label?: string
  readonly placeholder?: string
  readonly showValidation?: boolean
}

export type ColourScheme = 'light' | 'dark'

/** Serialisable settings of a form. Callbacks stay on the page. */
export interface FormSettings {
  readonly styles: Readonly<Record<string, FieldStyle | CssMap>>
  readonly text: Readonly<Record<string, FieldText>>
  readonly addressText: Readonly<Record<string, FieldText>>
  readonly errorMessages: Readonly<Record<string, string>>
  readonly fontCss: readonly string[]
  readonly billingAddressRequired: boolean
  readonly emailRequired: boolean
  readonly shippingAddressRequired: boolean
  readonly hideCv2: boolean
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly colourScheme: ColourScheme
  readonly button: { readonly colour: 'black' | 'white'; readonly type: string }
}

/** From the page to the form. `ask` numbers a request; its answer has the same number. */
export type ToForm =
  | { readonly type: 'init'; readonly settings: FormSettings }
  | { readonly type: 'colour-scheme'; readonly colourScheme: ColourScheme }
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'validate'; readonly ask: number }
  | { readonly type: 'pay'; readonly ask: number; readonly info: unknown }
  | { readonly type: 'overlay-ended'; readonly ended: OverlayEnd }

/** From the form to the page. */
export type FromForm =
  | { readonly type: 'ready' }
  | { readonly type: 'height'; readonly px: number }
  | { readonly type: 'errors'; readonly errors: readonly FormError[] }
  | { readonly type: 'submitted' }
  | { readonly type: 'blurred'; readonly valid: boolean }
  | { readonly type: 'field-valid'; readonly field: string }
  | { readonly type: 'form-complete' }
  | { readonly type: 'answer'; readonly ask: number; readonly outcome: Outcome | null }
  | { readonly type: 'rejected'; readonly ask: number; readonly why: Rejection }
  | { readonly type: 'overlay'; readonly overlay: Overlay }
  /** The shopper approved a payment in a wallet's own sheet. */
  | { readonly type: 'wallet-approved' }
  | { readonly type: 'wallet-cancelled' }
  | { readonly type: 'paid'; readonly outcome: Outcome }

/** Second frame over the page: the issuer's page, or the test wallet. */
export type Overlay =
  | { readonly page: 'three-ds'; readonly title: string; readonly order: ChallengeOrder }
  | { readonly page: 'wallet-sheet'; readonly title: string; readonly order: WalletOrder }

/** Request for the issuer's page. Version 2: `stepUpUrl` and `jwt`; version 1: `acsUrl` and `paReq`. */
export interface ChallengeOrder {
  readonly locale: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

export interface WalletOrder {
  readonly locale: string
  readonly wallet: 'APPLE_PAY' | 'GOOGLE_PAY'
  readonly emailRequired: boolean
  readonly billingAddressRequired: boolean
  readonly shippingAddressRequired: boolean
}

/** `blocked`: the frame never loaded. */
export type OverlayEnd =
  | { readonly how: 'finished'; readonly data: unknown }
  | { readonly how: 'closed' | 'timed-out' | 'blocked' }

/** From the page to the overlay. */
export interface ToOverlay {
  readonly type: 'open'
  readonly order: ChallengeOrder | WalletOrder
}

/** From the overlay to the page. */
export type FromOverlay =
  | { readonly type: 'opened' }
  /** The shopper approved a wallet payment. */
  | { readonly type: 'approved' }
  | { readonly type: 'closed' }
  | { readonly type: 'finished'; readonly data: unknown }

export type Message = ToForm | FromForm | ToOverlay | FromOverlay

/** A message in transit. `id` identifies page and frame, so that two forms on a page do not mix. */
export type Envelope = Message & { readonly source: typeof SOURCE; readonly id: string }

/** Whether the data is one of our messages. The caller checks the sender. */
export function isEnvelope(data: unknown): data is Envelope {
  if (typeof data !== 'object' || data === null) return false
  const { source, id, type } = data as Readonly<Record<string, unknown>>
  return source === SOURCE && typeof id === 'string' && typeof type === 'string'
}
