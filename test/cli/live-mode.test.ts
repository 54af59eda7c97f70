// test/cli/live-mode.test.ts — sandbox data and settings that a live gateway refuses, one test each.
import { deepEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict'
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import { TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { call, type Env, emptyDirectory, run, runJson, type Serving, serving } from './tollgate.ts'

const LIVE: Env = {
  TOLLGATE_MODE: 'live',
  TOLLGATE_TRUSTED_PROXY: '127.0.0.1',
  TOLLGATE_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
}

/** Starts a live gateway that must not start, and returns its one-sentence error. */
async function sentenceOf(data: string, env: Env = LIVE): Promise<string> {
  const { code, stdout, stderr } = await run(['serve', '--data', data], env)
  deepEqual({ code, stdout }, { code: 1, stdout: '' })
  match(stderr, /^tollgate: .*\.\n$/)
  equal(stderr.trim().split('\n').length, 1, stderr)
  return stderr
}

/** A data directory filled by a sandbox, without the file that marks its mode. */
async function sandboxRemains(): Promise<string> {
  const sandbox = emptyDirectory()
  await (await serving(sandbox)).stop()
  const data = emptyDirectory()
  copyFileSync(join(sandbox, 'tollgate.db'), join(data, 'tollgate.db'))
  return data
}

/** A directory with one account, created in sandbox mode. */
async function withAccount(...options: readonly string[]): Promise<string> {
  const data = emptyDirectory()
  await runJson(['accounts', 'create', 'harbour', '--name', 'Harbour Café', '--data', data, ...options])
  return data
}

describe('live mode does not start', () => {
  test.concurrent('without TLS or a proxy that terminates it', async () => {
    const { TOLLGATE_TRUSTED_PROXY: _, ...env } = LIVE
    match(await sentenceOf(emptyDirectory(), env), /TOLLGATE_MODE=live needs encrypted connections;/)
  })

  test.concurrent('without a vault key of its own', async () => {
    const { TOLLGATE_VAULT_KEY: _, ...env } = LIVE
    match(await sentenceOf(emptyDirectory(), env), /TOLLGATE_MODE=live needs its own vault key;/)
  })

  for (const [what, name, env] of [
    ['vault', 'vault.key', (file: string) => ({ TOLLGATE_VAULT_KEY: '', TOLLGATE_VAULT_KEY_FILE: file })],
    ['TLS', 'tls.key', (file: string) => ({ TOLLGATE_TLS_KEY: file, TOLLGATE_TLS_CERT: `${file}.cert` })],
    ['JWTs', 'token-key.pem', () => ({})],
  ] as const)
    test.concurrent(`with a key of ${what} that everybody can read; a group may`, async () => {
      const data = emptyDirectory()
      await (await serving(data, LIVE)).stop()
      const file = join(data, name)
      if (what === 'vault') writeFileSync(file, `${LIVE['TOLLGATE_VAULT_KEY']}\n`)
      if (what === 'TLS') {
        writeFileSync(file, TEST_KEY)
        writeFileSync(`${file}.cert`, TEST_CERT)
      }
      chmodSync(file, 0o644)
      const settings = { ...LIVE, ...env(file) }
      const command = `chmod o-rwx ${file}`
      const sentence = await sentenceOf(data, settings)
      equal(sentence, `tollgate: Every user of this machine can read the key in ${file}; run \`${command}\`.\n`)
      chmodSync(file, 0o640)
      await (await serving(data, settings)).stop()
    })

  test.concurrent('on the data directory of a sandbox', async () => {
    const sandbox = emptyDirectory()
    await (await serving(sandbox)).stop()
    match(await sentenceOf(sandbox), /belongs to a gateway in sandbox mode;/)
  })

  // A dozen processes, one after the other, beside others.
  test.concurrent('with the public account, until it is revoked', { timeout: 90_000 }, async () => {
    const data = await sandboxRemains()
    match(await sentenceOf(data), /refuses the public test account demo; run `tollgate accounts revoke demo`/)
    for (const account of ['demo', 'demo-eur']) await run(['accounts', 'revoke', account, '--data', data])
    const live = await serving(data, LIVE)
    deepEqual([live.summary.mode, live.summary.accounts, live.summary.token], ['live', [], null])
    await live.stop()
    match(await sentenceOf(data, {}), /belongs to a gateway in live mode;/)
  })

  test.concurrent('with a public key, in any account', async () => {
    const data = await sandboxRemains()
    const database = new Database(join(data, 'tollgate.db'))
    database.exec(`
      UPDATE records SET body = json_set(body, '$.public', json('false')) WHERE kind = 'merchant-account';
      UPDATE records SET body = json_set(body, '$.status', 'removed') WHERE kind = 'terminal';`)
    database.close()
    match(
      await sentenceOf(data),
      /refuses the public key demo-api-key of account demo; run `tollgate keys revoke demo /,
    )
  })

  test.concurrent('with a simulated terminal, until it is removed', async () => {
    const data = await withAccount()
    const at = ['harbour', 'VCMHARBSIP0', '--data', data]
    await runJson(['terminals', 'add', ...at])
    match(await sentenceOf(data), /refuses the simulated terminal VCMHARBSIP0 of account harbour; run `tollgate /)
    await runJson(['terminals', 'remove', ...at])
    equal((await (await serving(data, LIVE)).stop()).code, 0)
  })

  test.concurrent('with payment keys in software', { timeout: 90_000 }, async () => {
    const file = join(emptyDirectory(), 'acquirer.json')
    const connection = { dialect: 'pos-87-bcd', addresses: [{ host: '127.0.0.1', port: 1 }], tls: 'none' }
    const settings = { 24: '003', 41: '29110001', 42: 'HARBOUR', 60: '000001' }
    const document = { ...connection, timeZone: 'Europe/London', settings, keys: 'software' }
    writeFileSync(file, JSON.stringify(document))
    const env = { TOLLGATE_ACQUIRER_FILE: file }
    equal((await (await serving(emptyDirectory(), env)).stop()).code, 0)
    match(
      (await run(['serve', '--data', emptyDirectory()], { ...LIVE, ...env })).stderr,
      /keys are in a security module/,
    )
  })

  test.concurrent.each(['--acquirer', '--directory-server'])(
    'with an account that has a simulated %s',
    async option => {
      const data = await withAccount(option, 'simulated')
      match(await sentenceOf(data), /refuses account harbour, whose acquirer or directory server is simulated; run /)
    },
  )
})

describe('a live gateway', () => {
  const live = serving(emptyDirectory(), LIVE)
  const sandbox = serving()
  const ask = async (gateway: Promise<Serving>, path: string, init?: RequestInit) =>
    call(`${(await gateway).summary.url}${path}`, init)

  test.concurrent('has no public key', async () => {
    equal((await ask(sandbox, '/pac/terminals')).status, 200)
    equal((await ask(live, '/pac/terminals')).status, 401)
  })

  test.concurrent.each([
    ['GET', '/sandbox/cards'],
    ['POST', '/sandbox/accounts'],
    ['GET', '/sandbox/clock'],
    ['GET', '/sandbox/terminals'],
    ['GET', '/demo'],
  ])('has nothing at %s %s', async (method, path) => {
    notEqual((await ask(sandbox, path, { method })).status, 404)
    equal((await ask(live, path, { method })).status, 404)
  })

  test.concurrent('describes no sandbox', async () => {
    match(await (await ask(sandbox, '/openapi.json')).text(), /"\/sandbox\//)
    doesNotMatch(await (await ask(live, '/openapi.json')).text(), /\/sandbox|openTerminalLink/)
  })

  test.concurrent('shows no test cards', async () => {
    const numbers = /\d{4} \d{4} \d{4} \d{4}/
    match(await (await ask(sandbox, '/docs/cards')).text(), numbers)
    doesNotMatch(await (await ask(live, '/docs/cards')).text(), numbers)
  })
})

test.concurrent('no simulated terminal can be added to a live gateway, whatever mode the command runs in', async () => {
  const data = emptyDirectory()
  await (await serving(data, LIVE)).stop()
  await runJson(['accounts', 'create', 'harbour', '--name', 'Harbour Café', '--data', data], LIVE)
  for (const env of [LIVE, {}]) {
    const added = ['terminals', 'add', 'harbour', 'VCMHARBSIP0', '--driver', 'simulated', '--data', data]
    const { code, stderr } = await run(added, env)
    equal(code, 1)
    match(stderr, /^tollgate: --driver simulated is not registered; it must be nexo\.\n$/)
  }
})

describe('commands beside a live gateway ask for what they use', () => {
  const BARE: Env = {
    TOLLGATE_MODE: 'live',
    TOLLGATE_TLS_CERT: '/nowhere/cert.pem',
    TOLLGATE_TLS_KEY: '/nowhere/key.pem',
  }

  test.concurrent('accounts, keys and terminals need neither TLS nor the vault', async () => {
    const data = emptyDirectory()
    await (await serving(data, LIVE)).stop()
    const made = await run(['accounts', 'create', 'harbour', '--name', 'Harbour Café', '--data', data], BARE)
    equal(made.code, 0, made.stderr)
    for (const command of [
      ['accounts', 'list'],
      ['keys', 'list', 'harbour'],
      ['terminals', 'list', 'harbour'],
    ]) {
      const { code, stderr } = await run([...command, '--data', data], BARE)
      deepEqual([code, stderr], [0, ''], command.join(' '))
    }
  })

  test.concurrent('the commands of the vault need its key, and no TLS', async () => {
    const data = emptyDirectory()
    await (await serving(data, LIVE)).stop()
    const without = await run(['vault', 'status', '--data', data], BARE)
    equal(without.code, 1)
    match(without.stderr, /needs its own vault key/)
    const { code, stderr } = await run(['vault', 'status', '--data', data], { ...BARE, ...keyOf(LIVE) })
    deepEqual([code, stderr], [0, ''])
  })
})

function keyOf(env: Env): Env {
  return { TOLLGATE_VAULT_KEY: String(env['TOLLGATE_VAULT_KEY']) }
}
