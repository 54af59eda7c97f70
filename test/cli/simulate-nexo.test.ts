// test/cli/simulate-nexo.test.ts — the simulated terminal as a process: a gateway pays at it, in its network and through the cloud.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OTHER_CERT, TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { begin, call, emptyDirectory, run, runJson, type Serving, serving, startSale } from './tollgate.ts'

const TID = '22169001'
const PASSPHRASE = 'change-this-Passphrase-1'
const API_KEY = 'AQE-of-the-simulated-cloud'
type Json = Readonly<Record<string, unknown>>

/** Starts a terminal, with files of its keys in a folder of their own. */
async function simulated(args: readonly string[], { hasKey = true } = {}) {
  const folder = emptyDirectory()
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const key = file('key.json', JSON.stringify({ keyIdentifier: 'shop', keyVersion: 1, passphrase: PASSPHRASE }))
  const settings = join(folder, 'terminal.json')
  const running = begin([
    ...['simulate', 'nexo', '--write-settings', settings, ...(hasKey ? ['--key', key] : [])],
    ...args.map(arg => (arg === 'API_KEY_FILE' ? file('api-key', `${API_KEY}\n`) : arg)),
  ])
  const [, port = '', url = ''] = await running.printed(/port (\d+)\. It is controlled at (\S+)\.\n/)
  const control = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, ...sent })
    return { status: response.status, body: (await response.json()) as Json }
  }
  const entries = async () => (await control('GET', '/ledger')).body['entries'] as readonly Json[]
  return { ...running, port: Number(port), settings, control, entries }
}

/** A gateway whose demo account has the terminal. */
async function gatewayFor(settings: string): Promise<Serving & { readonly data: string }> {
  const data = emptyDirectory()
  await (await serving(data)).stop()
  await runJson(['terminals', 'add', 'demo', TID, '--driver', 'nexo', '--driver-settings', settings, '--data', data])
  return { ...(await serving(data)), data }
}

/** Pays, and resolves to the result. */
async function paid({ summary }: Serving): Promise<unknown> {
  const location = await startSale(summary.url, TID)
  let answer: Json = {}
  const result = async () => {
    answer = (await (await call(location)).json()) as Json
    return answer['transactionResult']
  }
  await expect.poll(result, { timeout: 60_000, interval: 250, message: location }).toBeTypeOf('string')
  return answer['transactionResult']
}

test('a gateway is given its settings, checks it, and pays at it; keys are shown nowhere', async () => {
  const terminal = await simulated([])
  equal(statSync(terminal.settings).mode & 0o777, 0o600)
  const gateway = await gatewayFor(terminal.settings)
  const { problems } = await runJson<{ problems: string[] }>([
    'terminals',
    'check',
    'demo',
    TID,
    '--data',
    gateway.data,
  ])
  deepEqual(problems, [])
  equal(await paid(gateway), 'SUCCESSFUL')
  await terminal.control('PUT', '/scenarios', {
    next: [{ scenario: 'answer_lost' }, { scenario: 'declined' }, { scenario: 'in_progress', of: 'question' }],
  })
  deepEqual([await paid(gateway), await paid(gateway)], ['SUCCESSFUL', 'DECLINED'])
  const { body } = await terminal.control('GET', '/ledger')
  deepEqual(
    (body['entries'] as readonly Json[]).map(({ state, takenMinor }) => [state, takenMinor]),
    [
      ['charged', 2599],
      ['charged', 2599],
      ['declined', 0],
    ],
  )
  deepEqual(body['totals'], { GBP: { sales: { number: 2, minor: 5198 }, refunds: { number: 0, minor: 0 } } })
  match(terminal.said(), /^\S+Z <- Payment \w+ till=Tollgate-22169001 charge amount=2599 currency=GBP$/m)
  const requests = (await terminal.control('GET', '/requests')).body['requests'] as readonly Json[]
  equal(requests.filter(({ category }) => category === 'Payment').length, 3)
  doesNotMatch(terminal.said() + JSON.stringify([body, requests]), new RegExp(PASSPHRASE))
  await gateway.stop()
  terminal.child.kill('SIGTERM')
  equal((await terminal.ended).code, 0)
}, 180_000)

test('through the cloud a payment that is not delivered takes nothing, and one that the cloud gives up on is found', async () => {
  const terminal = await simulated(['--cloud', '--api-key', 'API_KEY_FILE'], { hasKey: false })
  const gateway = await gatewayFor(terminal.settings)
  equal(await paid(gateway), 'SUCCESSFUL')
  await terminal.control('PUT', '/scenarios', { next: [{ scenario: 'unreachable' }, { scenario: 'gave_up' }] })
  deepEqual([await paid(gateway), await paid(gateway)], ['UNSUCCESSFUL', 'SUCCESSFUL'])
  deepEqual(
    (await terminal.entries()).map(({ state }) => state),
    ['charged', 'charged'],
  )
  doesNotMatch(terminal.said(), new RegExp(API_KEY))
  await gateway.stop()
}, 180_000)

test('at the control port a card is presented, power and network are lost, and health is set', async () => {
  const terminal = await simulated([])
  const gateway = await gatewayFor(terminal.settings)
  const { control } = terminal
  equal((await control('PUT', '/card', { scenario: 'approved' })).status, 409)
  await control('PUT', '/scenarios', { next: [{ scenario: 'nobody_presents_card', times: 2 }] })
  const first = paid(gateway)
  await expect.poll(async () => (await control('PUT', '/card', { scenario: 'insufficient_funds' })).status).toBe(200)
  equal(await first, 'DECLINED')
  const second = paid(gateway)
  await expect.poll(() => terminal.said().match(/<- Payment/g)?.length).toBe(2)
  await control('POST', '/restart')
  equal(await second, 'UNSUCCESSFUL')
  await control('PUT', '/network', { connected: false })
  await control('DELETE', '/connections')
  match((await run(['terminals', 'check', 'demo', TID, '--data', gateway.data])).stderr, /cannot be reached/)
  await control('PUT', '/network', { connected: true })
  await control('PUT', '/health', { GlobalStatus: 'Maintenance' })
  match((await run(['terminals', 'check', 'demo', TID, '--data', gateway.data])).stderr, /says Maintenance/)
  await gateway.stop()
}, 180_000)

test('a certificate of its own is used, and ends up in no settings without its root', async () => {
  const folder = emptyDirectory()
  const [cert, key, root] = ['cert.pem', 'key.pem', 'root.pem'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(cert, TEST_CERT)
  writeFileSync(key, TEST_KEY)
  writeFileSync(root, OTHER_CERT)
  const terminal = await simulated(['--tls-cert', cert, '--tls-key', key, '--tls-root', root, '--until-stdin-ends'])
  const { rootCertificate } = JSON.parse(readFileSync(terminal.settings, 'utf8')) as Json
  equal(rootCertificate, OTHER_CERT.toString())
  terminal.child.stdin.end()
  equal((await terminal.ended).code, 0)
})

describe('arguments', () => {
  const written = () => {
    const file = join(emptyDirectory(), 'there.json')
    writeFileSync(file, '{}')
    return file
  }
  const keyFile = (document: unknown) => {
    const file = join(emptyDirectory(), 'key.json')
    writeFileSync(file, JSON.stringify(document))
    return file
  }
  const KEY = { keyIdentifier: 'shop', keyVersion: 1, passphrase: PASSPHRASE }
  test.concurrent.each([
    ['no key', [], 1, /needs its shared key: --key/],
    ['a cloud without an API key', ['--cloud'], 1, /--cloud needs --api-key/],
    ['an id that is none', ['--poi-id', 'V400m'], 2, /V400m-123456789/],
    ['a key that is none', ['--key', keyFile({ ...KEY, keyVersion: '1' })], 2, /keyIdentifier, keyVersion/],
    ['a short passphrase', ['--key', keyFile({ ...KEY, passphrase: 'short' })], 2, /12 characters/],
    ['a key that is no JSON', ['--key', 'LICENSE'], 2, /It must hold JSON/],
    ['an API key with blanks', ['--cloud', '--api-key', 'LICENSE'], 2, /without blanks/],
    ['a certificate without a key', ['--key', keyFile(KEY), '--tls-cert', 'LICENSE'], 1, /needs both/],
    [
      'a certificate that is none',
      ['--key', keyFile(KEY), '--tls-cert', 'LICENSE', '--tls-key', 'LICENSE'],
      1,
      /cannot start/,
    ],
    ['settings that are there', ['--key', keyFile(KEY), '--write-settings', written()], 1, /is there already/],
  ])('%s is refused', async (_, args, code, says) => {
    const ended = await run(['simulate', 'nexo', ...args])
    equal(ended.code, code, ended.stderr)
    match(ended.stderr, says)
    doesNotMatch(ended.stderr + ended.stdout, new RegExp(PASSPHRASE))
  })
  test.concurrent('a port that is taken is named', async () => {
    const terminal = await simulated([])
    const ended = await run(['simulate', 'nexo', '--key', keyFile(KEY), '--port', String(terminal.port)])
    equal(ended.code, 1)
    match(ended.stderr, /The terminal cannot start: .*EADDRINUSE/)
    ok(existsSync(terminal.settings))
  })
})

test('the control port refuses what it cannot use, and the guide has every part of a scenario that it lists', async () => {
  const { control } = await simulated([])
  for (const [method, path, body, says] of [
    ['PUT', '/scenarios', { next: [{ scenario: 'declnied' }] }, /"declnied" is no scenario of a payment at a terminal/],
    ['PUT', '/card', { scenario: 'declined+answer_lost' }, /one card alone/],
    ['PUT', '/card', {}, /another outcome/],
    ['PUT', '/health', { GlobalStatus: 'Fine' }, /words of the dialect/],
    ['PUT', '/network', { connected: 'no' }, /true.*false/],
  ] as const) {
    const refused = await control(method, path, body)
    equal(refused.status, 400)
    match(String(refused.body['message']), says)
  }
  equal((await control('GET', '/nothing')).status, 404)
  const { body } = await control('GET', '/scenarios')
  const guide = readFileSync(new URL('../../docs/simulate.md', import.meta.url), 'utf8')
  const names = (body['scenarios'] as readonly Json[]).map(({ name }) => String(name))
  ok(names.length > 40)
  deepEqual(
    names.filter(name => !new RegExp(`\`${name}[:\`]`).test(guide)),
    [],
  )
})
