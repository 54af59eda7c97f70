// test/cli/iso8583-ping.test.ts — a host is tried from the command line.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, test } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import type { Shell } from '../../src/cli/shell.ts'
import { type AcquirerHost, hostDocument, startAcquirerHost } from '../support/acquirer-host.ts'
import { testAuthority } from '../support/authority.ts'
import { emptyDirectory } from './tollgate.ts'

const folder = emptyDirectory()
const dialect = join(folder, 'host.json')

let host: AcquirerHost
beforeAll(async () => {
  writeFileSync(dialect, JSON.stringify(hostDocument()))
  host = await startAcquirerHost()
})
afterAll(() => host.end())

async function ping(...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runProgram(['iso8583', 'ping', ...args], { env: {}, stdout, stderr } as unknown as Shell)
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }
}

const at = (port: number) => ['--host', '127.0.0.1', '--port', String(port)]
const TERMINAL = ['--set', '41=29110001']

test('a host is signed on to, answers an echo, and is signed off from', async () => {
  const port = await host.open()
  const { code, stdout, stderr } = await ping(dialect, ...at(port), ...TERMINAL)
  deepEqual([code, stderr], [0, ''])
  match(
    stdout,
    /^Connecting to .*…\nSigned on to 127\.0\.0\.1:\d+ within \d+ ms\. An echo was answered within \d+ ms\.\n$/,
  )
  deepEqual(
    (await host.seen()).map(fields => [fields['0'], fields['70'], fields['41']]),
    ['001', '301', '002'].map(code => ['0800', code, '29110001']),
  )
  const asked = await ping(dialect, ...at(port), ...TERMINAL, '--json')
  const { readyMs, echoMs, ...rest } = JSON.parse(asked.stdout) as { readyMs: number; echoMs: number }
  deepEqual(
    [typeof readyMs, typeof echoMs, rest],
    ['number', 'number', { dialect: 'test-host', address: `127.0.0.1:${port}` }],
  )
})

test('over TLS the certificates are files', async () => {
  const authority = testAuthority('host authority')
  const server = authority.issue('localhost')
  const client = authority.issue('gateway.example')
  const port = await host.open({
    tls: { ...server, ca: authority.root },
  })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const trusted = ['--ca', file('ca.pem', authority.root), '--server-name', 'localhost']
  const ours = ['--cert', file('cert.pem', client.cert), '--key', file('key.pem', client.key)]
  equal((await ping(dialect, ...at(port), ...TERMINAL, ...trusted, ...ours)).code, 0)
  match((await ping(dialect, ...at(port), ...TERMINAL, ...trusted)).stderr, /CERTIFICATE_REQUIRED/)
  match((await ping(dialect, ...at(port), ...TERMINAL, '--tls')).stderr, /untrusted/)
})

test('a host that is not there, refuses or is not described right is reported at once', async () => {
  const refuses = await host.open({ signOnCode: '91' })
  const refused = await ping(dialect, ...at(refuses), ...TERMINAL)
  deepEqual(
    [refused.code, refused.stderr],
    [1, `tollgate: test-host cannot be used. 127.0.0.1:${refuses}: sign-on: refused with code 91.\n`],
  )
  match((await ping(dialect, ...at(refuses))).stderr, /sign-on: Field 41: has no value\.\n$/)
  match(
    (await ping(dialect, ...at(refuses), '--set', '4=1')).stderr,
    /--set takes one of the fields 18, 32, 41, 42, 43/,
  )
  match((await ping(dialect, ...at(refuses), '--cert', 'x')).stderr, /--cert and --key belong together/)
  match((await ping(dialect, '--host', 'h', '--port', 'x')).stderr, /--port must be a number from 1 to 65535, not x/)
  match((await ping('host-93', ...at(refuses))).stderr, /host-93 has a mac/)
  await host.close()
  match((await ping(dialect, ...at(refuses), ...TERMINAL)).stderr, /unreachable: ECONNREFUSED\.\n$/)
})
