// web/frame/wallet-sheets.ts — what a wallet's own sheet is opened with and how it ends, whichever wallet it is.

/** In major units, as both wallets write it. */
export interface Price {
  readonly amount: string
  /** ISO 4217, letters. */
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

/** What the shop wants to hear of the shopper. E-commerce 7.2. */
export interface Contacts {
  readonly emailRequired: boolean
  readonly billingAddressRequired: boolean
  readonly shippingAddressRequired: boolean
}

export interface SheetWish extends Contacts {
  readonly token: string
  readonly pageOrigin: string
}

/** `answer`: what the gateway has said to the payment; null: nobody knows. `failed`: it never opened, nothing was sent. */
export type SheetEnd =
  | { readonly how: 'paid'; readonly answer: Readonly<Record<string, unknown>> | null }
  | { readonly how: 'cancelled' }
  | { readonly how: 'failed' }

export interface Sheet {
  readonly wallet: 'APPLE_PAY' | 'GOOGLE_PAY'
  readonly isTest: boolean
  /** Called in the turn of a click. `approved` is called when the shopper has said yes and the payment begins. */
  open(approved: () => void): Promise<SheetEnd>
}

/** Reads what the gateway wrote into the document. */
export function sheetsIn(text: string): {
  readonly price: Price
  readonly googlePay: GoogleFacts | null
  readonly applePay: AppleFacts | null
} {
  return JSON.parse(text) as ReturnType<typeof sheetsIn>
}
