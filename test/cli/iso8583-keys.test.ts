// test/cli/iso8583-keys.test.ts — payment keys are loaded in parts, checked, listed and removed, and refused in live mode.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { emptyDirectory, run, runJson } from './tollgate.ts'

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

function xored(one: string, other: string): string {
  const bytes = Buffer.from(other, 'hex')
  return Buffer.from(Buffer.from(one, 'hex').map((byte, index) => byte ^ (bytes[index] ?? 0))).toString('hex')
}
