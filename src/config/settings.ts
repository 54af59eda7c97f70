// src/config/settings.ts — all settings, as data.
// `tollgate config`, the checks at start and docs/settings.md are derived from them.
import { DATABASE_URL } from './database-url.ts'
import {
  BASE_URL,
  HOST,
  integer,
  KEYS,
  type Kind,
  NETWORKS,
  NODE_ADDRESS,
  ORIGINS,
  oneOf,
  PATH,
  PATHS,
  TIME_ZONE,
  TOKEN,
  toggle,
} from './kinds.ts'
import type { Setting } from './setting.ts'
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts'

export type { Setting } from './setting.ts'

export const SETTINGS = {
  host: {
    env: 'HOST',
    option: 'host',
    kind: HOST,
    default: '127.0.0.1',
    meaning:
      'Address to listen on; 0.0.0.0: all of this machine, so that phones and tills in its networks reach the gateway.',
  },
  port: {
    env: 'PORT',
    option: 'port',
    kind: integer(0, 65_535),
    default: '4020',
    meaning: 'Port to listen on; 0 takes any free one.',
  },
  dataDirectory: {
    env: 'TOLLGATE_DATA',
    option: 'data',
    kind: PATH,
    default: './data',
    meaning: 'Directory of the database. Created if missing.',
  },
  database: {
    env: 'DATABASE_URL',
    kind: DATABASE_URL,
    default: null,
    secret: true,
    meaning: 'Postgres database, 15 to 18. Not set: SQLite in the data directory.',
  },
  mode: {
    env: 'TOLLGATE_MODE',
    option: 'mode',
    kind: oneOf('sandbox', 'live'),
    default: 'sandbox',
    meaning: 'Sandbox mode simulates terminals and acquirers; live mode refuses everything simulated.',
  },
  logLevel: {
    env: 'TOLLGATE_LOG_LEVEL',
    kind: oneOf('silent', 'error', 'warn', 'info'),
    default: 'info',
    meaning: 'Lowest level that is logged.',
  },
  logFormat: {
    env: 'TOLLGATE_LOG_FORMAT',
    kind: oneOf('auto', 'json', 'pretty'),
    default: 'auto',
    meaning: 'Format of the log; `auto` is `pretty` on a TTY and `json` elsewhere.',
  },

  // Simulation
  paceMs: {
    env: 'TOLLGATE_PACE',
    option: 'pace',
    kind: integer(0, 60_000),
    default: '500',
    unit: 'ms',
    meaning: 'Time for each step of a simulated terminal, unless the terminal has a setting of its own.',
  },
  scenarioDirectory: {
    env: 'TOLLGATE_SCENARIOS',
    option: 'scenarios',
    kind: PATH,
    default: null,
    meaning: 'Directory with scenarios for simulated terminals, one JSON document a file. Read at the start.',
  },

  // 3-D Secure
  directoryServers: {
    env: 'TOLLGATE_DIRECTORY_SERVER',
    kind: PATHS,
    default: null,
    meaning: 'Documents of `emv`, one for each scheme, see docs/3-d-secure.md. Needs TOLLGATE_PUBLIC_URL.',
  },

  // Network
  publicUrl: {
    env: 'TOLLGATE_PUBLIC_URL',
    kind: BASE_URL,
    default: null,
    meaning: 'Base of all addresses in answers. Not set: the Host header of the request.',
  },
  consoleUrl: {
    env: 'TOLLGATE_CONSOLE_URL',
    kind: BASE_URL,
    default: null,
    meaning: 'Address of the console, when it has a host of its own. Not set: that of the gateway.',
  },
  nodeListen: {
    env: 'TOLLGATE_NODE_LISTEN',
    kind: NODE_ADDRESS,
    default: '127.0.0.1:0',
    meaning:
      'On Postgres: address at which this node listens for other nodes of the gateway; port 0 takes any free one.',
  },
  trustedProxies: {
    env: 'TOLLGATE_TRUSTED_PROXY',
    kind: NETWORKS,
    default: 'off',
    meaning: 'Proxies whose X-Forwarded headers are trusted.',
  },
  tlsCertFile: { env: 'TOLLGATE_TLS_CERT', kind: PATH, default: null, meaning: 'File with the TLS certificate, PEM.' },
  tlsKeyFile: { env: 'TOLLGATE_TLS_KEY', kind: PATH, default: null, meaning: 'File with its private key, PEM.' },
  corsOrigins: {
    env: 'TOLLGATE_CORS_ORIGINS',
    kind: ORIGINS,
    default: '*',
    meaning: 'Web pages whose scripts may call the gateway.',
  },
  bodyLimitBytes: {
    env: 'TOLLGATE_BODY_LIMIT',
    kind: integer(1_024, 16_777_216),
    default: '65536',
    unit: 'bytes',
    meaning: 'Largest request body.',
  },
  metricsToken: {
    env: 'TOLLGATE_METRICS_TOKEN',
    kind: TOKEN,
    default: null,
    secret: true,
    meaning: 'Bearer token required by /metrics. Not set: /metrics is open in sandbox mode and absent in live mode.',
  },

  // API versions and checks of requests
  defaultVersion: {
    env: 'TOLLGATE_DEFAULT_VERSION',
    kind: oneOf('v0', 'v1', 'v2'),
    default: 'v2',
    meaning:
      'Version of requests that name none. Under /retail it is v0; on a WebSocket v2 means v1, and the others v0.',
  },
  partnerHeaders: {
    env: 'TOLLGATE_PARTNER_HEADERS',
    kind: oneOf('require', 'accept'),
    default: 'require',
    meaning:
      'Whether a request that names v2, or a WebSocket that names v1, must have the ids of software house and installer.',
  },
  strictCompletion: {
    env: 'TOLLGATE_STRICT_COMPLETION',
    kind: toggle(),
    default: 'false',
    meaning: 'Whether a COMPLETION must have amountPreAuthorisedTotal.',
  },

  // Time limits of transactions, reports and tables
  transactionLimitMs: {
    env: 'TOLLGATE_TRANSACTION_LIMIT_MS',
    kind: integer(1_000, 3_600_000),
    default: '200000',
    unit: 'ms',
    meaning: 'Time-out for a transaction that the terminal never finishes.',
  },
  keyedLimitMs: {
    env: 'TOLLGATE_KEYED_LIMIT_MS',
    kind: integer(1_000, 3_600_000),
    default: '400000',
    unit: 'ms',
    meaning: 'The same for a card number that is keyed in.',
  },
  signatureWaitMs: {
    env: 'TOLLGATE_SIGNATURE_MS',
    kind: integer(1_000, 3_600_000),
    default: '80000',
    unit: 'ms',
    meaning: 'How long a signature waits for the till before it counts as accepted.',
  },
  reportLimitMs: {
    env: 'TOLLGATE_REPORT_LIMIT_MS',
    kind: integer(1_000, 3_600_000),
    default: '120000',
    unit: 'ms',
    meaning: 'How long a report may take before it counts as timed out.',
  },
  tableLeaseMs: {
    env: 'TOLLGATE_TABLE_LEASE_MS',
    kind: integer(0, 86_400_000),
    default: '900000',
    unit: 'ms',
    meaning: "Time without a payment after which a terminal's lock on a table lapses. 0: never; it must be overridden.",
  },
  retentionMs: {
    env: 'TOLLGATE_RETENTION_MS',
    kind: integer(60_000, 31_536_000_000),
    default: '86400000',
    unit: 'ms',
    meaning: 'How long finished transactions and reports can be read under /pac. Under /api they stay.',
  },
  // Retention of online payments
  cardRetentionDays: {
    env: 'TOLLGATE_CARD_RETENTION_DAYS',
    kind: integer(31, 3_650),
    default: '400',
    unit: 'days',
    meaning: 'Time after its last use for which an unsaved card is kept; refunds and repeat payments need it.',
  },
  webhookRetentionDays: {
    env: 'TOLLGATE_WEBHOOK_RETENTION_DAYS',
    kind: integer(1, 3_650),
    default: '30',
    unit: 'days',
    meaning: 'Time for which a delivered or failed webhook can be read and resent.',
  },
  tokenRetentionDays: {
    env: 'TOLLGATE_TOKEN_RETENTION_DAYS',
    kind: integer(1, 3_650),
    default: '30',
    unit: 'days',
    meaning: 'Time for which an unused access token stays in the lists. Its merchantTransactionId stays taken.',
  },
  sandboxRetentionDays: {
    env: 'TOLLGATE_SANDBOX_RETENTION_DAYS',
    kind: integer(1, 3_650),
    default: '90',
    unit: 'days',
    meaning: 'How long the simulator keeps a finished order or authentication after its last change.',
  },
  pauseMs: {
    env: 'TOLLGATE_PAUSE_MS',
    kind: integer(0, 60_000),
    default: '0',
    unit: 'ms',
    meaning: 'Shortest time between two requests of one API key under /pac; a faster one is 429. 0 disables the limit.',
  },
  shopCallsPerSecond: {
    env: 'TOLLGATE_SHOP_CALLS_PER_SECOND',
    kind: integer(0, 100_000),
    default: null,
    meaning:
      'Calls a second under /v1 of one account’s web shop; 0: no limit. Not set: no limit in a sandbox, 20 in live mode.',
  },
  timeZone: {
    env: 'TOLLGATE_TIME_ZONE',
    kind: TIME_ZONE,
    default: 'Europe/London',
    meaning: 'Time zone of new merchant accounts.',
  },

  // Operation
  vaultKey: {
    env: 'TOLLGATE_VAULT_KEY',
    kind: KEYS,
    default: null,
    secret: true,
    meaning: 'Key that encrypts card data at rest, followed by older keys. Live mode needs this or the file.',
  },
  vaultKeyFile: {
    env: 'TOLLGATE_VAULT_KEY_FILE',
    kind: PATH,
    default: null,
    meaning: 'File that holds that key, one a line; `tollgate vault rotate` writes it. A sandbox makes its own.',
  },
  closePayments: {
    env: 'TOLLGATE_CLOSE_PAYMENTS',
    kind: oneOf('api', 'command-line'),
    default: 'api',
    meaning:
      'Whether an API key is enough to close an online payment by hand, or only the command line beside the gateway can.',
  },
  webhookPrivate: {
    env: 'TOLLGATE_WEBHOOK_PRIVATE',
    kind: oneOf('auto', 'allow', 'refuse'),
    default: 'auto',
    meaning: 'Whether webhooks may go to private addresses; auto allows it in sandbox only.',
  },
  acquirerFile: {
    env: 'TOLLGATE_ACQUIRER_FILE',
    kind: PATH,
    default: null,
    meaning: 'File that describes the host of the acquirer iso8583, JSON. Not set: that acquirer carries out nothing.',
  },
  googlePayFile: {
    env: 'TOLLGATE_GOOGLE_PAY_FILE',
    kind: PATH,
    default: null,
    meaning: 'File with the keys of Google Pay, JSON. Not set: a sandbox has its own, live mode does not offer it.',
  },
  applePayFile: {
    env: 'TOLLGATE_APPLE_PAY_FILE',
    kind: PATH,
    default: null,
    meaning: 'File with the keys of Apple Pay, JSON. Not set: a sandbox has its own, live mode does not offer it.',
  },
  recordRequests: {
    env: 'TOLLGATE_RECORD_REQUESTS',
    kind: toggle('on', 'off'),
    default: 'on',
    meaning: 'Whether the latest requests of each account are kept in memory, without secrets, for GET /api/requests.',
  },
  stateCache: {
    env: 'TOLLGATE_STATE_CACHE',
    kind: toggle('on', 'off'),
    default: 'on',
    meaning: 'Whether running records are cached in memory. Answers do not depend on it.',
  },
  shutdownLimitMs: {
    env: 'TOLLGATE_SHUTDOWN_MS',
    kind: integer(0, 600_000),
    default: '10000',
    unit: 'ms',
    meaning: 'Time that running requests have after the signal to stop.',
  },
  drainMs: {
    env: 'TOLLGATE_DRAIN_MS',
    kind: integer(0, 600_000),
    default: '0',
    unit: 'ms',
    meaning: 'Time after the signal to stop in which requests are still served and /health/ready answers 503.',
  },

  ...TELEMETRY_SETTINGS,
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

type ValueOf<S extends Setting> =
  S['kind'] extends Kind<infer Value> ? (S['default'] extends null ? Value | null : Value) : never

/** Values of all settings. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }
