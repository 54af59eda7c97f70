// src/api/versions/older-words.ts — words and forms that the older versions of both transports have in common.

/** What every terminal can do. The newest version does not speak of it any more. Terminal reference 3.2. */
export const CAPABILITIES = [
  'SALE',
  'REFUND',
  'DUPLICATE',
  'CANCEL_TRANSACTION',
  'REPORT_END_OF_DAY',
  'REPORT_BANKING',
  'REPORT_X_BALANCE',
  'REPORT_Z_BALANCE',
  'TERMINAL_STATUS',
] as const

/** The older versions know no doubt about how a cardholder was checked. */
export function olderVerification(method: unknown): unknown {
  return method === 'UNKNOWN' ? 'NONE' : method
}

/** Local time of the site, written as a date-time: the oldest version's form. Terminal reference 6.6. */
export function zonedTime(local: unknown): string {
  return `${local}Z`
}
