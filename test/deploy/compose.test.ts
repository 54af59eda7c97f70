// test/deploy/compose.test.ts — the compose file: settings that the program takes, confined nodes behind a balancer, a database that
// only they reach.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { textOf, VERSION, yamlIn } from './files.ts'

interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes: readonly string[]
  readonly networks: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>> | readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<
    Record<string, { readonly internal?: boolean; readonly ipam?: { readonly config: readonly { subnet: string }[] } }>
  >
  readonly volumes: Readonly<Record<string, object>>
}

const PATH = 'deploy/compose.yaml'
const [FILE] = yamlIn(PATH) as readonly [Compose]
const postgres = FILE.services['postgres']!
const balancer = FILE.services['balancer']!
const NODES = ['node1', 'node2'] as const
const nodes = NODES.map(name => FILE.services[name]!)
const HAPROXY = textOf('deploy/haproxy.cfg')

/** The variables that Compose fills in. */
function filled(text: string): string {
  const key = Buffer.alloc(32, 7).toString('base64')
  return text
    .replaceAll(/\$\{POSTGRES_PASSWORD(:\?[^}]*)?\}/g, '0123456789abcdef')
    .replaceAll(/\$\{VAULT_KEY(:\?[^}]*)?\}/g, key)
}

function settingsOf({ environment = {} }: Service) {
  return readConfig(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)])))
}

test('two nodes, one database and a balancer', () => {
  deepEqual(Object.keys(FILE.services).sort(), ['balancer', 'node1', 'node2', 'postgres'])
})

test('the settings of the nodes are valid, lead to the database beside them, and are the same but for their own address', () => {
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD = '' } = postgres.environment!
  const others: unknown[] = []
  for (const [index, node] of nodes.entries()) {
    const result = settingsOf(node)
    ok('config' in result, JSON.stringify(result))
    const { database, nodeListen, ...more } = result.config
    deepEqual(
      [database?.hosts, database?.user, database?.database, database?.password],
      [[{ host: 'postgres', port: 5432 }], POSTGRES_USER, POSTGRES_DB, filled(POSTGRES_PASSWORD)],
    )
    deepEqual(nodeListen, { host: NODES[index], port: 4021 })
    others.push(more)
    ok(Number.parseInt(node.stop_grace_period ?? '0', 10) * 1_000 > more.drainMs + more.shutdownLimitMs)
    // The network lies within the addresses that are trusted.
    deepEqual(more.trustedProxies, [FILE.networks['inside']?.ipam?.config[0]?.subnet])
  }
  deepEqual(others[0], others[1])
  const url = nodes[0]!.environment!['DATABASE_URL']!
  ok('problems' in readConfig({ DATABASE_URL: url.replace('?sslmode=disable', '') }))
})

test('no password and no key is in the file', () => {
  match(postgres.environment?.['POSTGRES_PASSWORD'] ?? '', /^\$\{POSTGRES_PASSWORD:\?.+\}$/)
  for (const { environment } of nodes) {
    match(environment?.['DATABASE_URL'] ?? '', /:\$\{POSTGRES_PASSWORD\}@/)
    match(environment?.['TOLLGATE_VAULT_KEY'] ?? '', /^\$\{VAULT_KEY:\?.+\}$/)
  }
})

test('the database is one that is tested, is ready before a node starts, and only nodes reach it', () => {
  match(postgres.image, /^docker\.io\/library\/postgres:1[5-8]-/)
  for (const { depends_on } of nodes) deepEqual(depends_on, { postgres: { condition: 'service_healthy' } })
  ok(postgres.healthcheck?.test.includes('pg_isready'))
  equal(postgres.ports, undefined)
  deepEqual(postgres.networks, ['database'])
  equal(FILE.networks['database']?.internal, true)
  // Where the images of 18 and later have their data; an older path would leave them in the container.
  deepEqual(postgres.volumes, ['postgres-data:/var/lib/postgresql'])
})

test('nodes are confined, have a directory each, and are reached through the balancer on this machine alone', () => {
  for (const [index, node] of nodes.entries()) {
    deepEqual([node.read_only, node.cap_drop, node.security_opt], [true, ['ALL'], ['no-new-privileges:true']])
    equal(node.ports, undefined)
    deepEqual(node.networks, ['database', 'inside'])
    deepEqual(node.volumes, [`${NODES[index]}-data:/var/lib/tollgate`])
  }
  deepEqual(Object.keys(FILE.volumes).sort(), ['node1-data', 'node2-data', 'postgres-data'])
  equal(FILE.networks['inside']?.internal, true)
  deepEqual(balancer.ports, ['127.0.0.1:4020:4020'])
  deepEqual(balancer.networks, ['inside', 'outside'])
  deepEqual([balancer.read_only, balancer.cap_drop], [true, ['ALL']])
})

test('the balancer knows both nodes, asks whether they are ready, and repeats nothing that a node may have received', () => {
  deepEqual(balancer.volumes, ['./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro'])
  deepEqual(
    [...HAPROXY.matchAll(/^ +server (\w+) (\S+)$/gm)].map(([, name, at]) => `${name} ${at}`),
    NODES.map(name => `${name} ${name}:4020`),
  )
  match(HAPROXY, /http-check send meth GET uri \/health\/ready ver HTTP\/1.1 hdr Host /)
  equal(/^ +retry-on (.*)$/m.exec(HAPROXY)?.[1], 'conn-failure')
})

test('the image is built by the Containerfile and bears the version of the package', () => {
  for (const { image, build } of nodes) {
    equal(image, `tollgate:${VERSION}`)
    deepEqual(build, { context: '..', dockerfile: 'deploy/Containerfile' })
  }
})
