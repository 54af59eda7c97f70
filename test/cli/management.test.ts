// test/cli/management.test.ts — accounts, keys, terminals and tokens, created and removed on a store without a running
// gateway.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { decodeJwt, jwtVerify } from 'jose'
import { describe, test } from 'vitest'
import { emptyDirectory, run, runJson } from './tollgate.ts'

interface AccountMade {
  readonly account: { readonly id: string; readonly status: string; readonly timeZone: string }
  readonly apiKey: string
}
interface Key {
  readonly id: string
  readonly status: string
  readonly label: string
}

describe('an account', () => {
  // A dozen processes, one after the other, beside others.
  test.concurrent('is opened, gets a key and a terminal, and is revoked', { timeout: 90_000 }, async () => {
    const data = emptyDirectory()
    const made = await runJson<AccountMade>([
      ...['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café', '--currency', 'EUR'],
      ...['--time-zone', 'Europe/Dublin'],
    ])
    deepEqual([made.account.id, made.account.status, made.account.timeZone], ['harbour', 'enabled', 'Europe/Dublin'])
    match(made.apiKey, /^tg_[\w-]{32}$/)

    const twice = await run(['accounts', 'create', 'harbour', '--data', data, '--name', 'Another'])
    deepEqual([twice.code, twice.stderr], [1, 'tollgate: harbour is already in use.\n'])

    const created = await run(['keys', 'create', 'harbour', '--data', data, '--label', 'till 2'])
    match(created.stdout, /shown only once:\n\n {2}tg_[\w-]{32}\n$/)

    const { keys } = await runJson<{ keys: readonly Key[] }>(['keys', 'list', 'harbour', '--data', data])
    deepEqual(
      keys.map(({ label, status }) => [label, status]),
      [
        ['first', 'active'],
        ['till 2', 'active'],
      ],
    )
    ok(!JSON.stringify(keys).includes('hash'))

    const { code } = await run(['keys', 'revoke', 'harbour', keys[0]!.id, '--data', data])
    equal(code, 0)
    const list = await run(['keys', 'list', 'harbour', '--data', data])
    match(list.stdout, new RegExp(`${keys[0]!.id} +API +revoked`))

    equal((await run(['accounts', 'revoke', 'harbour', '--data', data])).code, 0)
    match(
      (await run(['accounts', 'list', '--data', data])).stdout,
      /harbour +revoked +EUR +Europe\/Dublin +Harbour Café/,
    )
    equal((await run(['accounts', 'close', 'harbour', '--data', data])).stdout, 'Account harbour is closed.\n')
    match((await run(['accounts', 'close', 'nobody', '--data', data])).stderr, /There is no account nobody/)
    const late = await run(['keys', 'create', 'harbour', '--data', data])
    deepEqual([late.code, late.stderr.includes('harbour is revoked')], [1, true])
  })
})

describe('terminals', () => {
  test.concurrent('are added, set up, listed and removed', async () => {
    const data = emptyDirectory()
    await runJson(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café'])
    const at = ['harbour', 'VCMHARBSIP0', '--data', data]
    equal((await run(['terminals', 'add', ...at, '--gratuity', 'on'])).code, 0)
    const shown = await run(['terminals', 'settings', ...at, '--pace', '100', '--cashback', 'off'])
    match(
      shown.stdout,
      /gratuity +on\ncashback +off\nprinting +on\ncontactless-copy +off\nserves +both\nsplit +ask\nwaiter-ids +on\npace +100 ms/,
    )
    match(
      (await run(['terminals', 'list', 'harbour', '--data', data])).stdout,
      /VCMHARBSIP0 +installed +simulated +GBP/,
    )
    equal((await run(['terminals', 'remove', ...at])).code, 0)
    const gone = await run(['terminals', 'settings', ...at])
    deepEqual([gone.code, gone.stderr.includes('has no terminal VCMHARBSIP0')], [1, true])
  })

  test.concurrent('take settings for their driver from a file, if the driver has any', async () => {
    const data = emptyDirectory()
    await runJson(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café'])
    const at = ['terminals', 'add', 'harbour', '22160001', '--data', data, '--driver-settings']
    const file = join(data, 'terminal.json')
    writeFileSync(file, '{"passphrase":"correct horse"}')
    const refused = await run([...at, file])
    equal(refused.code, 1)
    equal(refused.stderr, 'tollgate: The field driverSettings.passphrase is not known: this driver has no settings.\n')
    writeFileSync(file, 'correct horse')
    const unread = await run([...at, file])
    match(unread.stderr, /must be a file that can be read and holds a JSON object/)
    ok(!unread.stderr.includes('correct'))
    writeFileSync(file, '{}')
    equal((await run([...at, file])).code, 0)
  })
})

test.concurrent('drivers, acquirers and directory servers can be chosen from the registered ones only', async () => {
  const data = emptyDirectory()
  const create = ['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café']
  const wrong = await run([...create, '--acquirer', 'other'])
  deepEqual(
    [wrong.code, wrong.stderr],
    [1, 'tollgate: --acquirer other is not registered; it must be simulated or iso8583.\n'],
  )
  const { account } = await runJson<{ account: Record<string, unknown> }>([
    ...[...create, '--acquirer', 'simulated', '--directory-server', 'simulated'],
  ])
  deepEqual([account['acquirer'], account['directoryServer']], ['simulated', 'simulated'])
  const add = ['terminals', 'add', 'harbour', 'VCMHARBSIP0', '--data', data]
  match(
    (await run([...add, '--driver', 'other'])).stderr,
    /^tollgate: --driver other .* it must be simulated or nexo\.\n$/,
  )
  equal((await run([...add, '--driver', 'simulated'])).code, 0)
})

describe('the token of an account', () => {
  async function withAccount(): Promise<string> {
    const data = emptyDirectory()
    await runJson(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café'])
    return data
  }

  test.concurrent('is signed by the key of the data directory and names the API key', async () => {
    const data = await withAccount()
    const audience = 'https://pay.example'
    const { token, keyId } = await runJson<{ token: string; keyId: string }>([
      ...['token', 'harbour', '--data', data, '--audience', audience],
    ])
    const pem = readFileSync(join(data, 'token-key.pem'), 'utf8')
    const { payload, protectedHeader } = await jwtVerify(token, createPublicKey(pem), {
      audience,
      algorithms: ['RS256'],
    })
    deepEqual({ ...protectedHeader, kid: typeof protectedHeader.kid }, { alg: 'RS256', typ: 'JWT', kid: 'string' })
    deepEqual([payload['apiKey'], payload['email'], payload.sub], [keyId, payload.iss, payload.iss])
    equal((payload.exp ?? 0) - (payload.iat ?? 0), 24 * 365 * 86_400)
  })

  test.concurrent('is the same in repeated and concurrent calls, and only the owner can read its key', async () => {
    const data = await withAccount()
    const token = () => run(['token', 'harbour', '--data', data])
    const [one, other] = await Promise.all([token(), token()])
    match(one.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    equal(one.stdout, other.stdout)
    deepEqual(
      readdirSync(data).filter(name => name.startsWith('token-key')),
      ['token-key.pem'],
    )
    equal(statSync(join(data, 'token-key.pem')).mode & 0o777, 0o600)
  })

  test.concurrent('has a chosen life, counted from now even if its API key is old', async () => {
    const data = await withAccount()
    const old = new Database(join(data, 'tollgate.db'))
    for (const at of ['$.createdAt', '$.at'])
      old
        .prepare(
          "UPDATE records SET body = json_set(body, ?, 1) WHERE kind = 'api-key' AND json_extract(body, ?) IS NOT NULL",
        )
        .run(at, at)
    old.close()
    const before = Math.floor(Date.now() / 1_000)
    const { token, expiresAt } = await runJson<{ token: string; expiresAt: string }>([
      ...['token', 'harbour', '--data', data, '--audience', 'https://pay.example', '--expires-in', '365d'],
    ])
    const { iat = 0, exp = 0 } = decodeJwt(token)
    ok(iat >= before && iat <= Date.now() / 1_000, String(iat))
    equal(exp - iat, 365 * 86_400)
    equal(Date.parse(expiresAt), exp * 1_000)
    for (const wrong of ['1s', '4000d', 'soon'])
      equal((await run(['token', 'harbour', '--data', data, '--expires-in', wrong])).code, 2, wrong)
  })

  test.concurrent('needs a chosen life in live mode', async () => {
    const data = await withAccount()
    const env = { TOLLGATE_MODE: 'live' }
    const refused = await run(['token', 'harbour', '--data', data], env)
    deepEqual([refused.code, refused.stdout], [1, ''])
    match(refused.stderr, /^tollgate: Live mode signs no JWT without an expiry; .* --expires-in 365d\.\n$/)
    match(
      (await run(['token', 'harbour', '--data', data, '--expires-in', '365d'], env)).stdout,
      /^[\w-]+\.[\w-]+\.[\w-]+\n$/,
    )
  })

  test.concurrent('is not made for a missing account, nor with a file that is not a key', async () => {
    const data = await withAccount()
    const none = await run(['token', 'nobody', '--data', data])
    deepEqual([none.code, none.stderr.startsWith('tollgate: There is no account nobody;')], [1, true])
    writeFileSync(join(data, 'token-key.pem'), 'not a key')
    const broken = await run(['token', 'harbour', '--data', data])
    deepEqual([broken.code, broken.stderr.includes('holds no RSA private key')], [1, true])
  })
})

test.concurrent('listing does not turn a directory without a gateway into one', async () => {
  const data = join(emptyDirectory(), 'nothing-here')
  const { code, stderr } = await run(['accounts', 'list', '--data', data])
  notEqual(code, 0)
  match(stderr, /holds no gateway yet; start one with `tollgate serve`/)
  ok(!existsSync(data))
})
