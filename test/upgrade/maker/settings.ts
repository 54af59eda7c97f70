// test/upgrade/maker/settings.ts — settings of the program that makes the directory, and of the tests that open it.

/** Base of each location, and audience of the JWTs. Not the address that the program listens on. */
export const PUBLIC_URL = 'http://pay.example:4020'

const DAY_MS = 86_400_000

export const SETTINGS = {
  PORT: '0',
  TOLLGATE_LOG_FORMAT: 'json',
  TOLLGATE_PUBLIC_URL: PUBLIC_URL,
  // Longer than the day that the tests advance, so that finished records stay readable.
  TOLLGATE_RETENTION_MS: String(30 * DAY_MS),
  TOLLGATE_SHOP_CALLS_PER_SECOND: '0',
}
