// src/domain/online/payer-browser.ts — the payer's browser, as 3-D Secure describes it to issuers.

/** A browser whose scripts run. Stored with the payment, because the issuer is asked after the answer to the browser may be lost. */
export interface PayerBrowser {
  /** Headers of the request for the page, not of a script's request. */
  readonly acceptHeader: string
  readonly userAgent: string
  /** Language tags of the header Accept-Language, in its order. */
  readonly acceptLanguage: readonly string[]
  readonly ip?: string
  readonly language: string
  readonly javaEnabled: boolean
  /** Bits per pixel. */
  readonly colourDepth: number
  /** Pixels. */
  readonly screenHeight: number
  readonly screenWidth: number
  /** Minutes that UTC is ahead of local time: `Date.getTimezoneOffset()`. */
  readonly timeZoneMinutes: number
}
