// test/cli/users.test.ts — the users of an account, made at the command line beside a gateway that runs.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { begin, type Env, emptyDirectory, run, runJson, serving } from './tollgate.ts'

const PASSWORD = 'kettle lamp river'

/** Runs a command with its input. */
async function runWith(input: string, args: readonly string[], env: Env = {}) {
  const running = begin(args, env)
  running.child.stdin.end(input)
  return running.ended
}

interface Listed {
  readonly users: readonly { readonly user: string; readonly role: string; readonly status: string }[]
}

test('the first owner is made at the command line, signs in at once, and is out as soon as the command line says so', async () => {
  const data = emptyDirectory()
  const { summary } = await serving(data)
  const { url } = summary
  const at = ['demo-eur', 'Ann', '--data', data]
  const none = await run(['users', 'list', 'demo-eur', '--data', data])
  deepEqual([none.code, none.stderr.includes('users create')], [1, true])

  const origin = new URL(url).origin
  const signIn = async (password: string) => {
    const answer = await fetch(`${url}/api/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ account: 'demo-eur', user: 'ann', password }),
    })
    const { pageToken = '' } = (await answer.json()) as { readonly pageToken?: string }
    const [cookie = ''] = answer.headers.getSetCookie()
    return { status: answer.status, headers: { cookie: cookie.split(';')[0] ?? '', 'tollgate-page-token': pageToken } }
  }
  equal((await signIn(PASSWORD)).status, 401)

  const weak = await runWith('short\n', ['users', 'create', ...at, '--name', 'Ann', '--role', 'owner'])
  deepEqual([weak.code, weak.stdout], [1, ''])
  match(weak.stderr, /12 to 128 characters/)
  const made = await runWith(`${PASSWORD}\n`, ['users', 'create', ...at, '--name', 'Ann Example', '--role', 'owner'])
  equal(made.stdout, 'User ann can sign in to the console of account demo-eur as owner.\n')
  ok(!(made.stdout + made.stderr).includes(PASSWORD))

  const { status, headers } = await signIn(PASSWORD)
  equal(status, 200)
  const account = async () => (await fetch(`${url}/api/account`, { headers })).status
  equal(await account(), 200)

  const page = { ...headers, origin, 'content-type': 'application/json' }
  const codes = `${url}/api/session/one-time-codes`
  const { secret } = (await (await fetch(codes, { headers: page })).json()) as { readonly secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const body = JSON.stringify({ password: PASSWORD, secret, code })
  equal((await fetch(codes, { method: 'PUT', headers: page, body })).status, 200)
  equal((await signIn(PASSWORD)).status, 401)
  equal(
    (await run(['users', 'reset-factors', ...at])).stdout,
    'User ann of account demo-eur signs in by the password alone.\n',
  )
  await expect.poll(async () => (await signIn(PASSWORD)).status, { timeout: 10_000, interval: 1_500 }).toBe(200)

  const links = `${url}/sandbox/terminals/VCMEUROSIP0/links`
  const link = (await (await fetch(links, { method: 'POST', headers: page })).json()) as { readonly url: string }
  const authorization = `Bearer ${new URL(link.url).hash.slice(1)}`
  const phone = async () => (await fetch(`${url}/sandbox/terminals/VCMEUROSIP0`, { headers: { authorization } })).status
  equal(await phone(), 200)
  equal((await run(['users', 'role', ...at, '--role', 'read_only'])).code, 0)
  await expect.poll(phone, { timeout: 10_000 }).toBe(401)
  const users = async () => (await fetch(`${url}/api/users`, { headers })).status
  await expect.poll(users, { timeout: 10_000 }).toBe(403)
  equal((await runWith('another long password', ['users', 'password', ...at])).code, 0)
  await expect.poll(account, { timeout: 10_000 }).toBe(401)
  equal((await signIn('another long password')).status, 200)
  equal((await run(['users', 'end', ...at])).stdout, 'User ann of account demo-eur can sign in no more.\n')
  // Ten attempts in five minutes.
  const attempt = async () => (await signIn('another long password')).status
  await expect.poll(attempt, { timeout: 10_000, interval: 1_500 }).toBe(401)
  const { users: listed } = await runJson<Listed>(['users', 'list', 'demo-eur', '--data', data])
  deepEqual(
    listed.map(({ user, role, status: state }) => [user, role, state]),
    [['ann', 'read_only', 'ended']],
  )
}, 90_000)

test('a user needs an account, a role and a password', async () => {
  const data = emptyDirectory()
  await runJson(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café'])
  const create = ['users', 'create', 'harbour', 'ann', '--data', data, '--name', 'Ann']
  const empty = await runWith('', [...create, '--role', 'owner'])
  deepEqual([empty.code, /There is no password/.test(empty.stderr)], [1, true])
  match((await runWith(PASSWORD, create)).stderr, /--role/)
  match((await runWith(PASSWORD, [...create, '--role', 'king'])).stderr, /owner, developer, till_staff, read_only/)
  const nowhere = ['users', 'create', 'nobody', 'ann', '--data', data, '--name', 'Ann', '--role', 'owner']
  match((await runWith(PASSWORD, nowhere)).stderr, /There is no account nobody/)
  const wrong = ['users', 'create', 'harbour', 'an n', '--data', data, '--name', 'Ann', '--role', 'owner']
  match((await runWith(PASSWORD, wrong)).stderr, /1 to 64 letters/)
})
