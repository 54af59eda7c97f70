// test/deploy/compose.test.ts — the compose file: settings that the program takes, a confined gateway, a database that only it reaches.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { textOf, VERSION, yamlIn } from './files.ts'

interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes: readonly string[]
  readonly networks: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  readonly volumes: Readonly<Record<string, object>>
}

const PATH = 'deploy/compose.yaml'
const [FILE] = yamlIn(PATH) as readonly [Compose]
const gateway = FILE.services['gateway']!
const postgres = FILE.services['postgres']!

/** The variables that Compose fills in. */
function filled(text: string): string {
  return text.replaceAll(/\$\{POSTGRES_PASSWORD(:\?[^}]*)?\}/g, '0123456789abcdef')
}

test('one gateway and one database', () => {
  deepEqual(Object.keys(FILE.services).sort(), ['gateway', 'postgres'])
  ok(!textOf(PATH).includes('replicas'))
})

test('the settings of the gateway are valid, and lead to the database beside it', () => {
  const result = readConfig(
    Object.fromEntries(Object.entries(gateway.environment).map(([name, value]) => [name, filled(value)])),
  )
  ok('config' in result, JSON.stringify(result))
  const { database } = result.config
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD = '' } = postgres.environment
  deepEqual(
    [database?.hosts, database?.user, database?.database, database?.password],
    [[{ host: 'postgres', port: 5432 }], POSTGRES_USER, POSTGRES_DB, filled(POSTGRES_PASSWORD)],
  )
  ok('problems' in readConfig({ DATABASE_URL: gateway.environment['DATABASE_URL']!.replace('?sslmode=disable', '') }))
})

test('no password is in the file', () => {
  match(postgres.environment['POSTGRES_PASSWORD'] ?? '', /^\$\{POSTGRES_PASSWORD:\?.+\}$/)
  match(gateway.environment['DATABASE_URL'] ?? '', /:\$\{POSTGRES_PASSWORD\}@/)
})

test('the database is one that is tested, is ready before the gateway starts, and only the gateway reaches it', () => {
  match(postgres.image, /^docker\.io\/library\/postgres:1[5-8]-/)
  equal(gateway.depends_on?.['postgres']?.condition, 'service_healthy')
  ok(postgres.healthcheck?.test.includes('pg_isready'))
  equal(postgres.ports, undefined)
  deepEqual(postgres.networks, ['database'])
  equal(FILE.networks['database']?.internal, true)
  // Where the images of 18 and later have their data; an older path would leave them in the container.
  deepEqual(postgres.volumes, ['postgres-data:/var/lib/postgresql'])
})

test('the gateway is confined, is reached from this machine alone, and keeps its directory', () => {
  deepEqual([gateway.read_only, gateway.cap_drop, gateway.security_opt], [true, ['ALL'], ['no-new-privileges:true']])
  deepEqual(gateway.ports, ['127.0.0.1:4020:4020'])
  deepEqual(gateway.volumes, ['gateway-data:/var/lib/tollgate'])
  deepEqual(Object.keys(FILE.volumes).sort(), ['gateway-data', 'postgres-data'])
  const settings = readConfig({})
  ok('config' in settings)
  ok(Number.parseInt(gateway.stop_grace_period ?? '0', 10) * 1_000 > settings.config.shutdownLimitMs)
})

test('the image is built by the Containerfile and bears the version of the package', () => {
  equal(gateway.image, `tollgate:${VERSION}`)
  deepEqual(gateway.build, { context: '..', dockerfile: 'deploy/Containerfile' })
})
