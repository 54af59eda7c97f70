// test/unit/config/config.test.ts — settings: valid values, error messages, and the source of each value.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'vitest'
import { EVERYTHING } from '../../../src/config/rules.ts'
import { type Config, type Overrides, readConfig, settingsTable } from '../../../src/config.ts'
import { TEST_CERT, TEST_KEY } from '../../support/tls.ts'

const VAULT_KEY = randomBytes(32).toString('base64')
const FILES: Record<string, Buffer> = {
  'cert.pem': TEST_CERT,
  'key.pem': TEST_KEY,
  'vault.key': Buffer.from(`${VAULT_KEY}\n`),
  'short.key': Buffer.from('c2hvcnQ='),
}
const TLS = { TOLLGATE_TLS_CERT: 'cert.pem', TOLLGATE_TLS_KEY: 'key.pem' }

function read(env: Record<string, string>, overrides: Overrides = {}) {
  return readConfig(env, overrides, EVERYTHING, path => {
    const file = FILES[path]
    if (file === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return file
  })
}

function configOf(env: Record<string, string>, overrides: Overrides = {}): Config {
  const result = read(env, overrides)
  ok('config' in result, 'problems' in result ? result.problems.join(' ') : '')
  return result.config
}

function problemsOf(env: Record<string, string>, overrides: Overrides = {}): readonly string[] {
  const result = read(env, overrides)
  ok('problems' in result, 'nothing was wrong')
  return result.problems
}

test('without any setting the gateway is a sandbox on 127.0.0.1:4020', () => {
  deepEqual(configOf({}), {
    host: '127.0.0.1',
    port: 4020,
    dataDirectory: './data',
    database: null,
    mode: 'sandbox',
    logLevel: 'info',
    logFormat: 'auto',
    paceMs: 500,
    scenarioDirectory: null,
    directoryServers: null,
    publicUrl: null,
    consoleUrl: null,
    nodeListen: { host: '127.0.0.1', port: 0 },
    trustedProxies: [],
    tlsCertFile: null,
    tlsKeyFile: null,
    tls: null,
    corsOrigins: '*',
    bodyLimitBytes: 65_536,
    metricsToken: null,
    defaultVersion: 'v2',
    partnerHeaders: 'require',
    strictCompletion: false,
    transactionLimitMs: 200_000,
    keyedLimitMs: 400_000,
    signatureWaitMs: 80_000,
    reportLimitMs: 120_000,
    tableLeaseMs: 900_000,
    retentionMs: 86_400_000,
    cardRetentionDays: 400,
    webhookRetentionDays: 30,
    tokenRetentionDays: 30,
    sandboxRetentionDays: 90,
    pauseMs: 0,
    shopCallsPerSecond: 0,
    timeZone: 'Europe/London',
    vaultKey: null,
    vaultKeyFile: null,
    closePayments: 'api',
    webhookPrivate: 'auto',
    acquirerFile: null,
    googlePayFile: null,
    applePayFile: null,
    recordRequests: true,
    stateCache: true,
    otlpEndpoint: null,
    otlpHeaders: null,
    otlpProtocol: 'http/protobuf',
    otlpTimeoutMs: 10_000,
    otelDisabled: false,
    otelTraces: true,
    otelMetrics: true,
    otelServiceName: 'tollgate',
    otelResource: null,
    otelSampler: 'parentbased_always_on',
    otelSamplerRatio: 1,
    otelQueueSize: 2_048,
    otelBatchSize: 512,
    otelDelayMs: 5_000,
    otelMetricIntervalMs: 60_000,
    shutdownLimitMs: 10_000,
    drainMs: 0,
  } satisfies Config)
})

type Taken = readonly [env: string, text: string, name: keyof Config, value: unknown]
const TAKEN: readonly Taken[] = [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/', 'otlpEndpoint', 'http://collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%20b, y=', 'otlpHeaders', { 'x-key': 'a b', y: '' }],
  ['OTEL_TRACES_EXPORTER', 'none', 'otelTraces', false],
  ['OTEL_TRACES_SAMPLER_ARG', '0.25', 'otelSamplerRatio', 0.25],
  ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['HOST', '::1', 'host', '::1'],
  ['HOST', 'till-server.local', 'host', 'till-server.local'],
  ['TOLLGATE_NODE_LISTEN', '10.0.0.5:4021', 'nodeListen', { host: '10.0.0.5', port: 4021 }],
  ['TOLLGATE_NODE_LISTEN', '[fd00::5]:4021', 'nodeListen', { host: 'fd00::5', port: 4021 }],
  ['TOLLGATE_NODE_LISTEN', 'tollgate-0.tollgate:0', 'nodeListen', { host: 'tollgate-0.tollgate', port: 0 }],
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65_535],
  ['PORT', ' 8080 ', 'port', 8080],
  ['PORT', '', 'port', 4020],
  ['TOLLGATE_DATA', '/var/lib/tollgate', 'dataDirectory', '/var/lib/tollgate'],
  ['TOLLGATE_PACE', '0', 'paceMs', 0],
  ['TOLLGATE_PACE', '60000', 'paceMs', 60_000],
  ['TOLLGATE_PUBLIC_URL', 'https://pay.example', 'publicUrl', 'https://pay.example'],
  ['TOLLGATE_PUBLIC_URL', 'https://pay.example:8443/gateway/', 'publicUrl', 'https://pay.example:8443/gateway'],
  ['TOLLGATE_DIRECTORY_SERVER', 'visa.json, amex.json', 'directoryServers', ['visa.json', 'amex.json']],
  ['TOLLGATE_TRUSTED_PROXY', 'off', 'trustedProxies', []],
  ['TOLLGATE_TRUSTED_PROXY', '10.0.0.1, fd00::/8', 'trustedProxies', ['10.0.0.1', 'fd00::/8']],
  ['TOLLGATE_DEFAULT_VERSION', 'v0', 'defaultVersion', 'v0'],
  ['TOLLGATE_PARTNER_HEADERS', 'accept', 'partnerHeaders', 'accept'],
  ['TOLLGATE_STRICT_COMPLETION', 'true', 'strictCompletion', true],
  ['TOLLGATE_TIME_ZONE', 'Europe/Berlin', 'timeZone', 'Europe/Berlin'],
  ['TOLLGATE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
  ['TOLLGATE_LOG_FORMAT', 'json', 'logFormat', 'json'],
  ['TOLLGATE_METRICS_TOKEN', 'abcdefghijklmnop', 'metricsToken', 'abcdefghijklmnop'],
  ['TOLLGATE_CORS_ORIGINS', 'off', 'corsOrigins', []],
  [
    'TOLLGATE_CORS_ORIGINS',
    'https://a.example,http://b.example:8080',
    'corsOrigins',
    ['https://a.example', 'http://b.example:8080'],
  ],
  ['TOLLGATE_BODY_LIMIT', '1024', 'bodyLimitBytes', 1024],
  ['TOLLGATE_RECORD_REQUESTS', 'off', 'recordRequests', false],
  ['TOLLGATE_STATE_CACHE', 'off', 'stateCache', false],
  ['TOLLGATE_CLOSE_PAYMENTS', 'command-line', 'closePayments', 'command-line'],
  ['TOLLGATE_SHUTDOWN_MS', '0', 'shutdownLimitMs', 0],
  ['TOLLGATE_DRAIN_MS', '5000', 'drainMs', 5_000],
  ['TOLLGATE_TRANSACTION_LIMIT_MS', '1000', 'transactionLimitMs', 1000],
  ['TOLLGATE_KEYED_LIMIT_MS', '500000', 'keyedLimitMs', 500_000],
  ['TOLLGATE_SIGNATURE_MS', '60000', 'signatureWaitMs', 60_000],
]
test.each(TAKEN)('%s=%s is accepted', (env, text, name, value) => {
  deepEqual(configOf({ [env]: text })[name], value)
})

const REFUSED: readonly (readonly [env: string, text: string, sentence: string])[] = [
  ['HOST', 'http://x', 'HOST must be a host name or an IP address, not "http://x".'],
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
  ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
  ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535, not "80.5".'],
  ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535, not "0x50".'],
  ['PORT', '4e3', 'PORT must be a whole number from 0 to 65535, not "4e3".'],
  ['TOLLGATE_MODE', 'Live', 'TOLLGATE_MODE must be sandbox or live, not "Live".'],
  ['TOLLGATE_PACE', '60001', 'TOLLGATE_PACE must be a whole number from 0 to 60000, not "60001".'],
  ['TOLLGATE_DEFAULT_VERSION', 'v3', 'TOLLGATE_DEFAULT_VERSION must be one of v0, v1, v2, not "v3".'],
  ['TOLLGATE_PARTNER_HEADERS', 'off', 'TOLLGATE_PARTNER_HEADERS must be require or accept, not "off".'],
  ['TOLLGATE_STRICT_COMPLETION', '1', 'TOLLGATE_STRICT_COMPLETION must be true or false, not "1".'],
  ['TOLLGATE_STATE_CACHE', 'true', 'TOLLGATE_STATE_CACHE must be on or off, not "true".'],
  ['TOLLGATE_TIME_ZONE', 'Mars/Base', 'TOLLGATE_TIME_ZONE must be a time zone such as Europe/London, not "Mars/Base".'],
  ['TOLLGATE_TIME_ZONE', '+01:00', 'TOLLGATE_TIME_ZONE must be a time zone such as Europe/London, not "+01:00".'],
]
test.each(REFUSED)('%s=%s is refused with one message', (env, text, sentence) => {
  deepEqual(problemsOf({ [env]: text }), [sentence])
})

const REFUSED_LISTS = [
  ['TOLLGATE_PUBLIC_URL', 'pay.example'],
  ['TOLLGATE_PUBLIC_URL', 'ftp://pay.example'],
  ['TOLLGATE_PUBLIC_URL', 'https://user:word@pay.example'],
  ['TOLLGATE_PUBLIC_URL', 'https://pay.example/?a=b'],
  ['TOLLGATE_NODE_LISTEN', '10.0.0.5'],
  ['TOLLGATE_NODE_LISTEN', '10.0.0.5:65536'],
  ['TOLLGATE_NODE_LISTEN', '0.0.0.0:4021'],
  ['TOLLGATE_NODE_LISTEN', '[::]:4021'],
  ['TOLLGATE_NODE_LISTEN', '[10.0.0.5]:4021'],
  ['TOLLGATE_NODE_LISTEN', 'fd00::5:4021'],
  ['TOLLGATE_NODE_LISTEN', 'https://node:4021'],
  ['TOLLGATE_DIRECTORY_SERVER', 'visa.json,'],
  ['TOLLGATE_TRUSTED_PROXY', 'proxy.example'],
  ['TOLLGATE_TRUSTED_PROXY', '10.0.0.0/33'],
  ['TOLLGATE_TRUSTED_PROXY', '10.1'],
  ['TOLLGATE_TRUSTED_PROXY', '010.0.0.1'],
  ['TOLLGATE_TRUSTED_PROXY', '10.1/8'],
  ['TOLLGATE_TRUSTED_PROXY', 'fd00::/129'],
  ['TOLLGATE_TRUSTED_PROXY', '10.0.0.0/8/8'],
  ['TOLLGATE_TRUSTED_PROXY', '10.0.0.1,'],
  ['TOLLGATE_TRUSTED_PROXY', 'off,10.0.0.1'],
  ['TOLLGATE_CORS_ORIGINS', 'https://a.example/'],
  ['TOLLGATE_CORS_ORIGINS', 'a.example'],
  ['TOLLGATE_CORS_ORIGINS', '*,https://a.example'],
] as const
test.each(REFUSED_LISTS)('%s=%s is refused', (env, text) => {
  const [problem = '', ...others] = problemsOf({ [env]: text })
  deepEqual(others, [])
  ok(problem.startsWith(`${env} must be `) && problem.endsWith(`not ${JSON.stringify(text)}.`), problem)
})

test('all problems are reported at once', () => {
  equal(problemsOf({ PORT: 'x', TOLLGATE_PACE: 'y', TOLLGATE_NOPE: 'z' }).length, 3)
})

test('a long value is shortened in its message', () => {
  const [problem = ''] = problemsOf({ PORT: '9'.repeat(500) })
  ok(problem.length < 130, problem)
})

test('a secret appears neither in messages nor in the listed settings', () => {
  doesNotMatch(problemsOf({ TOLLGATE_METRICS_TOKEN: 'hunter2' }).join(), /hunter2/)
  doesNotMatch(problemsOf({ TOLLGATE_VAULT_KEY: 'hunter2' }).join(), /hunter2/)
  const result = read({ TOLLGATE_METRICS_TOKEN: 'abcdefghijklmnop', TOLLGATE_VAULT_KEY: VAULT_KEY })
  ok('inForce' in result)
  const lines = JSON.stringify(result.inForce)
  ok(!lines.includes('abcdefghijklmnop') && !lines.includes(VAULT_KEY))
  deepEqual(
    result.inForce.find(line => line.env === 'TOLLGATE_VAULT_KEY'),
    { env: 'TOLLGATE_VAULT_KEY', value: '(set)', from: 'environment' },
  )
})

test('an option overrides the environment, and the environment the default', () => {
  const result = read({ PORT: '1', TOLLGATE_PACE: '2' }, { port: '3' })
  ok('config' in result)
  equal(result.config.port, 3)
  equal(result.config.paceMs, 2)
  const lineOf = (env: string) => result.inForce.find(line => line.env === env)
  deepEqual(lineOf('PORT'), { env: 'PORT', value: '3', from: 'option' })
  deepEqual(lineOf('TOLLGATE_PACE'), { env: 'TOLLGATE_PACE', value: '2', from: 'environment' })
  deepEqual(lineOf('HOST'), { env: 'HOST', value: '127.0.0.1', from: 'default' })
  deepEqual(lineOf('TOLLGATE_PUBLIC_URL'), { env: 'TOLLGATE_PUBLIC_URL', value: '(not set)', from: 'default' })
})

test('a wrong option is named as an option', () => {
  deepEqual(problemsOf({}, { port: 'x' }), ['--port must be a whole number from 0 to 65535, not "x".'])
  deepEqual(problemsOf({}, { data: '' }), ['--data must be a path in the file system, not "".'])
})

test('a database address is read with its files and never shown', () => {
  const url = 'postgres://user:word@db.example/x?sslmode=verify-full&sslrootcert=cert.pem'
  const result = read({ DATABASE_URL: url })
  ok('config' in result)
  deepEqual(result.config.database, {
    hosts: [{ host: 'db.example', port: 5432 }],
    user: 'user',
    password: 'word',
    database: 'x',
    tls: { verify: 'full', ca: TEST_CERT, cert: null, key: null },
  })
  const shown = result.inForce.find(({ env }) => env === 'DATABASE_URL')
  deepEqual(shown, { env: 'DATABASE_URL', value: '(set)', from: 'environment' })
})

test('a database address that is none is refused without being shown', () => {
  const [first = '', ...others] = problemsOf({ DATABASE_URL: 'mysql://user:hidden@db/x' })
  deepEqual(others, [])
  match(first, /^DATABASE_URL must be postgres:/)
  ok(!first.includes('hidden'))
  deepEqual(problemsOf({ DATABASE_URL: 'postgres://u:p@db/x?sslmode=verify-ca&sslrootcert=gone.pem' }), [
    'sslrootcert of DATABASE_URL must be a file that can be read, but gone.pem gives ENOENT.',
  ])
})

const MISSPELT = [
  ['TOLLGATE_PASE', 'TOLLGATE_PACE'],
  ['TOLLGATE_LOGLEVEL', 'TOLLGATE_LOG_LEVEL'],
  ['TOLLGATE_PORT', 'PORT'],
  ['TOLLGATE_HOST', 'HOST'],
  ['TOLLGATE_TLS_CERTIFICATE', 'TOLLGATE_TLS_CERT'],
  ['TOLLGATE_pace', 'TOLLGATE_PACE'],
] as const
test.each(MISSPELT)('for the unknown setting %s the message suggests %s', (written, meant) => {
  deepEqual(problemsOf({ [written]: '1' }), [`${written} is not a setting; did you mean ${meant}?`])
})

test('variables that Kubernetes sets for a service called tollgate are not taken for settings', () => {
  const links = {
    TOLLGATE_PORT: 'tcp://10.0.0.1:4020',
    TOLLGATE_PORT_4020_TCP: 'tcp://10.0.0.1:4020',
    TOLLGATE_PORT_4020_TCP_ADDR: '10.0.0.1',
    TOLLGATE_SERVICE_HOST: '10.0.0.1',
    TOLLGATE_SERVICE_PORT: '4020',
    TOLLGATE_SERVICE_PORT_HTTP: '4020',
  }
  equal(configOf(links).port, 4020)
})

test('live mode reports everything that is missing, one message each', () => {
  const [tls = '', vault = '', ...others] = problemsOf({ TOLLGATE_MODE: 'live' })
  match(tls, /^TOLLGATE_MODE=live needs encrypted connections; .*TOLLGATE_TLS_CERT.*TOLLGATE_TRUSTED_PROXY.*\.$/)
  match(vault, /^TOLLGATE_MODE=live needs its own vault key; .*TOLLGATE_VAULT_KEY_FILE.*\.$/)
  deepEqual(others, [])
})

test('live mode starts with a certificate or a trusted proxy, and a key or its file', () => {
  const withFiles = configOf({ TOLLGATE_MODE: 'live', TOLLGATE_VAULT_KEY_FILE: 'vault.key', ...TLS })
  deepEqual(withFiles.tls, { cert: TEST_CERT, key: TEST_KEY })
  deepEqual(Buffer.from(withFiles.vaultKey?.[0] ?? []).toString('base64'), VAULT_KEY)
  const withoutFiles = configOf({
    TOLLGATE_MODE: 'live',
    TOLLGATE_VAULT_KEY: VAULT_KEY,
    TOLLGATE_TRUSTED_PROXY: '10.0.0.1',
  })
  equal(withoutFiles.tls, null)
  deepEqual(
    withoutFiles.vaultKey?.map(key => key.length),
    [32],
  )
})

test('web shops have no rate limit in a sandbox and one in live mode, unless the setting says otherwise', () => {
  const live = { TOLLGATE_MODE: 'live', TOLLGATE_VAULT_KEY: VAULT_KEY, TOLLGATE_TRUSTED_PROXY: '10.0.0.1' }
  for (const [env, expected] of [
    [{}, 0],
    [live, 20],
    [{ TOLLGATE_SHOP_CALLS_PER_SECOND: '7' }, 7],
    [{ ...live, TOLLGATE_SHOP_CALLS_PER_SECOND: '0' }, 0],
  ] as const)
    equal(configOf(env).shopCallsPerSecond, expected)
})

test('certificate and key come together, can be read, and belong together', () => {
  const together = 'TOLLGATE_TLS_CERT and TOLLGATE_TLS_KEY must be set together or not at all.'
  deepEqual(problemsOf({ TOLLGATE_TLS_CERT: 'cert.pem' }), [together])
  deepEqual(problemsOf({ TOLLGATE_TLS_KEY: 'key.pem' }), [together])
  deepEqual(problemsOf({ ...TLS, TOLLGATE_TLS_CERT: 'gone.pem' }), [
    'TOLLGATE_TLS_CERT must be a file that can be read, but gone.pem gives ENOENT.',
  ])
  deepEqual(problemsOf({ ...TLS, TOLLGATE_TLS_KEY: 'vault.key' }), [
    'TOLLGATE_TLS_CERT and TOLLGATE_TLS_KEY must be a PEM certificate and the private key that belongs to it.',
  ])
})

test('a vault key has 32 bytes and is set in one place only', () => {
  const allowed = '32 bytes in base64, which is 44 characters; older keys follow behind commas'
  deepEqual(problemsOf({ TOLLGATE_VAULT_KEY: 'c2hvcnQ=' }), [`TOLLGATE_VAULT_KEY must be ${allowed}.`])
  deepEqual(problemsOf({ TOLLGATE_VAULT_KEY_FILE: 'short.key' }), [`TOLLGATE_VAULT_KEY_FILE must hold ${allowed}.`])
  deepEqual(problemsOf({ TOLLGATE_VAULT_KEY: VAULT_KEY, TOLLGATE_VAULT_KEY_FILE: 'vault.key' }), [
    'TOLLGATE_VAULT_KEY and TOLLGATE_VAULT_KEY_FILE must not both be set.',
  ])
})

test('several vault keys are read in order, the current one first', () => {
  const older = randomBytes(32).toString('base64')
  const { vaultKey } = configOf({ TOLLGATE_VAULT_KEY: `${VAULT_KEY},${older}` })
  deepEqual(
    vaultKey?.map(key => Buffer.from(key).toString('base64')),
    [VAULT_KEY, older],
  )
  equal(problemsOf({ TOLLGATE_VAULT_KEY: `${VAULT_KEY},short` }).length, 1)
})

test('the settings table has one row for each variable, with a one-line meaning', () => {
  const rows = settingsTable()
  equal(new Set(rows.map(row => row.env)).size, rows.length)
  for (const { env, meaning, allowed } of rows) {
    match(env, /^(HOST|PORT|DATABASE_URL|OTEL_[A-Z_]+|TOLLGATE_[A-Z_]+)$/)
    match(meaning, /^[A-Z].*\.$/, env)
    ok(meaning.length <= 120 && allowed !== '', env)
  }
})

test('the settings table names the unit of milliseconds and bytes', () => {
  const rows = settingsTable()
  for (const { env, unit } of rows.filter(row => row.env.endsWith('_MS') || row.env === 'TOLLGATE_PACE'))
    equal(unit, 'ms', env)
  equal(rows.find(row => row.env === 'TOLLGATE_BODY_LIMIT')?.unit, 'bytes')
})
