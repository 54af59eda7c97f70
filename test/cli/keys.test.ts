// test/cli/keys.test.ts — API keys that belong to users, made at the command line beside a gateway that runs.
import { deepEqual, equal, match } from 'node:assert/strict'
import { expect, test } from 'vitest'
import { begin, emptyDirectory, run, runJson, serving } from './tollgate.ts'

interface Made {
  readonly key: {
    readonly id: string
    readonly user: string | null
    readonly areas: unknown
    readonly terminals: unknown
  }
  readonly apiKey: string
}

test('a key belongs to a user, is limited, and stops with the user', async () => {
  const data = emptyDirectory()
  const { summary } = await serving(data)
  const at = ['demo-eur', '--data', data]
  const user = begin(['users', 'create', 'demo-eur', 'ann', '--name', 'Ann', '--role', 'developer', '--data', data])
  user.child.stdin.end('kettle lamp river\n')
  equal((await user.ended).code, 0)
  const limits = ['--areas', 'tables,counter', '--terminals', 'VCMEUROSIP0']
  const { key, apiKey } = await runJson<Made>([
    'keys',
    'create',
    ...at,
    '--label',
    'till 2',
    '--user',
    'Ann',
    ...limits,
  ])
  deepEqual([key.user, key.areas, key.terminals], ['ann', ['counter', 'tables'], ['VCMEUROSIP0']])

  const headers = { authorization: `Basic ${btoa(`till:${apiKey}`)}` }
  const status = async (path: string) => (await fetch(summary.url + path, { headers })).status
  equal(await status('/pac/terminals/VCMEUROSIP0'), 200)
  equal(await status('/pac/terminals/VCMEUROSIS0'), 403)
  equal(await status('/api/account'), 403)

  const list = await run(['keys', 'list', ...at])
  match(list.stdout, /Key +For +Status +Made +By +Limited to +Label/i)
  match(list.stdout, new RegExp(`${key.id} .* ann +counter,tables at VCMEUROSIP0 +till 2`))
  match(list.stdout, / command line /)

  equal((await run(['users', 'end', 'demo-eur', 'ann', '--data', data])).code, 0)
  await expect.poll(() => status('/pac/terminals'), { timeout: 10_000 }).toBe(401)
  const late = await run(['keys', 'create', ...at, '--user', 'ann'])
  equal(late.code, 1)
  match(late.stderr, /user/i)
}, 90_000)

test('limits that mean nothing are refused', async () => {
  const data = emptyDirectory()
  await serving(data)
  const create = (...limits: readonly string[]) => run(['keys', 'create', 'demo', '--data', data, ...limits])
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['--areas', 'kitchen'], /one or more of counter, tables, online, management, sandbox/],
    [['--areas', ''], /one or more of/],
    [['--terminals', 'A B'], /1 to 20 letters and digits/],
    [['--terminals', 'NOSUCHONE'], /has NOSUCHONE, which is no terminal of the account/],
  ]
  for (const [limits, says] of refused) {
    const { code, stderr, stdout } = await create(...limits)
    deepEqual([code === 0, stdout], [false, ''], limits.join(' '))
    match(stderr, says)
  }
}, 60_000)

test('the JWT of a shop names no key that cannot be used online, and none that ends with a user', async () => {
  const data = emptyDirectory()
  await serving(data)
  const { keys } = await runJson<{ keys: readonly { id: string }[] }>(['keys', 'list', 'demo-eur', '--data', data])
  equal(keys.length, 1)
  await run(['keys', 'create', 'demo-eur', '--data', data, '--areas', 'counter'])
  await run(['keys', 'revoke', 'demo-eur', keys[0]?.id ?? '', '--data', data])
  const none = await run(['token', 'demo-eur', '--data', data])
  equal(none.code, 1)
  match(none.stderr, /no active key for a web shop/)
  const fit = await runJson<Made>(['keys', 'create', 'demo-eur', '--data', data, '--areas', 'online'])
  const { keyId } = await runJson<{ keyId: string }>(['token', 'demo-eur', '--data', data])
  equal(keyId, fit.key.id)
}, 60_000)
