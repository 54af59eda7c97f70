// web/console/money.ts — amounts as people write and read them.

/** Digits after the decimal point of a currency: 2 for GBP, 0 for JPY. */
export function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount with its currency, such as `£25.99`. @param minor in minor units */
export function inWords(minor: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(minor / 10 ** decimalsOf(currency))
}

/** Reads what somebody has typed, such as `25.99` or `25,99`. Returns minor units; null when it is no amount of the currency. */
export function minorOf(typed: string, currency: string): number | null {
  const decimals = decimalsOf(currency)
  const [, whole = '', fraction = ''] = /^(\d{1,8})(?:[.,](\d*))?$/.exec(typed.trim()) ?? []
  if (whole === '' || fraction.length > decimals) return null
  return Number(whole) * 10 ** decimals + Number(fraction.padEnd(decimals, '0') || '0')
}
