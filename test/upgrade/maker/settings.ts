// test/upgrade/maker/settings.ts — the settings of the program that made the directory, and of those that open it.

/** The base of every location, and what the JWTs are for. It is not the address that the program listens on. */
export const PUBLIC_URL = 'http://pay.example:4020'

const DAY_MS = 86_400_000

export const SETTINGS = {
  PORT: '0',
  TOLLGATE_LOG_FORMAT: 'json',
  TOLLGATE_PUBLIC_URL: PUBLIC_URL,
  // What has ended can be read when everything has, a day after the kill.
  TOLLGATE_RETENTION_MS: String(30 * DAY_MS),
  TOLLGATE_SHOP_CALLS_PER_SECOND: '0',
}
