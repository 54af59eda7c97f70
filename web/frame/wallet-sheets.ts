// web/frame/wallet-sheets.ts — types of a wallet's sheet, for all wallets.

/** Amount in major units, as both wallets expect. */
export interface Price {
  readonly amount: string
  /** ISO 4217 letters. */
  readonly currency: string
}

export interface GoogleFacts {
  readonly environment: 'PRODUCTION' | 'TEST'
  readonly merchantId: string
  readonly merchantName: string
  readonly countryCode: string
  readonly tokenization: unknown
}

export interface AppleFacts {
  readonly displayName: string
  readonly countryCode: string
}

/** Contact data that the merchant requires. */
export interface Contacts {
  readonly emailRequired: boolean
  readonly billingAddressRequired: boolean
  readonly shippingAddressRequired: boolean
}

export interface SheetRequest extends Contacts {
  readonly token: string
  readonly pageOrigin: string
}

/** `answer`: the gateway's answer to the payment, null when unknown. `failed`: the sheet did not open, nothing was sent. */
export type SheetEnd =
  | { readonly how: 'paid'; readonly answer: Readonly<Record<string, unknown>> | null }
  | { readonly how: 'cancelled' }
  | { readonly how: 'failed' }

export interface Sheet {
  readonly wallet: 'APPLE_PAY' | 'GOOGLE_PAY'
  readonly isTest: boolean
  /** Must be called synchronously in a click event. `approved` is called when the shopper approves and the payment starts. */
  open(approved: () => void): Promise<SheetEnd>
}

/** Parses the parameters that the gateway put into the document. */
export function sheetsIn(text: string): {
  readonly price: Price
  readonly googlePay: GoogleFacts | null
  readonly applePay: AppleFacts | null
} {
  return JSON.parse(text) as ReturnType<typeof sheetsIn>
}
