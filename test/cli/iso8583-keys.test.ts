// test/cli/iso8583-keys.test.ts — payment keys are loaded in parts, checked, listed and removed, and refused in live mode.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import type { PaymentKey } from '../../src/engine/ports/payment-keys.ts'
import { TEST_KEYS } from '../contract/payment-keys.suite.ts'
import { begin, emptyDirectory, run, runJson } from './tollgate.ts'

test.concurrent('a key is the sum of its parts, and has the check value of the letter', {
  timeout: 180_000,
}, async () => {
  const data = emptyDirectory()
  const at = ['--data', data]
  await runJson(['accounts', 'create', 'harbour', '--name', 'Harbour', ...at])
  const [first, second] = [join(data, 'first.txt'), join(data, 'second.txt')]
  writeFileSync(first, '11111111 11111111 22222222 22222222\n')
  writeFileSync(second, xored('0123456789ABCDEFFEDCBA9876543210', '11111111111111112222222222222222'))
  const load = (value: string, ...parts: readonly string[]) =>
    run(['iso8583', 'keys', 'load', 'host-mac', '--use', 'mac', ...parts, '--check-value', value, ...at])
  const wrong = await load('08D7B5', '--part', first, '--part', second)
  deepEqual([wrong.code, wrong.stdout], [1, ''])
  match(wrong.stderr, /The check value is that of another key\. Nothing was stored/)
  const loaded = await load('08d7b4', '--part', first, '--part', second)
  deepEqual(loaded, {
    code: 0,
    signal: null,
    stderr: '',
    stdout: 'Key host-mac is stored, with the check value 08D7B4.\n',
  })
  const list = () => runJson<{ keys: readonly object[] }>(['iso8583', 'keys', 'list', ...at])
  deepEqual((await list()).keys, [{ name: 'host-mac', use: 'mac', algorithm: 'tdes', checkValue: '08D7B4' }])
  equal((await run(['iso8583', 'keys', 'remove', 'host-mac', ...at])).code, 0)
  match((await run(['iso8583', 'keys', 'remove', 'host-mac', ...at])).stderr, /There is no key host-mac\./)
  deepEqual((await list()).keys, [])
  writeFileSync(first, 'no key')
  match((await load('08D7B4', '--part', first)).stderr, /first\.txt: must hold hexadecimal digits/)
  writeFileSync(first, '1122')
  match((await load('08D7B4', '--part', first)).stderr, /A key for tdes has 8, 16, 24 bytes, not 2\./)
  match((await load('08D7B4', '--part', first, '--part', second)).stderr, /must have the same length/)
})

test.concurrent('live mode has no keys in software', { timeout: 90_000 }, async () => {
  const data = emptyDirectory()
  const live = { TOLLGATE_MODE: 'live', TOLLGATE_VAULT_KEY: Buffer.alloc(32, 1).toString('base64') }
  await run(['accounts', 'create', 'harbour', '--name', 'Harbour', '--data', data], live)
  const { code, stderr } = await run(['iso8583', 'keys', 'list', '--data', data], live)
  equal(code, 1)
  match(stderr, /Payment keys in software are for the sandbox: in live mode the keys are in a security module/)
})

test.concurrent('the keys of a security module are listed, in live mode too, and what the dialect needs is missed', {
  timeout: 90_000,
}, async () => {
  const data = emptyDirectory()
  const moduleKeys = join(data, 'keys.json')
  const keys = (...all: readonly (typeof TEST_KEYS)[number][]) =>
    writeFileSync(moduleKeys, JSON.stringify({ keys: all.map(({ hex, ...key }) => ({ ...key, key: hex })) }))
  const [mac, ...others] = TEST_KEYS
  ok(mac !== undefined)
  keys(mac, ...others)
  const listens = async (port: string) => {
    const module = begin(['simulate', 'hsm', '--keys', moduleKeys, '--port', port])
    const [, used = ''] = await module.printed(/port (\d+)\.\n/)
    return { module, port: Number(used) }
  }
  const { module, port } = await listens('0')
  const file = join(data, 'host.json')
  const address = { host: '127.0.0.1', port }
  const document = { dialect: 'pos-87-bcd', addresses: [address], tls: 'none', timeZone: 'UTC' }
  const settings = { 24: '003', 41: '29110001', 42: 'SHOP', 60: '000001' }
  writeFileSync(file, JSON.stringify({ ...document, settings, keys: { securityModule: address, tls: 'none' } }))
  const live = {
    ...{ TOLLGATE_MODE: 'live', TOLLGATE_VAULT_KEY: Buffer.alloc(32, 1).toString('base64') },
    TOLLGATE_ACQUIRER_FILE: file,
  }
  await run(['accounts', 'create', 'harbour', '--name', 'Harbour', '--data', data], live)
  const list = () => run(['iso8583', 'keys', 'list', '--data', data, '--json'], live)
  const found = await list()
  equal(found.code, 0, found.stderr)
  const shown = JSON.parse(found.stdout) as {
    readonly keys: readonly PaymentKey[]
    readonly missing: readonly string[]
  }
  deepEqual(shown.missing, [])
  deepEqual(shown.keys.map(({ name }) => name).sort(), TEST_KEYS.map(({ name }) => name).sort())
  equal(shown.keys.find(({ name }) => name === 'host-mac')?.checkValue, '08D7B4')
  module.child.kill('SIGKILL')
  await module.ended
  match((await list()).stderr, /The security module does not list its keys: unreachable\./)
  keys(...others)
  await listens(String(port))
  const without = await list()
  equal(without.code, 1)
  match(without.stderr, /The dialect needs host-mac, and there is no such key\./)
})

function xored(one: string, other: string): string {
  const bytes = Buffer.from(other, 'hex')
  return Buffer.from(Buffer.from(one, 'hex').map((byte, index) => byte ^ (bytes[index] ?? 0))).toString('hex')
}
