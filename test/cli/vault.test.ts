// test/cli/vault.test.ts — vault keys: shown, rotated while a gateway runs, and retired.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { call, emptyDirectory, run, runJson, serving } from './tollgate.ts'

interface Keys {
  readonly keys: readonly { readonly key: string; readonly use: string; readonly entries: number }[]
}

test.concurrent('a key is rotated while the gateway runs, which continues with the new one', async () => {
  const data = emptyDirectory()
  const { summary, stop } = await serving(data)
  const secret = async () =>
    (await (await call(`${summary.url}/api/webhook-secret`)).json()) as { readonly secret: string }
  const before = await secret()
  equal(statSync(join(data, 'vault.key')).mode & 0o777, 0o600)
  const [old] = (await runJson<Keys>(['vault', 'status', '--data', data])).keys
  // The account's secret and the look-up key.
  deepEqual([old?.use, old?.entries], ['seals', 2])
  const rotated = await run(['vault', 'rotate', '--data', data])
  match(rotated.stdout, /^Rotated to key [0-9a-f]{12}; 2 entries were re-encrypted\.\n/)
  match(rotated.stderr, /entries checked/)
  deepEqual(await secret(), before)
  const { keys } = await runJson<Keys>(['vault', 'status', '--data', data])
  deepEqual(
    keys.map(({ use, entries }) => [use, entries]),
    [
      ['seals', 2],
      ['opens', 0],
    ],
  )
  notEqual(keys[0]?.key, old?.key)
  const retired = await runJson<{ retired: readonly string[] }>(['vault', 'retire', '--data', data])
  deepEqual(retired.retired, [old?.key])
  await stop()
  const again = await serving(data)
  const after = (await (await call(`${again.summary.url}/api/webhook-secret`)).json()) as { readonly secret: string }
  equal(after.secret, before.secret)
})

test.concurrent('keys in the environment are rotated by prepending a new one', async () => {
  const data = emptyDirectory()
  const [old, fresh] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')]
  const { summary, stop } = await serving(data, { TOLLGATE_VAULT_KEY: old })
  await call(`${summary.url}/api/webhook-secret`)
  await stop()
  const nothing = await run(['vault', 'rotate', '--data', data], { TOLLGATE_VAULT_KEY: old })
  deepEqual([nothing.code, nothing.stderr.includes('put a new key in front of it')], [1, true])
  const both = { TOLLGATE_VAULT_KEY: `${fresh},${old}` }
  const done = await runJson<{ rewrapped: number; resumed: boolean }>(['vault', 'rotate', '--data', data], both)
  deepEqual([done.rewrapped, done.resumed], [2, true])
  const wrong = await run(['serve', '--data', data], { TOLLGATE_VAULT_KEY: old })
  equal(wrong.code, 1)
  match(
    wrong.stderr,
    /^tollgate: The vault holds entries under key [0-9a-f]{12}, which is not among the configured keys/,
  )
  ok(!wrong.stderr.includes(old))
})
